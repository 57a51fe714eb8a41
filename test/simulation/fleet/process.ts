/**
 * A process of a simulated world: it can be suspended and resumed, or killed, between two events.
 *
 * Invariants:
 * - Everything that it does begins with `goOn`: a suspended process begins nothing until it is resumed.
 * - A killed process begins nothing any more.
 */
import type { ApiClient } from '../../../src-main/core/foundations/api/client.ts';
import type { Clock } from '../../../src-main/core/foundations/ports.ts';

/** Thrown in place of the next action of a killed process. */
export class ProcessEnded extends Error {
  constructor() {
    super('the process has ended');
  }
}

export type Process = ReturnType<typeof createProcess>;

/** A process that runs. */
export const createProcess = () => {
  const ended = new AbortController();
  let still: PromiseWithResolvers<void> | null = null;
  const resume = (): void => {
    still?.resolve();
    still = null;
  };
  const goOn = async (): Promise<void> => {
    while (still !== null) await still.promise;
    if (ended.signal.aborted) throw new ProcessEnded();
  };
  return {
    /** Aborts when the process is killed. */
    ended: ended.signal,
    isSuspended: () => still !== null,
    goOn,
    suspend: (): void => {
      still ??= Promise.withResolvers();
    },
    resume,
    kill: (): void => {
      ended.abort();
      resume();
    },
    /** A clock for its loops. */
    clockOf: (clock: Clock): Clock => ({
      ...clock,
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal ?? ended.signal);
        if (signal?.aborted !== true) await goOn();
      },
    }),
    /** A client of its own. */
    clientOf: (client: ApiClient): ApiClient => ({
      ...client,
      get: async (...asked) => {
        await goOn();
        return client.get(...asked);
      },
      post: async (...asked) => {
        await goOn();
        return client.post(...asked);
      },
    }),
  };
};
