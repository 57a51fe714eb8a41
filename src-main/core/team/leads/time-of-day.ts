/**
 * Day and hour of a time in the event's time zone.
 *
 * Invariant: within a quarter of an hour, day and hour are the same in every time zone. So they are computed once per
 * quarter.
 */

/** Day (`YYYY-MM-DD`) and hour (0 to 23) of Unix milliseconds. */
export type DayAndHour = (at: number) => { readonly day: string; readonly hour: number };

const QUARTER_MS = 900_000;

/** Days and hours of a time zone. An unknown zone counts as UTC. */
export function createDayAndHour(timezone: string): DayAndHour {
  const format = formatOf(timezone) ?? formatOf('UTC');
  const known = new Map<number, ReturnType<DayAndHour>>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    const found = known.get(quarter) ?? partsOf(format, quarter * QUARTER_MS);
    known.set(quarter, found);
    return found;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...fields, hourCycle: 'h23', timeZone });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function partsOf(format: Intl.DateTimeFormat | null, at: number): ReturnType<DayAndHour> {
  const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) };
}
