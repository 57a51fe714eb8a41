/**
 * Access of the stand team to its pages: one PIN for the stand, one for the technician, badges for members.
 *
 *     PIN ─► delay over? ─► counted as wrong, on disk ─► scrypt ─► right: count reset, session
 *     tapped badge ─► a member's? ─► ticket to every page ─► the first page that redeems it gets the session
 *
 * Invariants:
 * - A staff badge opens the staff pages and is not a lead. At a check-in it is treated like a visitor's badge.
 * - No log contains PINs, badges or tickets.
 */
import type { Member, PinRefusal, SignIn, StaffState, Team } from '../../../contract/staff.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { BADGE_AWAITED_MS, BADGE_TICKET_MS } from '../../foundations/time/windows.ts';
import { keepPin } from './pin.ts';
import { createPinEntry, type DemoStaff } from './pin-entry.ts';
import { createSessions, type Page, type Sessions } from './sessions.ts';
import { createStaffFile, emptyRecord, type StaffMember, type StaffRecord } from './staff-file.ts';
import {
  addressOfMember,
  memberOfBadge,
  teamOf,
  withBadge,
  withEmail,
  withMember,
  withoutBadge,
  withoutMember,
} from './team.ts';

type StaffPorts = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly folder: string;
  /** Null outside the demo event. */
  readonly demo: DemoStaff | null;
  /** Whether a staff badge opens the pages here. Otherwise it is treated as a visitor's badge. */
  readonly badgeOpens: () => boolean;
  /** Called after a change that the entry page or the team page shows. */
  readonly onChange: () => void;
};

/**
 * Effect of a staff badge when it is tapped: it opens a page with `ticket`, or it was just assigned to a member
 * (null).
 */
type StaffBadge = { readonly ticket: string | null };

/** Sign-in and sign-off. */
type Access = {
  readonly session: Sessions['of'];
  readonly touch: Sessions['touch'];
  /** Name of the member on duty, for facts of that time. */
  readonly onDuty: Sessions['onDuty'];
  readonly state: (page: Page) => StaffState;
  /** Sets the first PIN of this stand and the member's name. Returns false when there is one already. */
  readonly choosePin: (page: Page, pin: string, name: string) => Promise<boolean>;
  readonly signIn: (page: Page, pin: string) => Promise<SignIn>;
  /**
   * Asks whether the team approves a choice on the visitor's screen. Returns null if approved. A signed-in page needs
   * no PIN, and a stand without a PIN needs none. This does not sign the page in.
   */
  readonly approve: (page: Page, pin: string | undefined) => Promise<PinRefusal | null>;
  /** Sets a new PIN, from a signed-in page. */
  readonly changePin: (pin: string) => Promise<void>;
  /** Signs a paired phone in as its member. False if the member has left the team. */
  readonly admit: (phone: Page, member: string) => boolean;
  /** Signs a paired phone in again by the PIN, as its member and never as the technician. */
  readonly unlock: (phone: Page, member: string, pin: string) => Promise<SignIn>;
  readonly redeem: (page: Page, ticket: string) => boolean;
  /** Sets the member who is signed in on `page`. */
  readonly identify: (page: Page, member: string) => boolean;
  readonly lock: (page: Page) => void;
  /** Call it when the connection of a page has ended. */
  readonly leave: (page: Page) => void;
  readonly actAs: Sessions['actAs'];
  /** Locks the page and ends the duty. */
  readonly signOff: (page: Page) => void;
};

/** The team and its badges. */
type TeamAdministration = {
  readonly team: () => Team;
  readonly addMember: (name: string) => Member;
  readonly setEmail: (id: string, email: string) => void;
  /** The address of a member by name, or null. */
  readonly addressOf: (name: string) => string | null;
  readonly removeMember: (id: string) => void;
  /** Assigns the next tapped badge to this member. Null cancels that. */
  readonly awaitBadge: (member: string | null) => void;
  readonly removeBadge: (badge: string) => void;
  /** Whether `badge` would return a result for these codes. Changes nothing. */
  readonly isBadge: (codes: readonly string[]) => boolean;
  /** Handles a tapped badge. Null for a badge that does not belong to the team. */
  readonly badge: (codes: readonly string[]) => StaffBadge | null;
};

export type Staff = Access & TeamAdministration;

/** The staff of one device. */
export function createStaff(ports: StaffPorts): Staff {
  const records = createRecords(ports);
  const sessions = createSessions(ports.clock);
  const tickets = createTickets(ports);
  return {
    ...createAccess(ports, records, sessions, tickets),
    ...createTeamAdministration(ports, records, sessions, tickets),
  };
}

type Records = ReturnType<typeof createRecords>;

