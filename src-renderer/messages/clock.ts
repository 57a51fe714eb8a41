/**
 * Formats moments in the time zone of the event.
 *
 * Invariants:
 * - An unknown time zone falls back to the machine's.
 * - The hour cycle is that of the event's region, in every language.
 * - A moment that `Date` cannot represent is shown as a number.
 */
import { createContext, useContext, useMemo } from 'react';
import { type IntlShape, useIntl } from 'react-intl';
import type { HourCycle } from './hour-cycle.ts';

/** Converts epoch milliseconds to text: the time, with the weekday before it if the moment is not today. */
export type Clock = (at: number) => string;

/** The largest valid time value in milliseconds (ECMA-262). */
const LAST_MOMENT = 8.64e15;

/** The hour cycle of this page. */
export const HourCycleContext = createContext<HourCycle>('h23');

/** A clock in `timeZone` (IANA name) and the language of the page. */
export function useClock(timeZone: string | undefined): Clock {
  const intl = useIntl();
  const hourCycle = useContext(HourCycleContext);
  return useMemo(() => createClock(intl, timeZone, hourCycle), [intl, timeZone, hourCycle]);
}

/** The same clock for printed pages, always with the full date. */
export function useDatedClock(timeZone: string | undefined): Clock {
  const intl = useIntl();
  const hourCycle = useContext(HourCycleContext);
  return useMemo(() => createDatedClock(intl, timeZone, hourCycle), [intl, timeZone, hourCycle]);
}

/** A clock with the full date in `timeZone` and the language of `intl`. */
export function createDatedClock(intl: IntlShape, timeZone: string | undefined, hourCycle: HourCycle): Clock {
  const zone = knownZone(timeZone);
  const day = new Intl.DateTimeFormat(dayLocale(intl.locale, hourCycle), { ...zone, dateStyle: 'long' });
  return (at) =>
    isMoment(at)
      ? `${day.format(at)}, ${intl.formatTime(at, { ...zone, hourCycle, timeStyle: 'short' })}`
      : String(at);
}

/** A clock in `timeZone` and the language of `intl`. */
export function createClock(intl: IntlShape, timeZone: string | undefined, hourCycle: HourCycle): Clock {
  let formats: ReturnType<typeof clockFormats> | null = null;
  return (at) => {
    if (!isMoment(at)) return String(at);
    formats ??= clockFormats(intl.locale, timeZone, hourCycle);
    const { day, weekday, time } = formats;
    return day.format(at) === day.format(Date.now())
      ? time.format(at)
      : `${weekday.format(at)} ${time.format(at)}`;
  };
}

/**
 * The formats of a clock. A clock creates them once, for the first moment that it formats: looking up a format by its
 * options takes longer than formatting, and most results of a tap show no time.
 */
function clockFormats(locale: string, timeZone: string | undefined, hourCycle: HourCycle) {
  const zone = knownZone(timeZone);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...zone, ...options });
  return {
    day: format({ dateStyle: 'short' }),
    weekday: format({ weekday: 'short' }),
    time: format({ hourCycle, timeStyle: 'short' }),
  };
}

/** Whether `Date` can represent `at`. NaN is no moment. */
function isMoment(at: number): boolean {
  return Math.abs(at) <= LAST_MOMENT;
}

/** The locale for dates. Plain `en` would put the month first, which only fits a 12-hour region. */
export function dayLocale(language: string, hourCycle: HourCycle): string {
  return language === 'en' && (hourCycle === 'h23' || hourCycle === 'h24') ? 'en-GB' : language;
}

/** Options for a format in `timeZone`; empty if the zone is unknown. */
export function knownZone(timeZone: string | undefined): { readonly timeZone?: string } {
  return timeZone && knowsZone(timeZone) ? { timeZone } : {};
}

function knowsZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
