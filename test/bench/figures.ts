/**
 * Rows of figures, and the three percentiles of many samples.
 *
 * Invariant: a ratio only compares samples of the same run.
 */

/** One figure in the output of `--json`. */
export type Row = {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly ratio?: number;
};

/** The `share` quantile of samples: the sample at this share of the sorted list. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const round = (value: number): number => Number(value.toPrecision(4));

/** p50, p95 and p99 of samples, compared with those of a baseline of the same run. */
export const quantileRows = (
  bench: string,
  metric: string,
  unit: string,
  samples: readonly number[],
  baseline: readonly number[],
): readonly Row[] =>
  ([0.5, 0.95, 0.99] as const).map((share) => {
    const value = quantile(samples, share);
    const beside = quantile(baseline, share);
    return {
      bench,
      metric: `${metric} p${share * 100}`,
      value: round(value),
      unit,
      baseline: round(beside),
      ratio: round(value / beside),
    };
  });
