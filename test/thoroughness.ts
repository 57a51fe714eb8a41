/**
 * How often a test repeats what chance decides: a third of it at every change, all of it at night (`.ci/nightly`).
 *
 * Invariant: nothing is left out, there is only less of it.
 */

/** So many of `all` repetitions in this run; `TOUCHPOINT_THOROUGH=true` makes it all of them. */
export function repetitions(all: number): number {
  return process.env.TOUCHPOINT_THOROUGH === 'true' ? all : Math.ceil(all / 3);
}
