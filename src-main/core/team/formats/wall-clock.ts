/**
 * The local time of the event: times as files show them, in its time zone.
 *
 * Invariants:
 * - Always 24 hours and the order year, month, day, in every language.
 * - An invalid time zone counts as UTC, and the clock's `zone` is UTC.
 * - The text of a minute is cached: many visits of a fair share the same minutes, and formatting is slow.
 */

export type WallClock = {
  /** Time zone of the clock (IANA name), for the header of a column. */
  readonly zone: string;
  /** Unix milliseconds as `2026-11-22 17:05`. */
  readonly time: (at: number) => string;
  /** Unix milliseconds as `2026-11-22`. */
  readonly day: (at: number) => string;
  /**
   * Unix milliseconds of a day and a time of day. Follows RFC 5545, section 3.3.5, around a change of the clocks: the
   * first of two equal times counts, and a time that does not exist uses the offset before the change.
   */
  readonly instant: (day: string, time: string) => number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Maximum number of formatted texts that a clock caches. */
const MOST_KEPT = 20_000;

/** The clock of a time zone. `timezone`: its IANA name, or null if it is unknown. */
export function createWallClock(timezone: string | null): WallClock {
  const format = formatOf(timezone ?? 'UTC') ?? formatOf('UTC');
  const kept = new Map<number, string>();
  const time = (at: number): string => {
    const minute = Math.floor(at / MINUTE_MS);
    const known = kept.get(minute);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const text = textOf(at);
    kept.set(minute, text);
    return text;
  };
  const textOf = (at: number): string => {
    const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
    return `${day} ${part('hour')}:${part('minute')}`;
  };
  const wallOf = (at: number): number => Date.parse(`${textOf(at).replace(' ', 'T')}:00Z`);
  const instant = (day: string, timeOfDay: string): number => {
    const wanted = Date.parse(`${day}T${timeOfDay}:00Z`);
    const before = wanted - (wallOf(wanted - DAY_MS) - (wanted - DAY_MS));
    const after = wanted - (wallOf(wanted + DAY_MS) - (wanted + DAY_MS));
    return wallOf(before) !== wanted && wallOf(after) === wanted ? after : before;
  };
  return {
    instant,
    zone: format?.resolvedOptions().timeZone ?? 'UTC',
    time,
    day: (at) => time(at).slice(0, 10),
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZone });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
