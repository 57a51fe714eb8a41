/**
 * Whether somebody of the stand team is signed in on this page, and what opens and locks it.
 *
 * Invariants: a visitor's outcome locks the page at once (docs/laws.md#law-7): what comes next on this screen may be read
 * by the visitor; what somebody was typing is saved first; a staff badge opens it again, at the visitor who tapped last;
 * nothing of it outlives the page.
 */
import type { StaffState } from '../../../src-main/contract/staff.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';

export type EntrySnapshot = {
  /** Null until the device has said how it stands. */
  readonly state: StaffState | null;
  /** Time in `now` until which no PIN is looked at. */
  readonly waitUntil: number;
};

export type Entry = {
  readonly snapshot: () => EntrySnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Every tap event of the device, as it comes. */
  readonly hearTap: (event: TapEvent) => void;
  /** Saves what is being typed, ends the session and goes back to the display; `off`: and nobody is at work any more. */
  readonly lock: (off?: boolean) => void;
  /** Somebody is at the page. */
  readonly touch: () => void;
  /** `save` runs before the page is locked. Returns the way to forget it. */
  readonly saveFirst: (save: () => Promise<unknown>) => () => void;
  /** The lead of the visitor who tapped last, once and only while that is recent. */
  readonly takeLastVisitor: () => string | null;
  /** Milliseconds left until a PIN is looked at again. */
  readonly waitLeft: () => number;
};

type EntryPorts = {
  readonly link: Link;
  readonly now: () => number;
  /** Opens the staff pages, and leaves them. */
  readonly open: () => void;
  readonly leave: () => void;
};

/** What a visitor has on the screen after these. */
const visitorsOutcomes: ReadonlySet<TapEvent['kind']> = new Set([
  ...(['captured', 'notAdmitted', 'notRead', 'refused', 'failed'] as const),
]);

/** Follows the entry of the device behind `link`. */
export function followEntry({ link, now, open, leave }: EntryPorts): Entry {
  const listeners = new Set<() => void>();
  const saves = new Set<() => Promise<unknown>>();
  let snapshot: EntrySnapshot = { state: null, waitUntil: 0 };
  let lastVisitor: { readonly lead: string; readonly at: number } | null = null;
  let touchedAt = Number.NEGATIVE_INFINITY;

  const tell = (state: StaffState | null): void => {
    snapshot = { state, waitUntil: now() + (state?.waitMs ?? 0) };
    for (const listener of [...listeners]) listener();
  };
  link.follow(
    (client, signal) => client.staff.watch(undefined, { signal }),
    (state) => tell(state),
  );
  // A lost link has ended the session on the device; its words come when it is back.
  link.subscribe(() => {
    if (link.state() !== 'up' && snapshot.state !== null) tell({ ...snapshot.state, session: null });
  });

  const isOpen = () => snapshot.state?.session != null;
  const lock = async (off: boolean): Promise<void> => {
    await Promise.allSettled([...saves].map((save) => save()));
    await link.call((client, signal) => client.staff.lock({ off }, { signal }));
  };
  const leaveLocked = (off = false): void => {
    // The device locks by itself when it cannot be told: its session ends with the link.
    if (isOpen()) lock(off).catch(() => undefined);
    leave();
    // Whoever asks for the pages while the device is still being told finds them closed.
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
            // Whoever tapped sees that nothing opened, and taps again.
            () => undefined,
          );
      }
      if (visitorsOutcomes.has(event.kind) && isOpen()) leaveLocked();
    },
    lock: leaveLocked,
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
