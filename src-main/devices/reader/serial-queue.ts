/**
 * Work that must not overlap, one piece after the other.
 *
 * Invariant: a piece that fails does not keep the next one from running.
 */

export type SerialQueue = {
  readonly add: (work: () => Promise<void>) => void;
  /** Resolves when everything added by now is done. */
  readonly idle: () => Promise<void>;
};

/** An empty queue; what a piece of work throws goes to `failed`. */
export function createSerialQueue(failed: (error: unknown) => void): SerialQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    add: (work) => {
      last = last.then(work).catch(failed);
    },
    idle: () => last,
  };
}
