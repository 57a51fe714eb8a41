/**
 * Which folder this start keeps its data in, and whether it may.
 *
 * Invariants: every event has a folder of its own, so the journal of one event never meets another's; a folder that
 * cannot be written, or that a running Touchpoint uses, is refused with one sentence before anything in it changed.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What decides the folder: the one given, else the event worked for (null: the demo event, or what is set up on the screen). */
type FolderChoice = {
  readonly data: string | null;
  readonly platform: { readonly url: string; readonly expo: string } | null;
  readonly setUp?: boolean;
};

/** A folder this process alone works in, until `release`. `path` is absolute and free of links. */
export type DataFolder = {
  readonly path: string;
  readonly release: () => void;
};

/** The folder for a choice: the given one, else the machine's usual place with a part per event. */
export function dataFolderPath(
  choice: FolderChoice,
  env: Environment = process.env,
  os: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const paths = os === 'win32' ? win32 : posix;
  if (choice.data !== null) return paths.resolve(choice.data);
  return paths.join(usualPlace(env, os, home), eventPart(choice));
}

function usualPlace(env: Environment, os: NodeJS.Platform, home: string): string {
  if (os === 'win32')
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Touchpoint');
  if (os === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Touchpoint');
  return posix.join(env.XDG_DATA_HOME || posix.join(env.HOME || home, '.local', 'share'), 'touchpoint');
}

function eventPart({ platform, setUp = false }: FolderChoice): string {
  if (platform === null) return setUp ? 'stand' : 'demo';
  const { host } = new URL(platform.url);
  return `${host}-${platform.expo}`.replace(/[^A-Za-z0-9._-]/g, '_');
}

/**
 * Makes the folder where it is missing (for its owner only), closes it to others, tries it by writing, and locks it.
 * @throws {StartRefusal} where it cannot be written or is in use.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const absolute = makeFolder(path);
  closeToOthers(absolute);
  tryWriting(absolute);
  const lock: FolderLock | null = await lockFolder(absolute);
  if (lock === null) {
    throw new StartRefusal(
      'options',
      `Touchpoint is already running on the data folder ${absolute}; ` +
        'press Enter where it was started to get a fresh link to it.',
    );
  }
  return { path: absolute, release: lock.release };
}

function makeFolder(path: string): string {
  try {
    makeMissing(resolve(path));
    const absolute = realpathSync(path);
    if (!statSync(absolute).isDirectory())
      throw new StartRefusal(
        'unwritable',
        `The data folder ${path} cannot be made (there is a file of that name).`,
      );
    return absolute;
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal('unwritable', `The data folder ${path} cannot be made (${reason(error)}).`);
  }
}

/** Makes what is missing of a path, step by step: Node's recursive `mkdir` never ends where the system lies (/proc). */
function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Takes a folder back that everybody may write to; one that everybody shall write to (sticky, like /tmp) is refused. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & EVERYBODY_WRITES) === 0) return;
  const isShared = (mode & STICKY) !== 0;
  try {
    if (!isShared) chmodSync(folder, 0o700);
  } catch (error) {
    throw new StartRefusal(
      'unwritable',
      `Everybody on this computer may change the data folder ${folder}, and it cannot be closed to them (${reason(error)}).`,
    );
  }
  if (isShared) {
    throw new StartRefusal(
      'unwritable',
      `The folder ${folder} is shared by everybody on this computer. Choose a folder of your own with --data.`,
    );
  }
}

const EVERYBODY_WRITES = 0o002;
const STICKY = 0o1000;

function tryWriting(folder: string): void {
  const probe = join(folder, `.write-check-${process.pid}`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    writeFileSync(probe, 'touchpoint', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new StartRefusal('unwritable', `The data folder ${folder} cannot be written (${reason(error)}).`);
  } finally {
    removeProbe(probe);
  }
}

/** A probe that could not be written cannot be removed either; the refusal already says so. */
function removeProbe(probe: string): void {
  try {
    rmSync(probe, { force: true });
  } catch {
    return;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'part of the path is missing',
  ENAMETOOLONG: 'the name is too long',
};

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (code === '' ? 'unknown reason' : code);
}
