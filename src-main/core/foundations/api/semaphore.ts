/**
 * The semaphore for requests to the platform: a few slots shared by every caller of a key, uploads first.
 *
 * Invariants:
 * - Never more than `slots` at the same time (docs/laws.md#law-5).
 * - A slot becomes free when its work settles, with any result.
 * - Uploads precede downloads. Within each, the order is first come, first served.
 * - After fifteen uploads in a row a waiting download runs, so that a long backlog does not starve the mirror.
 */

export type Urgency = 'upload' | 'download';

type Semaphore = {
  /** Runs `work` as soon as a slot is free. Rejects with the signal's reason when it aborts before that. */
  readonly run: <T>(urgency: Urgency, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
};

/** Number of uploads in a row before a waiting download runs: the mirror gets one request in sixteen. */
const IN_A_ROW = 15;

type Waiting = { readonly urgency: Urgency; readonly enter: () => void };

/**
 * A semaphore of `slots` slots (docs/interface/limits.md#parallel-requests allows two requests in parallel per key).
 */
export function createSemaphore(slots: number): Semaphore {
  let inside = 0;
  let uploadsInARow = 0;
  const waiting: Waiting[] = [];

  /** Index of the work that runs next. */
  const pick = (): number => {
    const upload = waiting.findIndex((entry) => entry.urgency === 'upload');
    const download = waiting.findIndex((entry) => entry.urgency === 'download');
    if (download === -1 || upload === -1) return Math.max(upload, download);
    return uploadsInARow >= IN_A_ROW ? download : upload;
  };

  const next = (): void => {
    if (inside >= slots || waiting.length === 0) return;
    const [entry] = waiting.splice(pick(), 1);
    if (entry === undefined) return;
    inside += 1;
    uploadsInARow = entry.urgency === 'upload' ? uploadsInARow + 1 : 0;
    entry.enter();
  };

  const enter = (urgency: Urgency, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        urgency,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(reasonOf(signal));
      };
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      next();
    });

  return {
    run: async (urgency, work, signal) => {
      await enter(urgency, signal);
      try {
        return await work();
      } finally {
        inside -= 1;
        // Assigns the slot after the caller's continuations have run. In them, a caller that sends several batches
        // requests its next slot. If the slot were assigned earlier, a download would always get it.
        process.nextTick(next);
      }
    },
  };
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError');
}
