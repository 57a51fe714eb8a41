/**
 * Staff sessions of pages, and the member on duty at this stand.
 *
 * Invariants:
 * - A session belongs to one connection of one page. A reloaded page has none.
 * - A session ends after a time without a touch on the page. It is never on disk.
 * - The session of a paired phone outlives its connections and never changes who is on duty, because the phone's
 *   member is elsewhere in the hall.
 * - Facts recorded in a call name the member who is signed in on the calling page.
 * - The member on duty stays when the page locks, because visitors tap while it is locked. Duty ends at the sign-off
 *   or after two hours without activity.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { StaffSession } from '../../../contract/staff.ts';
import type { Clock } from '../../foundations/ports.ts';
import { ON_DUTY_MS, STAFF_IDLE_MS } from '../../foundations/time/windows.ts';

/** A connection of a page. Only its identity matters. */
export type Page = object;

export type Sessions = {
  /** The session of `page`. Null if there is none, or if it has expired. */
  readonly of: (page: Page) => StaffSession | null;
  readonly open: (page: Page, session: StaffSession, on?: 'screen' | 'phone') => void;
  /** Records activity on a page. */
  readonly touch: (page: Page) => void;
  readonly close: (page: Page) => void;
  /** Call it when the last connection of a page has ended. It closes the session, unless the page is a phone's. */
  readonly leave: (page: Page) => void;
  /** Runs a call of a page: facts recorded in it carry the page's member. */
  readonly actAs: <Result>(page: Page, call: () => Result) => Result;
  /** Ends every session of this member. */
  readonly closeAllOf: (member: string) => void;
  /** Name of the member who made the running call, otherwise of the member on duty. Null if there is none. */
  readonly onDuty: () => string | null;
  readonly endDuty: () => void;
};

/** The sessions of one device. */
export function createSessions(clock: Pick<Clock, 'monotonic'>): Sessions {
  const open = new Map<Page, { session: StaffSession; touchedAt: number; on: 'screen' | 'phone' }>();
  const acting = new AsyncLocalStorage<string | null>();
  let duty: { readonly member: string; readonly name: string; readonly at: number } | null = null;

  const fresh = (page: Page) => {
    const found = open.get(page);
    if (found === undefined) return null;
    if (clock.monotonic() - found.touchedAt < STAFF_IDLE_MS) return found;
    open.delete(page);
    return null;
  };
  const noteDuty = ({ member }: StaffSession, on: 'screen' | 'phone'): void => {
    if (member !== null && on === 'screen')
      duty = { member: member.id, name: member.name, at: clock.monotonic() };
  };

  return {
    of: (page) => fresh(page)?.session ?? null,
    open: (page, session, on = 'screen') => {
      open.set(page, { session, touchedAt: clock.monotonic(), on });
      noteDuty(session, on);
    },
    touch: (page) => {
      const found = fresh(page);
      if (found === null) return;
      found.touchedAt = clock.monotonic();
      noteDuty(found.session, found.on);
    },
    close: (page) => void open.delete(page),
    leave: (page) => {
      if (open.get(page)?.on === 'screen') open.delete(page);
    },
    actAs: (page, call) => acting.run(fresh(page)?.session.member?.name ?? null, call),
    closeAllOf: (member) => {
      for (const [page, { session }] of open) if (session.member?.id === member) open.delete(page);
      if (duty?.member === member) duty = null;
    },
    onDuty: () =>
      acting.getStore() ?? (duty !== null && clock.monotonic() - duty.at < ON_DUTY_MS ? duty.name : null),
    endDuty: () => {
      duty = null;
    },
  };
}