/** The stored record with the demo defaults. */
function createRecords({
  folder,
  demo,
  random,
  onChange,
}: Pick<StaffPorts, 'folder' | 'demo' | 'random' | 'onChange'>) {
  const file = createStaffFile(folder);
  const demoTeam: readonly StaffMember[] =
    demo === null ? [] : [{ id: 'demo', name: demo.name, email: '', badges: [] }];
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

type Tickets = ReturnType<typeof createTickets>;

/** Single-use tickets of tapped staff badges, valid for a moment. */
function createTickets({ clock, random }: Pick<StaffPorts, 'clock' | 'random'>) {
  const open = new Map<string, { readonly member: string; readonly until: number }>();
  return {
    issue: (member: string): string => {
      const ticket = Buffer.from(random.bytes(16)).toString('hex');
      for (const [old, { until }] of open) if (clock.monotonic() >= until) open.delete(old);
      open.set(ticket, { member, until: clock.monotonic() + BADGE_TICKET_MS });
      return ticket;
    },
    /** The member of a ticket, or null. */
    take: (ticket: string): string | null => {
      const found = open.get(ticket);
      open.delete(ticket);
      return found !== undefined && clock.monotonic() < found.until ? found.member : null;
    },
  };
}

function createAccess(
  { clock, random, log, demo, badgeOpens, onChange }: Omit<StaffPorts, 'folder'>,
  records: Records,
  sessions: Sessions,
  tickets: Tickets,
): Access {
  const pins = createPinEntry({ clock, log, file: records.file, demo });
  const enter = (page: Page, technician: boolean, member: StaffMember | null): void => {
    sessions.open(page, { technician, member: member && { id: member.id, name: member.name } });
    onChange();
  };
  const admit = (phone: Page, id: string): boolean => {
    const member = memberOf(id);
    if (member === null) return false;
    sessions.open(phone, { technician: false, member: { id: member.id, name: member.name } }, 'phone');
    onChange();
    return true;
  };
  const hasBadge = () => badgeOpens() && records.read().members.some(({ badges }) => badges.length > 0);
  const memberOf = (id: string | null) => records.read().members.find((member) => member.id === id) ?? null;
  return {
    session: sessions.of,
    touch: sessions.touch,
    onDuty: sessions.onDuty,
    state: (page) => ({ ...pins.state(), badge: hasBadge(), session: sessions.of(page) }),
    choosePin: async (page, pin, name) => {
      const kept = await keepPin(pin, random.bytes(16));
      if (pins.state().pin !== 'unset') return false;
      const member: StaffMember = { id: records.newId(), name, email: '', badges: [] };
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
    approve: async (page, pin) => {
      if (sessions.of(page) !== null || pins.state().pin === 'unset') return null;
      if (pin === undefined) return { kind: 'needed' };
      const { answer } = await pins.attempt(pin);
      onChange();
      return answer.kind === 'in' ? null : answer;
    },
    changePin: async (pin) => {
      const kept = await keepPin(pin, random.bytes(16));
      records.change((now) => ({ ...now, pin: kept }));
    },
    admit,
    unlock: async (phone, member, pin) => {
      const { answer } = await pins.attempt(pin);
      if (answer.kind !== 'in' || !admit(phone, member)) onChange();
      return answer;
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
    leave: (page) => {
      sessions.leave(page);
      onChange();
    },
    actAs: sessions.actAs,
    signOff: (page) => {
      sessions.close(page);
      sessions.endDuty();
      onChange();
    },
  };
}

function createTeamAdministration(
  { clock, badgeOpens, onChange }: Pick<StaffPorts, 'clock' | 'badgeOpens' | 'onChange'>,
  records: Records,
  sessions: Sessions,
  tickets: Tickets,
): TeamAdministration {
  let awaited: { readonly member: string; readonly until: number } | null = null;
  const awaitedNow = () => (awaited !== null && clock.monotonic() < awaited.until ? awaited.member : null);
  return {
    team: () => teamOf(records.read(), awaitedNow()),
    addMember: (name) => {
      const member: StaffMember = { id: records.newId(), name, email: '', badges: [] };
      records.change((now) => withMember(now, member));
      return { id: member.id, name, email: '', badges: [] };
    },
    setEmail: (id, email) => records.change((now) => withEmail(now, id, email)),
    addressOf: (name) => addressOfMember(records.read(), name),
    removeMember: (id) => {
      sessions.closeAllOf(id);
      records.change((now) => withoutMember(now, id));
    },
    awaitBadge: (member) => {
      awaited = member === null ? null : { member, until: clock.monotonic() + BADGE_AWAITED_MS };
      onChange();
    },
    removeBadge: (badge) => {
      const owner = records.read().members.find(({ badges }) => badges.some(({ id }) => id === badge));
      if (owner !== undefined) sessions.closeAllOf(owner.id);
      records.change((now) => withoutBadge(now, badge));
    },
    isBadge: (codes) =>
      awaitedNow() !== null || (memberOfBadge(records.read(), codes) !== null && badgeOpens()),
    badge: (codes) => {
      const member = awaitedNow();
      if (member !== null) {
        awaited = null;
        const added = { id: records.newId(), codes: [...codes], addedAt: clock.now() };
        records.change((now) => withBadge(now, member, added));
        return { ticket: null };
      }
      const owner = memberOfBadge(records.read(), codes);
      return owner !== null && badgeOpens() ? { ticket: tickets.issue(owner.id) } : null;
    },
  };
}
