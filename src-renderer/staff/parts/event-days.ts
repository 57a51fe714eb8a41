/**
 * Days as the event's calendar counts them, for follow-ups.
 *
 * Invariant: a day is `YYYY-MM-DD` where the fair is, wherever the machine believes to be.
 */
import { knownZone } from '../../messages/clock.ts';

/** The day that is `days` after `now` (epoch ms) in `timeZone` (IANA name; without one: the machine's). */
export function dayFrom(now: number, days: number, timeZone: string | undefined): string {
  // Swedish writes days as ISO 8601 does.
  const today = new Intl.DateTimeFormat('sv', { ...knownZone(timeZone), dateStyle: 'short' }).format(now);
  const noon = new Date(`${today}T12:00Z`);
  noon.setUTCDate(noon.getUTCDate() + days);
  return noon.toISOString().slice(0, 10);
}
