/** What a run selects: ten consecutive seeds together try everything, and one seed always tries the same. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTurn, isDue, repetitions, runSeed } from './thoroughness.ts';

beforeEach(() => void vi.stubEnv('TOUCHPOINT_THOROUGH', undefined));
afterEach(() => void vi.unstubAllEnvs());

const seeds = Array.from({ length: 10 }, (_, seed) => String(seed));

it.each([20, 30, 60, 200, 500])(
  'ten consecutive seeds together try each of %i repetitions exactly once',
  (all) => {
    const tried = seeds.flatMap((seed) => {
      vi.stubEnv('TOUCHPOINT_SEED', seed);
      return repetitions(all);
    });
    expect(tried.toSorted((a, b) => a - b)).toEqual(Array.from({ length: all }, (_, index) => index));
  },
);

it('a thorough run tries every repetition and every variant', () => {
  vi.stubEnv('TOUCHPOINT_THOROUGH', 'true');
  expect(repetitions(3)).toEqual([0, 1, 2]);
  expect(inTurn(['a', 'b'], 5)).toEqual(['a', 'b']);
});

it('a run selects no repetition beyond the last when a tenth of them is not a whole number', () => {
  vi.stubEnv('TOUCHPOINT_SEED', '9');
  expect(repetitions(11).every((repetition) => repetition < 11)).toBe(true);
});

it('a run assigns variants to things in turn, and the next seed assigns them differently', () => {
  vi.stubEnv('TOUCHPOINT_SEED', '1');
  expect([0, 1, 2].map((index) => inTurn(['a', 'b'], index))).toEqual([['b'], ['a'], ['b']]);
  vi.stubEnv('TOUCHPOINT_SEED', '2');
  expect(inTurn(['a', 'b'], 0)).toEqual(['a']);
});

it('a run tries one thing in three, others with the next seed, and all in a thorough run', () => {
  const due = (seed: string) => {
    vi.stubEnv('TOUCHPOINT_SEED', seed);
    return [0, 1, 2, 3, 4, 5].filter((index) => isDue(index, 3));
  };
  expect(due('3')).toEqual([0, 3]);
  expect(due('4')).toEqual([2, 5]);
  expect(due('5')).toEqual([1, 4]);
  vi.stubEnv('TOUCHPOINT_THOROUGH', 'true');
  expect(due('3')).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a run without a given seed always returns the same seed of at most 28 bits', () => {
  vi.stubEnv('TOUCHPOINT_SEED', undefined);
  expect(runSeed()).toBeGreaterThanOrEqual(0);
  expect(runSeed()).toBeLessThan(2 ** 28);
  expect(runSeed()).toBe(runSeed());
});
