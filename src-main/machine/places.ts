/**
 * Places to which a file can be exported: USB sticks, and the user's usual folders.
 *
 * Invariants:
 * - best effort: a missing place is left out;
 * - no file is opened.
 */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

export type Place = {
  readonly id: string;
  readonly kind: 'stick' | 'downloads' | 'documents' | 'desktop';
  readonly name: string;
  readonly path: string;
  /** Free bytes; null when unknown. */
  readonly free: number | null;
};

const FOLDERS = [
  ['downloads', 'Downloads'],
  ['documents', 'Documents'],
  ['desktop', 'Desktop'],
] as const;

/** Access to the machine's disks. */
export type Disks = {
  /** Whether the folder exists. */
  readonly isFolder: (path: string) => boolean;
  /** Names in a folder; none when it is unreadable. */
  readonly names: (folder: string) => readonly string[];
  /** Id of the disk that contains the folder. */
  readonly disk: (path: string) => number;
  /** Free bytes; null when unknown. */
  readonly free: (path: string) => number | null;
};

export type Person = { readonly home: string; readonly user: string };

/** The places available now: sticks first, then folders. */
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

/** Paths where each system mounts USB sticks. */
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
