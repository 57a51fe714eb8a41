/**
 * Whether a fair counts its hours to 12 or to 24.
 *
 * Invariants: where the fair is decides (its time zone names the region, by CLDR), then the region of the device's
 * languages; a language without a region decides nothing, since English alone would count as in the United States;
 * never throws.
 */

/** How hours are written: `h12`, `h23` and their kin (ECMA-402). */
export type HourCycle = NonNullable<Intl.DateTimeFormatOptions['hourCycle']>;

/** What a locale knows of its region is younger than TypeScript's description of it, and than some browsers. */
type RegionalLocale = Intl.Locale & {
  readonly getTimeZones?: () => readonly string[] | undefined;
  readonly getHourCycles?: () => readonly HourCycle[];
};

/**
 * The hour cycle at `timeZone` (IANA name), seen from a device with these languages (BCP 47, best first). Looks through
 * all regions, which takes a tenth of a second: ask once.
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
      // A tag that is none names no region.
    }
  }
  return null;
}

/** The region with this zone, as a code of two letters; null for zones of no region, such as UTC. */
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

/** All codes of two letters that name a region. */
function regions(): readonly string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined);
}
