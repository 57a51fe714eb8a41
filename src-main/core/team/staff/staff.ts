/**
 * The way of the stand team to its pages: one PIN for the stand, one for the technician, a badge of one's own.
 *
 *   PIN ─► wait over? ─► counted as wrong, on disk ─► scrypt ─► right: counted off, session
 *   tapped badge ─► a member's? ─► ticket to every page ─► the first page that redeems it has the session
 *
 * Invariants: a badge of the team is nobody's lead, and opens nothing at a check-in, where the team enters like
 * everybody; nothing of it is in a log.
 */
import type { Member, SignIn, StaffState, Team } from '../../../contract/staff.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { BADGE_AWAITED_MS, BADGE_TICKET_MS } from '../../foundations/time/windows.ts';
import { keepPin } from './pin.ts';
import { createPinEntry, type DemoStaff } from './pin-entry.ts';
import { createSessions, type Page, type Sessions } from './sessions.ts';
import { createStaffFile, emptyRecord, type StaffMember, type StaffRecord } from './staff-file.ts';
import { memberOfBadge, teamOf, withBadge, withMember, withoutBadge, withoutMember } from './team.ts';

export type StaffPorts = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly folder: string;
  /** Null outside the demo event. */
  readonly demo: DemoStaff | null;
  /** Whether a badge of the team opens the pages here, rather than being a visitor's. */
  readonly badgeOpens: () => boolean;
  /** Something that a page at the entry, or the page of the team, shows has changed. */
  readonly onChange: () => void;
};

/** What a badge of the team is to the tap: it opens a page with `ticket`, or was added to a member (null). */
export type StaffBadge = { readonly ticket: string | null };

/** Getting in, and out. */
type Access = {
  readonly session: Sessions['of'];
  readonly touch: Sessions['touch'];
  /** Name of whoever is at work, for the facts of that time. */
  readonly onDuty: Sessions['onDuty'];
  readonly state: (page: Page) => StaffState;
  /** The first PIN of this stand, by somebody of this name. False where there is one already. */
  readonly choosePin: (page: Page, pin: string, name: string) => Promise<boolean>;
  readonly signIn: (page: Page, pin: string) => Promise<SignIn>;
  /** A new PIN, from a page that is signed in. */
  readonly changePin: (pin: string) => Promise<void>;
  readonly redeem: (page: Page, ticket: string) => boolean;
  /** Says who is signed in on `page`. */
  readonly identify: (page: Page, member: string) => boolean;
  readonly lock: (page: Page) => void;
  /** Locks, and nobody is at work any more. */
  readonly signOff: (page: Page) => void;
};

/** Who the team is, and its badges. */
type TeamAdministration = {
  readonly team: () => Team;
  readonly addMember: (name: string) => Member;
  readonly removeMember: (id: string) => void;
  /** The next badge that is tapped is this member's; null: none any more. */
  readonly awaitBadge: (member: string | null) => void;
  readonly removeBadge: (badge: string) => void;
  /** Whether `badge` would say something of these codes; changes nothing. */
  readonly isBadge: (codes: readonly string[]) => boolean;
  /** What a tapped badge is to the team; null for one that is not the team's. */
  readonly badge: (codes: readonly string[]) => StaffBadge | null;
};

export type Staff = Access & TeamAdministration;

/** The staff of one device. */
export function createStaff(ports: StaffPorts): Staff {
  const parts = { ports, records: createRecords(ports), sessions: createSessions(ports.clock) };
  const tickets = createTickets(ports);
  return { ...createAccess(parts, tickets), ...createTeamAdministration(parts, tickets) };
}

type Records = ReturnType<typeof createRecords>;

/** What is kept, as it counts now. */
function createRecords({ folder, demo, random, onChange }: StaffPorts) {
  const file = createStaffFile(folder);
  const demoTeam: readonly StaffMember[] = demo === null ? [] : [{ id: 'demo', name: demo.name, badges: [] }];
  const read = (): StaffRecord => {
    const found = file.read();
    const record = found === 'damaged' ? emptyRecord : found;
    return record.members.length > 0 ? record : { ...record, members: [...demoTeam] };
  };
  return {
    file,
    read,
    change: (next: (record: StaffRecord) => StaffRecord): void => {
      file.write(next(read()));
      onChange();
    },
    newId: () => Buffer.from(random.bytes(8)).toString('hex'),
  };
}

type Parts = { readonly ports: StaffPorts; readonly records: Records; readonly sessions: Sessions };

type Tickets = ReturnType<typeof createTickets>;

