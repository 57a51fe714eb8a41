/**
 * Updates in the shell: whether this start accepts updates, the questions to the core, and the restart.
 *
 * Invariants:
 * - only an AppImage takes updates, if its command line names a feed and its build has a key;
 * - at most one question of a kind is open; a late or malformed answer counts as no answer.
 */
import { z } from 'zod';
import type { Clock } from '../core/foundations/ports.ts';
import type { UpdateAsk } from './core-messages.ts';
import type { ShellApp } from './electron-api.ts';
import type { Say } from './page-window.ts';
import { appImageOf, relaunch, type Started } from './relaunch.ts';
import { createAppImageUpdater } from './updates/app-image-updater.ts';
import { keepUpdated, type UpdateCore } from './updates/updates.ts';

/** The backup of a large journal takes minutes. */
const ANSWERED_WITHIN_MS = 300_000;

const time = z.number();
const momentSchema = z.object({
  fair: z.union([z.object({ start: time, end: time }), z.literal('unknown'), z.null()]),
  lastFactAt: time.nullable(),
  waiting: z.int().nonnegative(),
});

export type UpdateQuestions = UpdateCore & {
  /** Receives an answer of the core. */
  readonly take: (what: UpdateAsk, answer: unknown) => void;
};

/** Asks the core through `send`, which returns whether a core is running. */
export function createUpdateQuestions(
  send: (what: UpdateAsk) => boolean,
  { sleep }: Pick<Clock, 'sleep'>,
): UpdateQuestions {
  const waiting = new Map<UpdateAsk, (answer: unknown) => void>();
  const ask = async <Answer>(what: UpdateAsk, schema: z.ZodType<Answer>): Promise<Answer | null> => {
    const given = new AbortController();
    const answered = new Promise<unknown>((resolve) => waiting.set(what, resolve));
    if (!send(what)) return null;
    const answer = await Promise.race([answered, sleep(ANSWERED_WITHIN_MS, given.signal).then(() => null)]);
    given.abort();
    waiting.delete(what);
    const read = schema.safeParse(answer);
    return read.success ? read.data : null;
  };
  return {
    moment: () => ask('moment', momentSchema),
    backUp: async () => (await ask('backup', z.boolean())) ?? false,
    take: (what, answer) => waiting.get(what)?.(answer),
  };
}

/** Takes updates of an AppImage from the feed at this address until the app ends. */
export async function takeUpdates({
  app,
  started,
  args,
  clock,
  key,
  feed,
  core,
  say,
  complain,
}: {
  readonly app: ShellApp;
  readonly started: Started;
  readonly args: readonly string[];
  readonly clock: Clock;
  /** The public key with which updates of this build are signed; null if it accepts no updates. */
  readonly key: string | null;
  readonly feed: string;
  readonly core: UpdateCore;
  readonly say: Say;
  readonly complain: (sentence: string) => void;
}): Promise<void> {
  const program = appImageOf(app, started.env);
  if (program === null)
    return complain('Updates are not taken: this is not an AppImage. apt updates the Debian package.');
  if (key === null) return complain('Updates are not taken: this build has no key to verify them.');
  const ended = new AbortController();
  app.on('before-quit', () => ended.abort());
  try {
    const place = { feed, version: app.getVersion(), folder: app.getPath('userData'), program };
    const updater = await createAppImageUpdater(place);
    const restart = (installed: string) => relaunch(app, started, args, installed);
    await keepUpdated({ updater, core, key, clock, signal: ended.signal, say, restart });
  } catch (error) {
    complain(`Updates are not taken (${String(error)}).`);
  }
}
