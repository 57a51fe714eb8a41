/**
 * What happened on a reader between two of its status words. Pure.
 *
 * Why: libuv merges notifications while the thread is busy, so several cards may lie between two status words. The
 * upper 16 bits of the status word count insertions and removals (pcsc-lite, SCardGetStatusChange; winscard keeps
 * the same count), so a jump proves what presence alone did not show.
 *
 * Invariant: a platform whose counter stands still is judged by the presence bit alone.
 */

/** The status of a reader: is a card on it, and how many insertions and removals it has counted (mod 65,536). */
export type ReaderStatus = { readonly present: boolean; readonly counter: number };

/**
 * What lies between two statuses, in this order: the card left, so many came and went, a card came. `status` is to be
 * kept for the next comparison: its counter holds what is shown, also where the daemon has not counted it yet.
 */
export type StatusChange = {
  readonly removed: boolean;
  readonly missed: number;
  readonly inserted: boolean;
  readonly status: ReaderStatus;
};

/** SCARD_STATE_PRESENT, the same in pcsc-lite's and Windows' winscard.h. */
const statePresent = 0x20;

/** More than a person can do between two statuses: the counter was reset with its service. */
const maxChanges = 64;

/** Reads a status word of SCardGetStatusChange. */
export function statusOfState(state: number): ReaderStatus {
  return {
    present: (state & statePresent) !== 0,
    counter: (state >>> 16) & 0xffff,
  };
}

/**
 * Compares a status with the one kept from the last comparison, null for a reader never seen.
 *
 * pcscd shows a card's coming or going a moment before it counts it. Comings and goings alternate, so an odd count
 * belongs to a changed presence; where it does not, one count is still to come and is counted here already.
 */
export function changeBetween(before: ReaderStatus | null, now: ReaderStatus): StatusChange {
  if (before === null) return { removed: false, missed: 0, inserted: now.present, status: now };
  const differs = before.present !== now.present;
  const counted = (now.counter - before.counter) & 0xffff;
  // One count behind what we counted already: nothing new, or a platform whose counter stands still.
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