/** What a tapped badge of the team is good for, once and for a moment. */
function createTickets({ clock, random }: StaffPorts) {
  const open = new Map<string, { readonly member: string; readonly until: number }>();
  return {
    issue: (member: string): string => {
      const ticket = Buffer.from(random.bytes(16)).toString('hex');
      for (const [old, { until }] of open) if (clock.monotonic() >= until) open.delete(old);
      open.set(ticket, { member, until: clock.monotonic() + BADGE_TICKET_MS });
      return ticket;
    },
    /** Whose it is, or null. */
    take: (ticket: string): string | null => {
      const found = open.get(ticket);
      open.delete(ticket);
      return found !== undefined && clock.monotonic() < found.until ? found.member : null;
    },
  };
}

function createAccess({ ports, records, sessions }: Parts, tickets: Tickets): Access {
  const { random, onChange } = ports;
  const pins = createPinEntry({ ...ports, file: records.file });
  const enter = (page: Page, technician: boolean, member: StaffMember | null): void => {
    sessions.open(page, { technician, member: member && { id: member.id, name: member.name } });
    onChange();
  };
  const hasBadge = () => ports.badgeOpens() && records.read().members.some(({ badges }) => badges.length > 0);
  const memberOf = (id: string | null) => records.read().members.find((member) => member.id === id) ?? null;
  return {
    session: sessions.of,
    touch: sessions.touch,
    onDuty: sessions.onDuty,
    state: (page) => ({ ...pins.state(), badge: hasBadge(), session: sessions.of(page) }),
    choosePin: async (page, pin, name) => {
      const kept = await keepPin(pin, random.bytes(16));
      if (pins.state().pin !== 'unset') return false;
      const member: StaffMember = { id: records.newId(), name, badges: [] };
      records.change((now) => withMember({ ...now, pin: kept }, member));
      enter(page, false, member);
      return true;
    },
    signIn: async (page, pin) => {
      const { answer, technician } = await pins.attempt(pin);
      const [first = null, ...others] = records.read().members;
      if (answer.kind === 'in') enter(page, technician, others.length === 0 ? first : null);
      else onChange();
      return answer;
    },
    changePin: async (pin) => {
      const kept = await keepPin(pin, random.bytes(16));
      records.change((now) => ({ ...now, pin: kept }));
    },
    redeem: (page, ticket) => {
      const member = memberOf(tickets.take(ticket));
      if (member === null) return false;
      enter(page, sessions.of(page)?.technician ?? false, member);
      return true;
    },
    identify: (page, id) => {
      const session = sessions.of(page);
      const member = memberOf(id);
      if (session === null || member === null) return false;
      enter(page, session.technician, member);
      return true;
    },
    lock: (page) => {
      sessions.close(page);
      onChange();
    },
    signOff: (page) => {
      sessions.close(page);
      sessions.endDuty();
      onChange();
    },
  };
}

function createTeamAdministration({ ports, records, sessions }: Parts, tickets: Tickets): TeamAdministration {
  const { clock } = ports;
  let awaited: { readonly member: string; readonly until: number } | null = null;
  const awaitedNow = () => (awaited !== null && clock.monotonic() < awaited.until ? awaited.member : null);
  return {
    team: () => teamOf(records.read(), awaitedNow()),
    addMember: (name) => {
      const member: StaffMember = { id: records.newId(), name, badges: [] };
      records.change((now) => withMember(now, member));
      return { id: member.id, name, badges: [] };
    },
    removeMember: (id) => {
      sessions.closeAllOf(id);
      records.change((now) => withoutMember(now, id));
    },
    awaitBadge: (member) => {
      awaited = member === null ? null : { member, until: clock.monotonic() + BADGE_AWAITED_MS };
      ports.onChange();
    },
    removeBadge: (badge) => {
      const owner = records.read().members.find(({ badges }) => badges.some(({ id }) => id === badge));
      if (owner !== undefined) sessions.closeAllOf(owner.id);
      records.change((now) => withoutBadge(now, badge));
    },
    isBadge: (codes) =>
      awaitedNow() !== null || (memberOfBadge(records.read(), codes) !== null && ports.badgeOpens()),
    badge: (codes) => {
      const member = awaitedNow();
      if (member !== null) {
        awaited = null;
        const added = { id: records.newId(), codes: [...codes], addedAt: clock.now() };
        records.change((now) => withBadge(now, member, added));
        return { ticket: null };
      }
      const owner = memberOfBadge(records.read(), codes);
      return owner !== null && ports.badgeOpens() ? { ticket: tickets.issue(owner.id) } : null;
    },
  };
}
