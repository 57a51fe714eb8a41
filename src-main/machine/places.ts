/**
 * Places of this machine that a file can be handed over in: sticks, and the usual folders of the person at it.
 *
 * Invariants: best effort; what cannot be looked at is left out; nothing is opened.
 */
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, join } from 'node:path';

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

/** What is there now: sticks first, then folders. */
export function findPlaces(home = homedir(), os: NodeJS.Platform = process.platform): readonly Place[] {
  const sticks = stickPaths(os).map((path) =>
    placeOf('stick', os === 'win32' ? path.slice(0, 2) : basename(path), path),
  );
  const folders = FOLDERS.map(([kind, name]) => placeOf(kind, name, join(home, name)));
  return [...sticks, ...folders].filter((place) => place !== null);
}

function placeOf(kind: Place['kind'], name: string, path: string): Place | null {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  return { id: `${kind}:${name}`, kind, name, path, free: freeIn(path) };
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
function stickPaths(os: NodeJS.Platform): readonly string[] {
  if (os === 'win32')
    return [...'DEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`).filter((path) => existsSync(path));
  if (os === 'darwin')
    return entriesOf('/Volumes').filter((path) => statSync(path).dev !== statSync('/').dev);
  return [`/media/${userInfo().username}`, `/run/media/${userInfo().username}`].flatMap(entriesOf);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
