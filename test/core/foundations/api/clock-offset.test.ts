/** The platform's clock offset, computed from the `Date` headers of invented answers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DateSample,
  offsetFrom,
  withSample,
} from '../../../../src-main/core/foundations/api/clock-offset.ts';

describe('the clock offset', () => {
  const MINUTE = 60_000;
  /** An answer of a platform whose clock is `ahead` of ours, after a round trip of `trip` milliseconds. */
  const sampleAt = (at: number, ahead: number, trip: number, wallStep = 0): DateSample => {
    const date = Math.floor((at + trip / 2 + ahead) / 1_000) * 1_000;
    return { date, sentAt: at + wallStep, receivedAt: at + trip + wallStep, mono: at + trip, monoTrip: trip };
  };

  it('is null without an answer', () => {
    expect(offsetFrom([], 0, 0)).toBeNull();
  });

  it('comes from the shortest round trip of the last twenty, within half a second and half that trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -30_000, max: 30_000 }),
        fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 40 }),
        (ahead, trips) => {
          let samples: readonly DateSample[] = [];
          for (const [index, trip] of trips.entries()) {
            samples = withSample(samples, sampleAt(1_000_000 + index * 2_345, ahead, trip));
          }
          expect(samples.length).toBeLessThanOrEqual(20);
          const now = 1_000_000 + trips.length * 2_345;
          const read = offsetFrom(samples, now, now);
          const best = Math.min(...trips.slice(-20));
          expect(Math.abs((read?.offsetMs ?? Number.NaN) - ahead)).toBeLessThanOrEqual(501 + best / 2);
          expect(read?.suspicious).toBe(false);
        },
      ),
    );
  });

  it('ignores an answer during which our clock was set, forward or back', () => {
    for (const step of [-10_800_000, 10_800_000]) {
      const across = { ...sampleAt(1_000, 0, 80), receivedAt: 1_080 + step };
      expect(withSample([], across)).toEqual([]);
      const after = withSample(withSample([], across), sampleAt(2_000, 0, 80, step));
      expect(Math.abs((offsetFrom(after, 3_000 + step, 3_000)?.offsetMs ?? 0) + step)).toBeLessThan(600);
    }
  });

  it('ignores a single wrong header, even of the fastest answer, and reports contradicting headers', () => {
    let samples: readonly DateSample[] = [];
    for (let index = 0; index < 10; index += 1) samples = withSample(samples, sampleAt(index * 1_000, 0, 80));
    samples = withSample(samples, sampleAt(10_000, 86_400_000, 1));
    const read = offsetFrom(samples, 11_000, 11_000);
    expect(Math.abs(read?.offsetMs ?? 9_999)).toBeLessThan(600);
    expect(read?.suspicious).toBe(false);
    for (let index = 0; index < 8; index += 1) {
      samples = withSample(samples, sampleAt(11_000 + index, 86_400_000, 1));
    }
    expect(offsetFrom(samples, 12_000, 12_000)?.suspicious).toBe(true);
  });

  it('prefers our own clock if the answers split into halves, and is suspicious in that case', () => {
    for (const wrong of [86_400_000, -86_400_000]) {
      const samples = withSample(withSample([], sampleAt(0, wrong, 1)), sampleAt(1_000, 0, 90));
      const read = offsetFrom(samples, 2_000, 2_000);
      expect(Math.abs(read?.offsetMs ?? 9_999)).toBeLessThan(600);
      expect(read?.suspicious).toBe(true);
    }
  });

  it('is suspicious when our clock is two minutes off, and reports the age of its sample', () => {
    const samples = withSample([], sampleAt(5_000, 2 * MINUTE, 40));
    expect(offsetFrom(samples, 9_000, 9_000)).toMatchObject({ ageMs: 3_960, suspicious: true });
  });

  it('discards samples from before our own clock was set', () => {
    const before = withSample([], sampleAt(5_000, 2 * MINUTE, 40));
    const step = 2 * MINUTE;
    expect(offsetFrom(before, 9_000 + step, 9_000)).toBeNull();
    const after = withSample(before, sampleAt(10_000, 0, 40, 0));
    expect(after).toHaveLength(2);
    const set = withSample(before, { ...sampleAt(10_000, 2 * MINUTE, 40, step) });
    expect(set).toHaveLength(1);
    expect(Math.abs(offsetFrom(set, 11_000 + step, 11_000)?.offsetMs ?? 9_999)).toBeLessThan(600);
  });
});
