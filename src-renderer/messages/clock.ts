/**
 * Writes moments as the event's own clock shows them.
 *
 * Invariants: a time zone that is not one falls back to the machine's; hours are counted as where the fair is, in every
 * language; never throws.
 */
import { createContext, useContext, useMemo } from 'react';
import { type IntlShape, useIntl } from 'react-intl';
import type { HourCycle } from './hour-cycle.ts';

/** Epoch milliseconds to text: the time, with the day in front when that was not today. */
export type Clock = (at: number) => string;

/** As far from 1970 as a moment can be (ECMA-262, time range). */
const LAST_MOMENT = 8.64e15;

/** How hours are counted on this page. */
export const HourCycleContext = createContext<HourCycle>('h23');

/** A clock in `timeZone` (IANA name) and the language of the page. */
export function useClock(timeZone: string | undefined): Clock {
  const intl = useIntl();
  const hourCycle = useContext(HourCycleContext);
  return useMemo(() => createClock(intl, timeZone, hourCycle), [intl, timeZone, hourCycle]);
}

/** The same clock for what is kept on paper: always with the whole day. */
export function useDatedClock(timeZone: string | undefined): Clock {
  const intl = useIntl();
  const hourCycle = useContext(HourCycleContext);
  return useMemo(() => {
    const zone = knownZone(timeZone);
    const day = new Intl.DateTimeFormat(dayLocale(intl.locale, hourCycle), { ...zone, dateStyle: 'long' });
    return (at) => `${day.format(at)}, ${intl.formatTime(at, { ...zone, hourCycle, timeStyle: 'short' })}`;
  }, [intl, timeZone, hourCycle]);
}

/** A clock in `timeZone` and the language of `intl`. */
export function createClock(intl: IntlShape, timeZone: string | undefined, hourCycle: HourCycle): Clock {
  const zone = knownZone(timeZone);
  // Made once: to look a format up by its options takes longer than to write a moment with it.
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intl.locale, { ...zone, ...options });
  const day = format({ dateStyle: 'short' });
  const weekday = format({ weekday: 'short' });
  const time = format({ hourCycle, timeStyle: 'short' });
  return (at) => {
    if (Math.abs(at) > LAST_MOMENT) return String(at);
    return day.format(at) === day.format(Date.now())
      ? time.format(at)
      : `${weekday.format(at)} ${time.format(at)}`;
  };
}

/**
 * The locale that days are written in: English alone would put the month first, as only where hours count to twelve.
 */
export function dayLocale(language: string, hourCycle: HourCycle): string {
  return language === 'en' && (hourCycle === 'h23' || hourCycle === 'h24') ? 'en-GB' : language;
}

/** Options for a format in `timeZone`; none where it is no zone that is known here. */
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
