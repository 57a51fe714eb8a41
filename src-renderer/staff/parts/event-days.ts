/**
 * Days in the event's calendar, for follow-ups.
 *
 * Invariant: a day is `YYYY-MM-DD` in the event's time zone, not in the machine's.
 */
import { knownZone } from '../../messages/clock.ts';

/** The day that is `days` after `now` (epoch ms) in `timeZone` (IANA name; default: the machine's). */
export function dayFrom(now: number, days: number, timeZone: string | undefined): string {
  // The Swedish locale formats dates as ISO 8601.
  const today = new Intl.DateTimeFormat('sv', { ...knownZone(timeZone), dateStyle: 'short' }).format(now);
  const noon = new Date(`${today}T12:00Z`);
  noon.setUTCDate(noon.getUTCDate() + days);
  return noon.toISOString().slice(0, 10);
}
