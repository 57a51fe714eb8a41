/**
 * Checks whether the machine's card service answers.
 *
 * Invariants:
 * - At most one request is open at a time, so a hanging service blocks one worker thread at most.
 * - A request may start a service that its system starts on demand. It changes nothing else.
 */
import type { Clock } from '../../core/foundations/ports.ts';

/** `silent`: the service exists and does not answer. */
export type CardServiceAnswer = 'up' | 'absent' | 'silent';

/** If it does not answer within this time, it is `silent`. */
const silentAfterMs = 3000;

/** A check that uses `ask`. `ask` resolves when the service answers and rejects when there is no service. */
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
