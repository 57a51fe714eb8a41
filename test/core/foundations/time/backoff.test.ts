/** How waits between retries are spread: forty devices that lost the network together do not return together. */
import { expect, it } from 'vitest';
import { backoffMs } from '../../../../src-main/core/foundations/time/backoff.ts';
import { RETRY } from '../../../../src-main/core/foundations/time/times.ts';

const DRAWS = 20_000;
const TENTHS = 10;

it.each([1, 2, 3, 5, 6, 8, 20, 1_000])(
  'spreads waits evenly up to the limit after %i failures',
  (failures) => {
    const bound = Math.min(RETRY.capMs, RETRY.baseMs * 2 ** Math.min(failures, 30));
    const tenths = Array.from({ length: TENTHS }, () => 0);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const wait = backoffMs(RETRY, failures, Math.random());
      const tenth = Math.floor((wait / bound) * TENTHS);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(tenths).toHaveLength(TENTHS);
    // Each tenth of the range gets a tenth of the draws. Six standard deviations are 0.013 of all.
    for (const count of tenths) expect(Math.abs(count / DRAWS - 1 / TENTHS)).toBeLessThan(0.013);
  },
);

it('lengthens the wait after each failure, up to fifteen seconds', () => {
  const longest = [1, 2, 3, 4, 5, 6, 50].map((failures) => backoffMs(RETRY, failures, 1));
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});
