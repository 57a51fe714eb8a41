/**
 * Which refused item is at fault by itself, and which only met a platform that refuses everything. Pure.
 *
 * An item is at fault when it was refused while another one was taken. A platform (or a proxy before it) in a bad mood
 * refuses one item after the other; then nothing is at fault, and what was parked before that showed is due again.
 *
 *     refused alone ► asked again ► refused alike ┬ others were taken meanwhile ► parked
 *                                                 ├ nobody else was refused     ► parked, still unproven
 *                                                 └ another one is unproven     ► everything is refused: all are due
 *
 * Invariant: an unproven item becomes due again with the next one that is taken; refused then, it is proven.
 */

export type Refusals = {
  /** Refused alone once; it is asked about once more. */
  readonly suspect: { readonly seq: number; readonly status: number } | null;
  /** Refused twice alike, with nothing taken since. */
  readonly unproven: ReadonlySet<number>;
  /** Refused within a batch, with nothing taken since. */
  readonly together: ReadonlySet<number>;
  /** Refused before another one was taken: the next refusal is its own fault. */
  readonly proven: ReadonlySet<number>;
};

export const NO_REFUSALS: Refusals = {
  suspect: null,
  unproven: new Set(),
  together: new Set(),
  proven: new Set(),
};

/** What to do about an item that was refused alone. */
export type Ruling = 'askAgain' | 'park' | 'everythingIsRefused';

/** A batch of several was refused; smaller ones find out why. */
export function refusedTogether(refusals: Refusals, seqs: readonly number[]): Refusals {
  return { ...refusals, together: new Set([...refusals.together, ...seqs]) };
}

/** Whether a refusal of `seq` with `status` is the second one alike. */
export function isSecondRefusal({ suspect }: Refusals, seq: number, status: number): boolean {
  return suspect?.seq === seq && suspect.status === status;
}

/** An item was refused alone. `everythingIs` tells that the platform is known to refuse everything. */
export function refusedAlone(
  refusals: Refusals,
  seq: number,
  status: number,
  everythingIs: boolean,
): { readonly refusals: Refusals; readonly ruling: Ruling } {
  if (!everythingIs && !isSecondRefusal(refusals, seq, status)) {
    return { refusals: { ...refusals, suspect: { seq, status } }, ruling: 'askAgain' };
  }
  const unproven = new Set([...refusals.unproven, seq]);
  if (everythingIs || (unproven.size > 1 && !refusals.proven.has(seq))) {
    return { refusals: { ...NO_REFUSALS, unproven }, ruling: 'everythingIsRefused' };
  }
  return { refusals: { ...refusals, suspect: null, unproven }, ruling: 'park' };
}

/** The platform took `taken`. `release` lists what is due again, because it was parked without proof. */
export function somethingTaken(
  refusals: Refusals,
  taken: readonly number[],
): { readonly refusals: Refusals; readonly release: readonly number[] } {
  if (taken.length === 0) return { refusals, release: [] };
  const { unproven, together, proven } = refusals;
  const release = [...unproven].filter((seq) => !proven.has(seq));
  // Proven and refused again: parked for good.
  const waiting = [...proven].filter((seq) => !unproven.has(seq));
  const left = new Set([...waiting, ...release, ...together]);
  for (const seq of taken) left.delete(seq);
  return { refusals: { ...NO_REFUSALS, proven: left }, release };
}
