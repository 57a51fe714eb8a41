/**
 * Two parallel requests per key (docs/interface/limits.md#parallel-requests). A third is refused at once, never queued.
 *
 * Invariant: every slot is released exactly once, even if its request was aborted.
 */

/** A slot that a request holds. */
export type Slot = {
  /** Announces the release and resolves when other processes know of it. Called before the answer is sent. */
  readonly leaving: () => Promise<void>;
  /** Releases the slot; calling it again does nothing. */
  readonly release: () => void;
};

export type Semaphore = {
  /** Takes a slot of a key. Returns null if both are in use. */
  readonly take: (keyId: string) => Promise<Slot | null>;
  /** Number of slots that are in use now. */
  readonly inUse: () => number;
};

/** The semaphore of a single process. Processes that share a database need `shared-semaphore.ts`. */
export function createSemaphore(slots = 2): Semaphore {
  const taken = new Map<string, number>();
  return {
    take: (keyId) => {
      const used = taken.get(keyId) ?? 0;
      if (used >= slots) return Promise.resolve(null);
      taken.set(keyId, used + 1);
      let held = true;
      const release = (): void => {
        if (!held) return;
        held = false;
        const left = (taken.get(keyId) ?? 1) - 1;
        if (left === 0) taken.delete(keyId);
        else taken.set(keyId, left);
      };
      return Promise.resolve({ leaving: () => Promise.resolve(), release });
    },
    inUse: () => [...taken.values()].reduce((sum, used) => sum + used, 0),
  };
}
