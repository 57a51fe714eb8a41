/**
 * What a bench answers.
 */

export type Row = {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** The same of what it is compared with, measured in the same run. */
  readonly baseline?: number;
  /** `value / baseline`. */
  readonly ratio?: number;
};

export type BenchModule = {
  readonly bench: () => AsyncIterable<Row> | Promise<readonly Row[]> | readonly Row[];
};
