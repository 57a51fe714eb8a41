/** The stage of an activity. Pure. */

const dayMs = 86_400_000;

/** The stage of an activity at `now`. An activity without an end time ends after twelve hours. Pure. */
export function stageOf(start: number, end: number | null, now: number): 'start' | 'began' | 'ended' {
  if (now < start) return 'start';
  return now < (end ?? start + dayMs / 2) ? 'began' : 'ended';
}
