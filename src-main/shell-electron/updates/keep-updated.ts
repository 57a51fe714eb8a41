/**
 * Looking for updates again and again, while the app runs.
 *
 * Invariants: nothing is looked for in the first minutes of a start; each news is said once.
 */
import type { Clock } from '../../core/ports.ts';
import { isDoubtful, updateSentence } from './update-words.ts';
import { lookForUpdate, type UpdatesPorts } from './updates.ts';

export const FIRST_LOOK_MS = 5 * 60_000;
export const LOOK_EVERY_MS = 3_600_000;

type Keeping = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  readonly say: (level: 'info' | 'warn', what: string) => void;
  /** Another version is in place. */
  readonly restart: () => void;
};

/** Looks until `signal` aborts or an update is in place. */
export async function keepUpdated(
  ports: UpdatesPorts,
  { clock, signal, say, restart }: Keeping,
): Promise<void> {
  let told = '';
  await clock.sleep(FIRST_LOOK_MS, signal);
  while (!signal.aborted) {
    const outcome = await lookForUpdate(ports);
    const news = updateSentence(outcome);
    if (news !== told) say(isDoubtful(outcome) ? 'warn' : 'info', news);
    told = news;
    if (outcome.kind === 'placed') return restart();
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}
