/** The accepted offset of the platform's clock: an implausible `Date` header does not move the time of a fact. */
import { expect, it } from 'vitest';
import {
  createTrustedOffset,
  type EventTime,
} from '../../../../src-main/core/foundations/time/clock-trust.ts';
import { handClock } from '../../fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 9);
const FAIR: EventTime = { start: NOW - 2 * DAY, end: NOW + 2 * DAY };
const YEAR_2099 = Date.UTC(2099, 0, 1) - NOW;

const trustedWith = (event: EventTime | null = FAIR) => {
  const clock = handClock(NOW);
  const state: { offset: number | null; event: EventTime | null; set: number } = {
    offset: null,
    event,
    set: 0,
  };
  const { clockOffset, isDoubted } = createTrustedOffset(
    { now: () => clock.now() + state.set, monotonic: clock.monotonic },
    () => state.offset,
    () => state.event,
  );
  const heard = (offset: number | null) => {
    state.offset = offset;
    return { offset: clockOffset(), doubted: isDoubted() };
  };
  return { clock, state, heard };
};

it('accepts a small offset, and one that moves the time into the event', () => {
  const { heard } = trustedWith();
  expect(heard(null)).toEqual({ offset: null, doubted: false });
  expect(heard(-90_000)).toEqual({ offset: -90_000, doubted: false });
  expect(heard(26 * HOUR)).toEqual({ offset: 26 * HOUR, doubted: false });
});

it.each([YEAR_2099, -YEAR_2099, 5 * DAY])('uses our own clock if the platform is off by %i ms', (offset) => {
  const { heard } = trustedWith();
  expect(heard(offset)).toEqual({ offset: 0, doubted: true });
});

it("accepts the platform's time before the event if our own clock is no better", () => {
  const early = { start: NOW + 7 * DAY, end: NOW + 9 * DAY };
  expect(trustedWith(early).heard(-10 * 60_000)).toEqual({ offset: -10 * 60_000, doubted: false });
  expect(trustedWith(early).heard(YEAR_2099)).toEqual({ offset: 0, doubted: true });
  const { state, heard } = trustedWith(early);
  // A machine whose clock battery is empty.
  state.set = -50 * 365 * DAY;
  expect(heard(50 * 365 * DAY)).toEqual({ offset: 50 * 365 * DAY, doubted: false });
});

it('keeps the accepted offset when the platform reports another year', () => {
  const { heard } = trustedWith();
  heard(3 * HOUR);
  expect(heard(YEAR_2099)).toEqual({ offset: 3 * HOUR, doubted: true });
  expect(heard(3 * HOUR + 5_000)).toEqual({ offset: 3 * HOUR + 5_000, doubted: false });
});

it('accepts an offset close to the accepted one, even after the event', () => {
  const { clock, heard } = trustedWith();
  heard(3 * HOUR);
  clock.pass(30 * DAY);
  expect(heard(3 * HOUR + 60_000)).toEqual({ offset: 3 * HOUR + 60_000, doubted: false });
});

it('discards the accepted offset when our clock is set', () => {
  const { state, heard } = trustedWith();
  heard(3 * HOUR);
  state.set = 3 * HOUR;
  expect(heard(YEAR_2099)).toEqual({ offset: 0, doubted: true });
});

it('treats a large offset as unknown until the event is known, and accepts it if the event has no dates', () => {
  const { state, heard } = trustedWith(null);
  expect(heard(YEAR_2099)).toEqual({ offset: null, doubted: false });
  state.event = { start: null, end: null };
  expect(heard(YEAR_2099)).toEqual({ offset: YEAR_2099, doubted: false });
});
