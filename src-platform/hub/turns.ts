/**
 * Who takes the snapshot now: so many at once, the others wait.
 *
 * Invariants: who has a turn keeps it while it goes on asking; a turn that nobody uses any more ends by itself.
 */
export type Turns = {
  /** Takes or keeps a turn; false when all are taken. */
  readonly enter: (who: string) => boolean;
  /** Gives it back. */
  readonly leave: (who: string) => void;
};

/** `most` turns, each for `idleMs` after it was last used; `now` in milliseconds. */
export function createTurns(most: number, idleMs: number, now: () => number): Turns {
  const used = new Map<string, number>();
  return {
    enter: (who) => {
      const at = now();
      for (const [one, last] of used) if (at - last > idleMs) used.delete(one);
      if (!used.has(who) && used.size >= most) return false;
      used.set(who, at);
      return true;
    },
    leave: (who) => void used.delete(who),
  };
}
