/** A row of a bench. */

export type Row = {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** The same value for the baseline, measured in the same run. */
  readonly baseline?: number;
  /** `value / baseline`. */
  readonly ratio?: number;
};

/** Options of a bench, for `parseArgs`. Each has a default. */
export type BenchOptions = Readonly<Record<string, { readonly type: 'string'; readonly default: string }>>;

export type BenchModule = {
  readonly options?: BenchOptions;
  /** `given`: the value of each option. */
  readonly bench: (
    given?: Readonly<Record<string, string>>,
  ) => AsyncIterable<Row> | Promise<readonly Row[]> | readonly Row[];
};
