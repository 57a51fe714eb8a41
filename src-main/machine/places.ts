/**
 * Places of this machine that a file can be handed over in: sticks, and the usual folders of the person at it.
 *
 * Invariants: best effort; what cannot be looked at is left out; nothing is opened.
 */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

export type Place = {
  readonly id: string;
  readonly kind: 'stick' | 'downloads' | 'documents' | 'desktop';
  readonly name: string;
  readonly path: string;
  /** Bytes; null where nobody knows. */
  readonly free: number | null;
};

const FOLDERS = [
  ['downloads', 'Downloads'],
  ['documents', 'Documents'],
  ['desktop', 'Desktop'],
] as const;

/** What is asked of the machine's disks. */
export type Disks = {
  /** Whether there is a folder. */
  readonly isFolder: (path: string) => boolean;
  /** Names in a folder; none where it cannot be read. */
  readonly names: (folder: string) => readonly string[];
  /** Which disk a folder is on. */
  readonly disk: (path: string) => number;
  /** Bytes; null where nobody knows. */
  readonly free: (path: string) => number | null;
};

export type Person = { readonly home: string; readonly user: string };

/** What is there now: sticks first, then folders. */
export function findPlaces(
  person: Person = { home: homedir(), user: userInfo().username },
  os: NodeJS.Platform = process.platform,
  disks: Disks = thisMachine,
): readonly Place[] {
  const { basename, join } = os === 'win32' ? win32 : posix;
  const placeOf = (kind: Place['kind'], name: string, path: string): Place | null =>
    disks.isFolder(path) ? { id: `${kind}:${name}`, kind, name, path, free: disks.free(path) } : null;
  const sticks = stickPaths(os, person.user, disks).map((path) =>
    placeOf('stick', os === 'win32' ? path.slice(0, 2) : basename(path), path),
  );
  const folders = FOLDERS.map(([kind, name]) => placeOf(kind, name, join(person.home, name)));
  return [...sticks, ...folders].filter((place) => place !== null);
}

function freeIn(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Where each system shows what was plugged in. */
function stickPaths(os: NodeJS.Platform, user: string, { isFolder, names, disk }: Disks): readonly string[] {
  const below = (folder: string) => names(folder).map((name) => `${folder}/${name}`);
  if (os === 'win32') return [...'DEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`).filter(isFolder);
  if (os === 'darwin') return below('/Volumes').filter((path) => disk(path) !== disk('/'));
  return [`/media/${user}`, `/run/media/${user}`].flatMap(below);
}

const thisMachine: Disks = {
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  names: namesIn,
  disk: (path) => statSync(path).dev,
  free: freeIn,
};

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
