/** Measures things side by side, in turns, so that the rest of the machine affects all of them equally. */

import type { Row } from './row.ts';

/** Runs each of these once per turn and returns the times of each, in milliseconds. */
export const inTurns = async <Name extends string>(
  turns: number,
  work: Readonly<Record<Name, () => Promise<void>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> => {
  const names = Object.keys(work) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index] of names.entries()) {
      // The order changes, so that none is always first.
      const name = names[(index + turn) % names.length] as Name;
      const start = performance.now();
      await work[name]();
      times[name].push(performance.now() - start);
    }
  }
  return times;
};

/** The value below which this share of all samples lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Rows for median, 95th and 99th percentile of a time, compared with its baseline. */
export const timeRows = (
  bench: string,
  metric: string,
  times: readonly number[],
  baseline: readonly number[],
): readonly Row[] =>
  [0.5, 0.95, 0.99].map((share) => {
    const [value, base] = [quantile(times, share), quantile(baseline, share)];
    const name = `${metric}, p${Math.round(share * 100)}`;
    return { bench, metric: name, value, unit: 'ms', baseline: base, ratio: value / base };
  });
