/**
 * Whether an event uses a 12-hour or a 24-hour clock.
 *
 * Invariants:
 * - The event's region decides (from its time zone, by CLDR), then the region of the device's languages.
 * - A language without a region is ignored, because plain English would mean the United States.
 * - Never throws.
 */

/** Hour cycles: `h12`, `h23` and the others of ECMA-402. */
export type HourCycle = NonNullable<Intl.DateTimeFormatOptions['hourCycle']>;

/** Locale information that is newer than TypeScript's types and than some browsers. */
type RegionalLocale = Intl.Locale & {
  readonly getTimeZones?: () => readonly string[] | undefined;
  readonly getHourCycles?: () => readonly HourCycle[];
};

/**
 * The hour cycle at `timeZone` (IANA name) for a device with these languages (BCP 47, in order of preference).
 * Searches all regions, which takes a tenth of a second: call it once.
 */
export function hourCycleAt(timeZone: string | undefined, deviceLanguages: readonly string[]): HourCycle {
  const region = (timeZone && regionOfZone(timeZone)) ?? regionOfLanguages(deviceLanguages);
  return region === null ? 'h23' : hourCycleOf(region);
}

function hourCycleOf(region: string): HourCycle {
  return localeOf(region).getHourCycles?.()[0] ?? 'h23';
}

function localeOf(region: string): RegionalLocale {
  return new Intl.Locale(`und-${region}`);
}

function regionOfLanguages(languages: readonly string[]): string | null {
  for (const language of languages) {
    try {
      const { region } = new Intl.Locale(language);
      if (region !== undefined) return region;
    } catch {
      // An invalid tag has no region.
    }
  }
  return null;
}

/** The region of this zone as a two-letter code; null for zones without a region, such as UTC. */
function regionOfZone(timeZone: string): string | null {
  const zone = canonicalZone(timeZone);
  return zone === null
    ? null
    : (regions().find((region) => localeOf(region).getTimeZones?.()?.includes(zone)) ?? null);
}

function canonicalZone(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** All two-letter codes that name a region. */
function regions(): readonly string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined);
}
