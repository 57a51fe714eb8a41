/**
 * Batches concurrent calls: calls that arrive while one runs are executed together afterwards.
 *
 *     calls   a ──► [a] ──► [b c d]
 *               b, c, d wait
 *
 * Invariants
 * - One run at a time, calls in order of arrival.
 * - If a run of several calls fails, each call runs again separately, so no call fails because of another.
 */
type Waiting<Input, Answer> = {
  readonly input: Input;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * A function that batches its calls. `run` does all of `inputs` or nothing, and returns one answer for each, in their
 * order. A run takes inputs in order while their total size is at most `most`. A larger input runs alone.
 */
export function createBatcher<Input, Answer>({
  run,
  sizeOf,
  most,
}: {
  readonly run: (inputs: readonly Input[]) => Promise<readonly Answer[]>;
  readonly sizeOf: (input: Input) => number;
  readonly most: number;
}): (input: Input) => Promise<Answer> {
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
