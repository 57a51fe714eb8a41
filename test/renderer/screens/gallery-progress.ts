/**
 * The progress of the gallery. Pure.
 *
 * Invariant: the remaining time appears only when there is something from which to estimate it.
 */

/**
 * One line: `done` of `total` pictures (or `what`) after `elapsedMs`, the remaining time in minutes or seconds, and
 * the last picture.
 */
export function progressLine(
  done: number,
  total: number,
  elapsedMs: number,
  latest: string,
  what = 'pictures',
): string {
  const counted = `${done} of ${total} ${what}`;
  if (done === 0) return counted;
  const left = (elapsedMs / done) * (total - done);
  return `${counted}, ${durationOf(left)} left (${latest})`;
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}
