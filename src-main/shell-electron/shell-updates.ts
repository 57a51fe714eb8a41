/**
 * Updates as the shell takes them: which starts take any, and the restart.
 *
 * Invariant: only an AppImage takes updates, where its start asks for them and its build has a key.
 */
import type { Clock } from '../core/foundations/ports.ts';
import type { CoreLink } from './core-link.ts';
import type { ShellApp } from './electron-api.ts';
import type { Say } from './page-window.ts';
import { appImageOf, relaunch, type Started } from './relaunch.ts';
import { createAppImageUpdater } from './updates/app-image-updater.ts';
import type { UpdateAsk } from './updates/update-core.ts';
import { keepUpdated, type UpdateCore } from './updates/updates.ts';

type UpdateWorld = Started & {
  readonly args: readonly string[];
  readonly clock: Clock;
  /** The public key that updates of this build are signed with; null: it takes none. */
  readonly updateKey: string | null;
  readonly complain: (sentence: string) => void;
};

/** Asks the core; false where there is none. */
export function askForUpdate(core: CoreLink, what: UpdateAsk): boolean {
  if (core.isReady()) core.send({ kind: 'update-ask', what });
  return core.isReady();
}

/** Takes updates of an AppImage from the feed at this address until the app ends. */
export async function takeUpdates(
  app: ShellApp,
  world: UpdateWorld,
  feed: string,
  core: UpdateCore,
  say: Say,
): Promise<void> {
  const { args, env, clock, updateKey: key, complain } = world;
  const program = appImageOf(app, env);
  if (program === null)
    return complain('Updates are not taken: this is no AppImage. apt updates the Debian package.');
  if (key === null)
    return complain('Updates are not taken: this build knows no key that they are signed with.');
  const ended = new AbortController();
  app.on('before-quit', () => ended.abort());
  try {
    const place = { feed, version: app.getVersion(), folder: app.getPath('userData'), program };
    const updater = await createAppImageUpdater(place);
    const restart = (installed: string) => relaunch(app, world, args, installed);
    await keepUpdated({ updater, core, key, clock, signal: ended.signal, say, restart });
  } catch (error) {
    complain(`Updates are not taken (${String(error)}).`);
  }
}
