/**
 * What happened on a reader between two looks at its status word. Pure.
 *
 * Why: libuv merges notifications while the thread is busy, so two looks may have several cards between them. The
 * upper 16 bits of the status word count insertions and removals (pcsc-lite, SCardGetStatusChange; winscard keeps
 * the same count), so a jump proves what the two looks did not show.
 *
 * Invariant: a platform whose counter stands still is judged by the presence bit alone.
 */

/** One look at a reader: is a card on it, and how many insertions and removals it has counted (mod 65,536). */
export type ReaderLook = { readonly present: boolean; readonly counter: number };

/** What lies between two looks, in this order: the card left, so many came and went, a card came. */
export type ReaderChange = { readonly removed: boolean; readonly missed: number; readonly inserted: boolean };

/** pcsc-lite winscard.h and Windows winscard.h agree on these bits. */
const statePresent = 0x20;
const stateMute = 0x200;

/** More than a person can do between two looks: the counter was reset with its service. */
const mostChanges = 64;

/** Reads a status word of SCardGetStatusChange. */
export const lookOfState = (state: number): ReaderLook => ({
  present: (state & statePresent) !== 0,
  counter: (state >>> 16) & 0xffff,
});

/** True when the card is there but did not answer its reset. */
export const isMute = (state: number): boolean => (state & stateMute) !== 0;

/** Compares two looks; `before` is null for a reader never seen. */
export const changeBetween = (before: ReaderLook | null, now: ReaderLook): ReaderChange => {
  const steps = before === null ? 0 : (now.counter - before.counter) & 0xffff;
  if (before === null || steps > mostChanges) {
    return { removed: before?.present ?? false, missed: 0, inserted: now.present };
  }
  if (steps === 0) {
    return {
      removed: before.present && !now.present,
      missed: 0,
      inserted: !before.present && now.present,
    };
  }
  const insertions = before.present ? Math.floor(steps / 2) : Math.ceil(steps / 2);
  // Steps and presence can disagree by one; the presence is what a card can be read by.
  const inserted = now.present && (insertions > 0 || !before.present);
  return { removed: before.present, missed: Math.max(0, insertions - (now.present ? 1 : 0)), inserted };
};
