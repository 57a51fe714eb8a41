/**
 * The steps of a rehearsal by name, and what each waits for.
 *
 * Invariant: no package is imported, because the page takes these as values: zod there would run text as code once, which
 * the page's policy forbids and says aloud.
 */

/** In the order of the drill. */
export const rehearsalStepNames = [
  ...(['known', 'unknown', 'reader', 'network', 'disk', 'clock', 'kill'] as const),
] as const;

/** What a step waits for, in order; all of them make it passed. */
export const rehearsalPhases = {
  known: ['tap'],
  unknown: ['tap'],
  reader: ['gone', 'back'],
  network: ['gone', 'tap', 'back', 'delivered'],
  disk: ['refused', 'kept'],
  clock: ['noticed', 'right'],
  kill: ['back', 'ready'],
} as const;
