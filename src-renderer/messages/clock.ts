/**
 * Writes moments as the event's own clock shows them.
 *
 * Invariant: a time zone that is not one falls back to the machine's; never throws.
 */
import { useMemo } from 'react';
import { type IntlShape, useIntl } from 'react-intl';

/** Epoch milliseconds to text: the time, with the day in front when that was not today. */
export type Clock = (at: number) => string;

/** A clock in `timeZone` (IANA name) and the language of the page. */
export function useClock(timeZone: string | undefined): Clock {
  const intl = useIntl();
  return useMemo(() => createClock(intl, timeZone), [intl, timeZone]);
}

function createClock(intl: IntlShape, timeZone: string | undefined): Clock {
  const zone = timeZone && knowsZone(timeZone) ? { timeZone } : {};
  const day = (moment: number) => intl.formatDate(moment, { ...zone, dateStyle: 'short' });
  return (at) => {
    const time = intl.formatTime(at, { ...zone, timeStyle: 'short' });
    return day(at) === day(Date.now())
      ? time
      : `${intl.formatDate(at, { ...zone, weekday: 'short' })} ${time}`;
  };
}

function knowsZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
