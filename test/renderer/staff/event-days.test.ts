/** Follow-ups use the days of the fair, in any time zone of the laptop. */
import { expect, it } from 'vitest';
import { dayFrom } from '../../../src-renderer/staff/parts/event-days.ts';

const lateInUtc = Date.UTC(2026, 10, 22, 23, 34);

it.each([
  ['Europe/Berlin', 1, '2026-11-24'],
  ['America/New_York', 1, '2026-11-23'],
  ['Asia/Tokyo', 7, '2026-11-30'],
  ['Pacific/Kiritimati', 39, '2027-01-01'],
])('in %s, %i days later, the day is %s', (zone, days, expected) => {
  expect(dayFrom(lateInUtc, days, zone)).toBe(expected);
});

it("uses the machine's time zone if the event's is unknown", () => {
  expect(dayFrom(lateInUtc, 0, 'Mars/Olympus')).toBe(dayFrom(lateInUtc, 0, undefined));
});
