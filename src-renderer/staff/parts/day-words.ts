/**
 * A date in the language of the page.
 *
 * Invariants:
 * - The year appears only if it is not the current one.
 * - An invalid date is shown as it is.
 */
import { useCallback, useContext } from 'react';
import { useIntl } from 'react-intl';
import { dayLocale, HourCycleContext } from '../../messages/clock.ts';

/** Text for a day `YYYY-MM-DD`, e.g. `Mon, 23 Nov`. */
export function useDayWords(): (day: string) => string {
  const { locale } = useIntl();
  const days = dayLocale(locale, useContext(HourCycleContext));
  return useCallback(
    (day) => {
      const noon = new Date(`${day}T12:00`);
      if (Number.isNaN(noon.getTime())) return day;
      const isOther = noon.getFullYear() !== new Date().getFullYear();
      const year = isOther ? ({ year: 'numeric' } as const) : {};
      return noon.toLocaleDateString(days, { weekday: 'short', day: 'numeric', month: 'short', ...year });
    },
    [days],
  );
}
