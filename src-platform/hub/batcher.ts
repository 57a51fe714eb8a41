/**
 * Calls that come while one is under way are done together in the next: then many of them cost about what one costs.
 *
 *     calls   a ──► [a] ──► [b c d]
 *               b, c, d wait
 *
 * Invariants: one run at a time, calls in the order they came; where a run of several fails, each of them is run alone, so
 * that none fails for another.
 */
export type BatcherPorts<Input, Answer> = {
  /** Does all of `inputs` or nothing; one answer for each, in their order. */
  readonly run: (inputs: readonly Input[]) => Promise<readonly Answer[]>;
  readonly sizeOf: (input: Input) => number;
  /** So much goes in one run at most, but always one call. */
  readonly most: number;
};

type Waiting<Input, Answer> = {
  readonly input: Input;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** A call of `run` that shares its run with others. */
export function createBatcher<Input, Answer>({
  run,
  sizeOf,
  most,
}: BatcherPorts<Input, Answer>): (input: Input) => Promise<Answer> {
  const waiting: Waiting<Input, Answer>[] = [];
  let isRunning = false;

  const takeSome = (): readonly Waiting<Input, Answer>[] => {
    let size = 0;
    const end = waiting.findIndex(({ input }) => {
      size += sizeOf(input);
      return size > most;
    });
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
  };
  const runSome = async (some: readonly Waiting<Input, Answer>[]): Promise<void> => {
    try {
      const answers = await run(some.map(({ input }) => input));
      for (const [index, answer] of answers.entries()) some[index]?.resolve(answer);
    } catch (error) {
      if (some.length > 1) for (const one of some) await runSome([one]);
      else some[0]?.reject(error);
    }
  };
  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) await runSome(takeSome());
    isRunning = false;
  };

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isRunning) void runAll();
    });
}
