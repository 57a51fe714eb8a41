/**
 * Decides whether a refused item itself is at fault, or the platform refuses everything. Pure.
 *
 * An item is at fault when it was refused while another one was accepted. A platform (or a proxy in front of it) may
 * refuse one item after the other. Then no item is at fault, and items that were parked before become due again.
 *
 *     refused alone ► retried ► refused again ┬ others were accepted meanwhile ► parked
 *                                             ├ no other item was refused      ► parked, still unproven
 *                                             └ another one is unproven        ► everything is refused: all are due
 *
 * Invariant: an unproven item becomes due again when the platform accepts another item. If it is refused after that,
 * it is proven.
 */

export type Refusals = {
  /** Refused alone once, and retried next. */
  readonly suspect: { readonly seq: number; readonly status: number } | null;
  /** Refused twice in the same way, with nothing accepted since. */
  readonly unproven: ReadonlySet<number>;
  /** Refused within a batch, with nothing accepted since. */
  readonly together: ReadonlySet<number>;
  /** Refused before another one was accepted. The next refusal proves that this item is at fault. */
  readonly proven: ReadonlySet<number>;
};

export const NO_REFUSALS: Refusals = {
  suspect: null,
  unproven: new Set(),
  together: new Set(),
  proven: new Set(),
};

/** What to do with an item that was refused alone. */
export type Ruling = 'askAgain' | 'park' | 'everythingIsRefused';

/** A batch of several items was refused. Smaller batches find the cause. */
export function refusedTogether(refusals: Refusals, seqs: readonly number[]): Refusals {
  return { ...refusals, together: new Set([...refusals.together, ...seqs]) };
}

/** Whether a refusal of `seq` with `status` is the second one in the same way. */
export function isSecondRefusal({ suspect }: Refusals, seq: number, status: number): boolean {
  return suspect?.seq === seq && suspect.status === status;
}

/** An item was refused alone. `everythingIs`: the platform is known to refuse everything. */
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

/**
 * The platform accepted `taken`. `release` lists the items that are due again because they were parked without proof.
 */
export function somethingTaken(
  refusals: Refusals,
  taken: readonly number[],
): { readonly refusals: Refusals; readonly release: readonly number[] } {
  if (taken.length === 0) return { refusals, release: [] };
  const { unproven, together, proven } = refusals;
  const release = [...unproven].filter((seq) => !proven.has(seq));
  // A proven item that was refused again is in `unproven` too, and stays parked.
  const waiting = [...proven].filter((seq) => !unproven.has(seq));
  const left = new Set([...waiting, ...release, ...together]);
  for (const seq of taken) left.delete(seq);
  return { refusals: { ...NO_REFUSALS, proven: left }, release };
}
