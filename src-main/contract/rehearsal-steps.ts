/**
 * The steps of a rehearsal by name, and their phases.
 *
 * Invariant: imports no package, because the page uses these values. zod would evaluate text as code there, which the
 * page's content security policy forbids and reports.
 */

/** In the order of the rehearsal. */
export const rehearsalStepNames = [
  ...(['known', 'unknown', 'reader', 'network', 'disk', 'clock', 'kill'] as const),
] as const;

/** The phases of a step in order. A step passes after all of them. */
export const rehearsalPhases = {
  known: ['tap'],
  unknown: ['tap'],
  reader: ['gone', 'back'],
  network: ['gone', 'tap', 'back', 'delivered'],
  disk: ['refused', 'kept'],
  clock: ['noticed', 'right'],
  kill: ['back', 'ready'],
} as const;
