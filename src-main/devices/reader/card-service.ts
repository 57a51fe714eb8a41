/**
 * Whether the machine's card service answers.
 *
 * Invariants: at most one question is open at a time, so a service that hangs holds one worker thread and no more; asking
 * starts a service that its system starts on demand, and changes nothing else.
 */
import type { Clock } from '../../core/foundations/ports.ts';

/** `silent`: it is there and does not answer. */
export type CardServiceAnswer = 'up' | 'absent' | 'silent';

/** After so long without an answer it is called silent. */
const silentAfterMs = 3000;

/** The way to ask with `ask`, which resolves when the service answers and rejects when there is none. */
export function createServiceQuestion(
  ask: () => Promise<void>,
  clock: Pick<Clock, 'sleep'>,
): () => Promise<CardServiceAnswer> {
  let open: Promise<'up' | 'absent'> | null = null;
  return async () => {
    open ??= ask()
      .then(
        () => 'up' as const,
        () => 'absent' as const,
      )
      .finally(() => {
        open = null;
      });
    const answered = new AbortController();
    const silent = clock.sleep(silentAfterMs, answered.signal).then(() => 'silent' as const);
    const answer = await Promise.race([open, silent]);
    answered.abort();
    return answer;
  };
}
