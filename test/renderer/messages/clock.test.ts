/** Moments in the time zone of the event. */
import { createIntl } from 'react-intl';
import { expect, it } from 'vitest';
import { createClock, createDatedClock } from '../../../src-renderer/messages/clock.ts';

const intl = createIntl({ locale: 'en', messages: {} });

it.each([
  ['the clock', createClock(intl, 'Europe/Berlin', 'h23'), 'Sat 12:30'],
  ['the clock with the date', createDatedClock(intl, 'Europe/Berlin', 'h23'), '28 November 2015, 12:30'],
])(
  '%s shows a moment in the time zone, and as a number what no date can represent',
  (_name, clock, shown) => {
    expect(clock(Date.UTC(2015, 10, 28, 11, 30))).toBe(shown);
    expect([8.64e15 + 1, -8.64e15 - 1, Number.NaN].map(clock)).toEqual([
      '8640000000000001',
      '-8640000000000001',
      'NaN',
    ]);
  },
);
