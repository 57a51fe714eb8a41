/**
 * The changes on a reader between two of its status words. Pure.
 *
 * libuv merges notifications while the thread is busy, so several cards may come between two status words. The upper
 * 16 bits of the status word count insertions and removals (pcsc-lite, SCardGetStatusChange; winscard keeps the same
 * count). A jump of the count reveals cards that the presence bit does not.
 *
 * Invariant: on a platform whose counter does not move, only the presence bit counts.
 */

/** The status of a reader: whether a card is on it, and its count of insertions and removals (mod 65,536). */
export type ReaderStatus = { readonly present: boolean; readonly counter: number };

/**
 * The changes between two statuses, in this order: the card left, this many came and went, a card came. `status` is
 * stored for the next comparison. Its counter includes a visible change that the daemon has not counted yet.
 */
type StatusChange = {
  readonly removed: boolean;
  readonly missed: number;
  readonly inserted: boolean;
  readonly status: ReaderStatus;
};

/** SCARD_STATE_PRESENT, the same in pcsc-lite's and Windows' winscard.h. */
const statePresent = 0x20;

/** With more changes than a person can cause between two statuses, the counter was reset together with its service. */
const maxChanges = 64;

/** Reads a status word of SCardGetStatusChange. */
export function statusOfState(state: number): ReaderStatus {
  return {
    present: (state & statePresent) !== 0,
    counter: (state >>> 16) & 0xffff,
  };
}

/**
 * Compares a status with the one of the last comparison, null for a new reader.
 *
 * pcscd shows an insertion or removal a moment before it counts it. Insertions and removals alternate, so an odd
 * count comes with a changed presence. If it does not, one count is still missing and is added here.
 */
export function changeBetween(before: ReaderStatus | null, now: ReaderStatus): StatusChange {
  if (before === null) return { removed: false, missed: 0, inserted: now.present, status: now };
  const differs = before.present !== now.present;
  const counted = (now.counter - before.counter) & 0xffff;
  // The counter is one behind ours: nothing is new, or the platform's counter does not move.
  if (counted === 0xffff) return oneStep(before, now, differs ? now : before);
  if (counted > maxChanges) {
    return { removed: before.present, missed: 0, inserted: now.present, status: now };
  }
  const steps = counted + ((counted % 2 === 1) === differs ? 0 : 1);
  const insertions = before.present ? Math.floor(steps / 2) : Math.ceil(steps / 2);
  const inserted = now.present && insertions > 0;
  return {
    removed: before.present && steps > 0,
    missed: insertions - (inserted ? 1 : 0),
    inserted,
    status: { present: now.present, counter: (before.counter + steps) & 0xffff },
  };
}

function oneStep(before: ReaderStatus, now: ReaderStatus, status: ReaderStatus): StatusChange {
  return {
    removed: before.present && !now.present,
    missed: 0,
    inserted: !before.present && now.present,
    status,
  };
}
