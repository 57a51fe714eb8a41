/**
 * The sign-in state of this page: signs team members in, and locks the page.
 *
 * Invariants:
 * - A visitor's outcome locks the page at once (docs/laws.md#law-7), because the visitor can read the screen.
 * - Unsaved typing is saved before the lock.
 * - A staff badge unlocks the page and shows the visitor who tapped last.
 * - No state survives the closing of the page.
 * - On a team phone the session survives a lost link. A lock without a link takes effect when the link is back.
 */
import type { StaffState } from '../../../src-main/contract/staff.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';
import { createUnsent, type Unsent } from './unsent.ts';

export type EntrySnapshot = {
  /** Null until the device has reported the state. */
  readonly state: StaffState | null;
  /** Time on the clock of `now` until which no PIN is accepted. */
  readonly waitUntil: number;
};

export type Entry = {
  readonly snapshot: () => EntrySnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Receives every tap event of the device. */
  readonly hearTap: (event: TapEvent) => void;
  /** Saves unsaved typing, ends the session and returns to the display. `off` also ends the shift. */
  readonly lock: (off?: boolean) => void;
  /** Reports activity on the page. */
  readonly touch: () => void;
  /** Registers `save`, which runs before the page locks. Returns the function that unregisters it. */
  readonly saveFirst: (save: () => Promise<unknown>) => () => void;
  /** The lead of the visitor who tapped last. It is returned once, while it is recent. */
  readonly takeLastVisitor: () => string | null;
  /** On a phone: edits that the device has not confirmed. Null elsewhere. */
  readonly unsent: Unsent | null;
  /** Milliseconds until the next PIN is accepted. */
  readonly waitLeft: () => number;
};

type EntryPorts = {
  readonly link: Link;
  readonly now: () => number;
  readonly isPhone: boolean;
  /** Opens and leaves the staff pages. */
  readonly open: () => void;
  readonly leave: () => void;
};

/** Events that open a screen for a visitor. */
const visitorsOutcomes: ReadonlySet<TapEvent['kind']> = new Set([
  ...(['captured', 'notAdmitted', 'notRead', 'refused', 'failed'] as const),
]);

/** Follows the sign-in state of the device behind `link`. */
export function followEntry({ link, now, isPhone, open, leave }: EntryPorts): Entry {
  const listeners = new Set<() => void>();
  const saves = new Set<() => Promise<unknown>>();
  let snapshot: EntrySnapshot = { state: null, waitUntil: 0 };
  let lastVisitor: { readonly lead: string; readonly at: number } | null = null;
  /** A lock that could not be sent yet. */
  let owesLock = false;
  let touchedAt = Number.NEGATIVE_INFINITY;

  const tell = (state: StaffState | null): void => {
    snapshot = { state, waitUntil: now() + (state?.waitMs ?? 0) };
    for (const listener of [...listeners]) listener();
  };
  link.follow(
    (client, signal) => client.staff.watch(undefined, { signal }),
    (state) => {
      if (!owesLock || state.session === null) {
        owesLock = false;
        return tell(state);
      }
      tell({ ...state, session: null });
      sendLock(false).catch(() => undefined);
    },
  );
  // A lost link has ended the session on the device; the state follows when the link is back.
  link.subscribe(() => {
    if (link.state() !== 'up' && !isPhone && snapshot.state !== null)
      tell({ ...snapshot.state, session: null });
  });

  const isOpen = () => snapshot.state?.session != null;
  const sendLock = async (off: boolean): Promise<void> => {
    owesLock = isPhone;
    await link.call((client, signal) => client.staff.lock({ off }, { signal }));
  };
  const lock = async (off: boolean): Promise<void> => {
    await Promise.allSettled([...saves].map((save) => save()));
    await sendLock(off);
  };
  const leaveLocked = (off = false): void => {
    // If the call fails, the device still locks, because its session ends with the link.
    if (isOpen()) lock(off).catch(() => undefined);
    leave();
    // A request to open the pages during this call finds them locked.
    if (snapshot.state !== null && isOpen()) tell({ ...snapshot.state, session: null });
  };

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    hearTap: (event) => {
      if (event.kind === 'captured') lastVisitor = { lead: event.leadId, at: now() };
      if (event.kind === 'staff' && event.ticket !== null) {
        const { ticket } = event;
        link
          .call((client, signal) => client.staff.redeem({ ticket }, { signal }))
          .then(
            (answer) => answer.in && open(),
            // No page opens. The member of staff must tap again.
            () => undefined,
          );
      }
      if (visitorsOutcomes.has(event.kind) && isOpen()) leaveLocked();
    },
    lock: leaveLocked,
    unsent: isPhone ? createUnsent() : null,
    touch: () => {
      if (!isOpen() || now() - touchedAt < staffTimes.touch) return;
      touchedAt = now();
      link.call((client, signal) => client.staff.touch(undefined, { signal })).catch(() => undefined);
    },
    saveFirst: (save) => {
      saves.add(save);
      return () => {
        saves.delete(save);
      };
    },
    takeLastVisitor: () => {
      const found = lastVisitor;
      lastVisitor = null;
      return found && now() - found.at < staffTimes.lastVisitor ? found.lead : null;
    },
    waitLeft: () => Math.max(0, snapshot.waitUntil - now()),
  };
}
