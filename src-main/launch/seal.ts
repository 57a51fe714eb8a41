/**
 * Whether an installed app is as it was packed: every file by the checksum that was written down with it.
 *
 * Invariants: an app that is not is refused before it opens anything of the stand; the sentence names the first file that
 * differs. This finds damage (a bad disk, half a copy), not somebody who changes the checksums as well: against those
 * stand the package's signature and the rights of its folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../core/foundations/refusal.ts';

/** Beside the files it is about. */
export const SEAL_FILE = 'seal.json';

/** SHA-256 in hex by path below the folder, with `/` between. */
export type Seal = { readonly files: Readonly<Record<string, string>> };

/**
 * Where the files of the packed Electron app lie that a program in folder `here` is part of, or null where it is part of
 * none. Packed code is in the archive and nowhere else (the fuse OnlyLoadAppFromAsar), in every process of Electron.
 */
export function packedResources(here: string = import.meta.dirname): string | null {
  return /^(.*)[\\/]app\.asar[\\/]/.exec(here)?.[1] ?? null;
}

/** Throws where the app in `folder` is not as it was packed. @throws {StartRefusal} */
export function refuseAltered(folder: string): void {
  const fault = withoutArchives(() => faultOf(folder));
  if (fault === null) return;
  throw new StartRefusal(
    'altered',
    `Touchpoint was not started: ${fault}. Install it again; what was captured is not touched by that.`,
  );
}

function faultOf(folder: string): string | null {
  const seal = readSeal(join(folder, SEAL_FILE));
  if (seal === null) return `the list of its own files (${SEAL_FILE}) is missing or cannot be read`;
  for (const [path, wanted] of Object.entries(seal.files)) {
    const file = join(folder, path);
    if (!existsSync(file)) return `its file ${path} is missing`;
    if (createHash('sha256').update(readFileSync(file)).digest('hex') !== wanted) {
      return `its file ${path} is not as it was packed`;
    }
  }
  return null;
}

/** Read by hand, because packages are among what is being looked at. */
function readSeal(path: string): Seal | null {
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Seal>;
    return files !== undefined && Object.keys(files).length > 0 ? { files } : null;
  } catch {
    return null;
  }
}

/** In Electron an archive looks like a folder, unless it is told to see files as they are. */
function withoutArchives<T>(work: () => T): T {
  const runtime: { noAsar?: boolean } = process;
  const before = runtime.noAsar;
  runtime.noAsar = true;
  try {
    return work();
  } finally {
    if (before === undefined) delete runtime.noAsar;
    else runtime.noAsar = before;
  }
}
