/**
 * The lane to the platform: a few slots shared by every caller of a key, uploads first.
 *
 * Invariants: never more than `slots` at once (law 5); a slot is free again when its work settles, however it
 * settles; among waiting work uploads go first, then first come, first served.
 */

export type Urgency = 'upload' | 'download';

export type Lane = {
  /** Runs `work` as soon as a slot is free. Rejects with the signal's reason when it aborts before that. */
  readonly run: <T>(urgency: Urgency, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
};

type Waiting = { readonly urgency: Urgency; readonly enter: () => void };

/** A lane of `slots` slots (the API document allows two requests in parallel per key). */
export const createLane = (slots: number): Lane => {
  let inside = 0;
  const waiting: Waiting[] = [];

  const next = (): void => {
    if (inside >= slots || waiting.length === 0) return;
    const upload = waiting.findIndex((entry) => entry.urgency === 'upload');
    const [entry] = waiting.splice(Math.max(0, upload), 1);
    inside += 1;
    entry?.enter();
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
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      };
      if (signal?.aborted === true) {
        reject(new DOMException('aborted', 'AbortError'));
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
        next();
      }
    },
  };
};
