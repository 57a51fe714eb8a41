/** Whether times have 12 or 24 hours: by the place of the fair, or else by the languages of the device. */
import { expect, it } from 'vitest';
import { hourCycleAt } from '../../../src-renderer/messages/hour-cycle.ts';

it.each([
  ['Europe/Berlin', ['en-US'], 'h23'],
  ['Europe/London', ['en'], 'h23'],
  ['America/New_York', ['de-DE'], 'h12'],
  ['Asia/Kolkata', ['en-GB'], 'h12'],
] as const)(
  'a fair in %s uses the local hour format, whatever the language of the device',
  (zone, languages, cycle) => {
    expect(hourCycleAt(zone, languages)).toBe(cycle);
  },
);

it.each([
  ['UTC', ['en', 'en-US'], 'h12'],
  ['UTC', ['en-GB', 'en-US'], 'h23'],
  ['Nowhere/Land', ['not a language', 'en-AU'], 'h12'],
  [undefined, ['de-DE'], 'h23'],
] as const)(
  'a fair without a region (%s) uses the hour format of a device in %j',
  (zone, languages, cycle) => {
    expect(hourCycleAt(zone, languages)).toBe(cycle);
  },
);

it('the language English without a region does not select American times', () => {
  expect(hourCycleAt('UTC', ['en'])).toBe('h23');
});
