/**
 * Updates as the shell has them: whether this start takes any, whether the version before comes back, and the restart.
 *
 * Invariants: only an AppImage is updated, where a start asks for it and the build knows a key; what goes wrong costs the update and
 * never the start.
 */
import type { Clock } from '../core/ports.ts';
import type { Options } from '../launch/options.ts';
import type { CoreLink } from './core-link.ts';
import type { ElectronApi } from './electron-api.ts';
import type { Say } from './page-window.ts';
import type { Start } from './start-record.ts';
import { createAppImageUpdater } from './updates/app-image-updater.ts';
import { keepUpdated } from './updates/keep-updated.ts';
import type { UpdateAsk } from './updates/update-core.ts';
import { settleUpdate, turnOfStart } from './updates/update-start.ts';
import type { UpdateCore } from './updates/updates.ts';

/** What updates take of what the shell is started with. */
export type UpdateWorld = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** The key updates are signed with; null: this build takes none. */
  readonly updateKey: string | null;
  /** Sentences about what is wrong. */
  readonly complain: (sentence: string) => void;
};

/** The version before is in place again; `program` is it. */
export type WentBack = { readonly kind: 'back'; readonly sentence: string; readonly program: string };

/** The AppImage this app runs from. */
function programOf({ app }: ElectronApi, { env }: UpdateWorld): string | null {
  return app.isPackaged ? (env.APPIMAGE ?? null) : null;
}

/** Has the version before come back where this one failed twice; null: it goes on. `data`: the data folder. */
export function backAfterFailures(
  electron: ElectronApi,
  world: UpdateWorld,
  { failed, succeeded }: Start,
  data: string,
): WentBack | null {
  const { app } = electron;
  const program = programOf(electron, world);
  const version = app.getVersion();
  try {
    const turn = turnOfStart({ data, folder: app.getPath('userData'), version, failed, program });
    if (turn.kind === 'stuck') world.complain(turn.sentence);
    if (turn.kind !== 'back' || program === null) return null;
    succeeded();
    return { kind: 'back', sentence: turn.sentence, program };
  } catch (error) {
    world.complain(`The version before could not be put back (${String(error)}).`);
    return null;
  }
}

/** A page lives: what was tried stays. */
export function liveOn({ app }: ElectronApi, start: Start): void {
  start.succeeded();
  settleUpdate(app.getPath('userData'));
}

/** Asks the core; false where there is none. */
export function askForUpdate(core: Pick<CoreLink, 'isReady' | 'send'>, what: UpdateAsk): boolean {
  if (core.isReady()) core.send({ kind: 'update-ask', what });
  return core.isReady();
}

/** Looks for updates until the app ends, where a start asks for that and can. */
export async function takeUpdates(
  electron: ElectronApi,
  world: UpdateWorld,
  { updates }: Options,
  { core, say, start }: { readonly core: UpdateCore; readonly say: Say; readonly start: Start },
): Promise<void> {
  if (updates === null) return;
  const { app } = electron;
  const { clock, random, updateKey: key, args, complain } = world;
  const program = programOf(electron, world);
  if (program === null) return complain('Updates are not taken: this is no AppImage.');
  if (key === null)
    return complain('Updates are not taken: this build knows no key that they are signed with.');
  const ended = new AbortController();
  app.on('before-quit', () => ended.abort());
  const own = { version: app.getVersion(), folder: app.getPath('userData') };
  const restart = () => {
    // What failed before was not the version that comes now.
    start.succeeded();
    app.relaunch({ execPath: program, args: [...args] });
    app.quit();
  };
  try {
    const updater = await createAppImageUpdater({ feed: updates, ...own });
    const ports = { ...own, updater, core, random, key, program, now: clock.now };
    await keepUpdated(ports, { clock, signal: ended.signal, say, restart });
  } catch (error) {
    complain(`Updates are not taken (${String(error)}).`);
  }
}
