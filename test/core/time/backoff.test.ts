/** Waits between retries: full jitter, so that devices that lost the network together do not come back together. */
import { expect, it } from 'vitest';
import { backoffMs } from '../../../src-main/core/time/backoff.ts';

it('may be nothing at all after any number of failures, and is spread evenly up to its bound', () => {
  for (const failures of [0, 1, 3, 6, 50]) {
    expect(backoffMs(failures, 0)).toBe(0);
    const bound = backoffMs(failures, 1);
    expect(backoffMs(failures, 0.25)).toBe(bound / 4);
    expect(backoffMs(failures, 0.5)).toBe(bound / 2);
  }
});

it('doubles its bound with every failure, from a second to a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((failures) => backoffMs(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});
