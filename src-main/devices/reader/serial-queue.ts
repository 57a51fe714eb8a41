/**
 * Runs tasks one after the other.
 *
 * Invariant: a failed task does not stop the next one.
 */

export type SerialQueue = {
  readonly add: (work: () => Promise<void>) => void;
  /** Resolves when every task added so far is done. */
  readonly idle: () => Promise<void>;
};

/** An empty queue. The error of a task is passed to `failed`. */
export function createSerialQueue(failed: (error: unknown) => void): SerialQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    add: (work) => {
      last = last.then(work).catch(failed);
    },
    idle: () => last,
  };
}
