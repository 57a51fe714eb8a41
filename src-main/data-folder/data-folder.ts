/**
 * Chooses, checks and locks the data folder of a start.
 *
 * Invariants:
 * - by default, each event that is named on the command line has its own folder;
 * - a folder that cannot be written, or that a running Touchpoint uses, is refused with one sentence before any of its
 *   files changes.
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
import { lockFolder } from './folder-lock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The choice of the folder: `data`, otherwise by event (null means the demo event, or the event that was set up on
 * the screen).
 */
type FolderChoice = {
  readonly data: string | null;
  readonly platform: { readonly url: string; readonly expo: string } | null;
  readonly setUp?: boolean;
};

/** A folder that this process locks until `release`. `path` is absolute and contains no symbolic links. */
export type DataFolder = {
  readonly path: string;
  readonly release: () => void;
};

/** The folder for a choice: `data`, or else the system's usual place with a subfolder per event. */
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
 * Creates the folder if it is missing (readable by its owner only), removes write access of others, tries to write, and
 * locks it.
 * @throws {StartRefusal} when it cannot be written or is in use
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const absolute = makeFolder(path);
  closeToOthers(absolute);
  tryWriting(absolute);
  const lock = lockFolder(absolute);
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

/** Creates missing folders one by one: Node's recursive `mkdir` never returns below `/proc`. */
function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Removes write access of others from the folder. A shared folder (sticky, like /tmp) is refused. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & OTHERS_WRITE) === 0) return;
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

const OTHERS_WRITE = 0o002;
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

/** If the probe could not be written, it cannot be removed either. The refusal already reports that. */
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
