/**
 * The entry of the staff pages on a scripted device. It is open, unless a test locks it.
 *
 * Invariant: `signIn` accepts only `PIN`.
 */
import { type EventPublisher, implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type { StaffState, Team } from '../../../src-main/contract/staff.ts';

export const PIN = '2580';

/** A user is signed in, which most tests of the staff pages need. */
export const openEntry: StaffState = {
  pin: 'set',
  demo: null,
  waitMs: 0,
  badge: true,
  session: { member: { id: 'm1', name: 'Jonas W.' }, technician: false },
};

export const demoTeam: Team = {
  members: [
    {
      id: 'm1',
      name: 'Jonas W.',
      email: 'jonas@example.org',
      badges: [{ id: 'b1', tail: 'C0DE', addedAt: Date.UTC(2026, 10, 20, 8) }],
    },
    { id: 'm2', name: 'Mira Köhler', email: '', badges: [] },
  ],
  awaits: null,
};

export type ScriptedEntry = {
  readonly state: () => StaffState;
  /** Changes the entry and notifies every page. */
  readonly set: (change: Partial<StaffState>) => void;
  team: Team;
  /** Calls that fail on the device, as with a full disk. */
  failing: readonly string[];
};

type Keep = (call: string, input: unknown) => void;

/** An entry that is open. */
export function createScriptedEntry(events: EventPublisher<{ staff: StaffState }>): ScriptedEntry {
  let state = openEntry;
  return {
    state: () => state,
    set: (change) => {
      state = { ...state, ...change };
      events.publish('staff', state);
    },
    team: demoTeam,
    failing: [],
  };
}

/** The calls of the contract that lead to the staff pages. */
export function staffCalls(entry: ScriptedEntry, events: EventPublisher<{ staff: StaffState }>, note: Keep) {
  const { staff } = implement(contract);
  const keep: Keep = (call, input) => {
    note(call, input);
    if (entry.failing.includes(call)) throw new Error('The disk is full');
  };
  const open = (session = openEntry.session) => entry.set({ pin: 'set', session });
  return {
    watch: staff.watch.handler(async function* ({ signal }) {
      const changes = events.subscribe('staff', signal ? { signal } : {});
      yield entry.state();
      yield* changes;
    }),
    choosePin: staff.choosePin.handler(({ input }) => {
      keep('staff.choosePin', input);
      open({ member: { id: 'm1', name: input.name }, technician: false });
      return { chosen: true };
    }),
    signIn: staff.signIn.handler(({ input }) => {
      keep('staff.signIn', input);
      if (input.pin !== PIN) return { kind: 'wrong' as const, waitMs: entry.state().waitMs };
      open();
      return { kind: 'in' as const };
    }),
    redeem: staff.redeem.handler(({ input }) => {
      keep('staff.redeem', input);
      open();
      return { in: true };
    }),
    lock: staff.lock.handler(({ input }) => {
      keep('staff.lock', input);
      entry.set({ session: null });
      return { locked: true };
    }),
    touch: staff.touch.handler(() => ({ open: true })),
    identify: staff.identify.handler(({ input }) => {
      keep('staff.identify', input);
      const member = entry.team.members.find(({ id }) => id === input.member);
      open({ member: member ? { id: member.id, name: member.name } : null, technician: false });
      return { done: true };
    }),
    changePin: staff.changePin.handler(({ input }) => {
      keep('staff.changePin', input);
      return { changed: true };
    }),
    team: staff.team.handler(() => entry.team),
    addMember: staff.addMember.handler(({ input }) => {
      keep('staff.addMember', input);
      const member = { id: `m${entry.team.members.length + 1}`, name: input.name, email: '', badges: [] };
      entry.team = { ...entry.team, members: [...entry.team.members, member] };
      return member;
    }),
    setEmail: staff.setEmail.handler(({ input }) => {
      keep('staff.setEmail', input);
      const changed = entry.team.members.map((one) =>
        one.id === input.member ? { ...one, email: input.email } : one,
      );
      entry.team = { ...entry.team, members: changed };
      return entry.team;
    }),
    removeMember: staff.removeMember.handler(({ input }) => {
      keep('staff.removeMember', input);
      entry.team = {
        ...entry.team,
        members: entry.team.members.filter(({ id }) => id !== input.member),
      };
      return entry.team;
    }),
    awaitBadge: staff.awaitBadge.handler(({ input }) => {
      keep('staff.awaitBadge', input);
      entry.team = { ...entry.team, awaits: input.member };
      return entry.team;
    }),
    removeBadge: staff.removeBadge.handler(({ input }) => {
      keep('staff.removeBadge', input);
      return entry.team;
    }),
  };
}
