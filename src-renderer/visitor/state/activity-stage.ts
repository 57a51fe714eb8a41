/** How far what one checks in to is. Pure. */

const dayMs = 86_400_000;

/** How far an activity is at `now`; one without an end is over with its day. Pure. */
export function stageOf(start: number, end: number | null, now: number): 'start' | 'began' | 'ended' {
  if (now < start) return 'start';
  return now < (end ?? start + dayMs / 2) ? 'began' : 'ended';
}
