/**
 * The changes on a reader between two of its status words. Pure.
 *
 * libuv merges notifications while the thread is busy, so several cards may come between two status words. The upper
 * 16 bits of the status word count insertions and removals (pcsc-lite, SCardGetStatusChange; winscard keeps the same
 * count). If the count grows by more than one, cards came and left without a change of the presence bit.
 *
 * Invariant: on a system that does not count, only the presence bit is used.
 */

/** The status of a reader: whether a card is on it, and its count of insertions and removals (mod 65,536). */
export type ReaderStatus = { readonly present: boolean; readonly counter: number };

/**
 * The changes between two statuses, in this order: the card left, a number of cards came and left, a card came.
 * `status` is stored for the next comparison. Its counter includes a visible change that the daemon has not counted
 * yet.
 */
type StatusChange = {
  readonly removed: boolean;
  readonly missed: number;
  readonly inserted: boolean;
  readonly status: ReaderStatus;
};

/** SCARD_STATE_PRESENT, the same in pcsc-lite's and Windows' winscard.h. */
const statePresent = 0x20;

/**
 * A person cannot cause more changes than this between two statuses. More changes mean that the service restarted and
 * reset its counter.
 */
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
 * pcscd changes the presence bit a moment before it counts the insertion or removal. Insertions and removals
 * alternate, so the presence has changed exactly if the number of counted changes is odd. If the two contradict each
 * other, the last change is not counted yet, and this function adds it.
 */
export function changeBetween(before: ReaderStatus | null, now: ReaderStatus): StatusChange {
  if (before === null) return { removed: false, missed: 0, inserted: now.present, status: now };
  const differs = before.present !== now.present;
  const counted = (now.counter - before.counter) & 0xffff;
  // The counter is one behind ours: nothing is new, or the system does not count.
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
