/**
 * How far the gallery is, for whoever waits for it. Pure.
 *
 * Invariant: the time left is told only once there is something to reckon it from.
 */

/** One line: `done` of `total` pictures, or `what`, after `elapsedMs`, the time left in minutes or seconds, the latest. */
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
