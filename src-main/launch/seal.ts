/**
 * Verifies the files of an installed app against the checksums of its package.
 *
 * Invariants:
 * - a damaged app is refused before it opens any data of the stand;
 * - the sentence names the first file that differs;
 * - this detects damage (a bad disk, an incomplete copy). Only the signature of the package and the permissions of
 *   its folder protect against an attacker who also changes the checksums.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../core/foundations/refusal.ts';

/** The place of the checksums: beside the files. */
export const SEAL_FILE = 'seal.json';

/** SHA-256 in hex by path below the folder, with `/` as separator. */
export type Seal = { readonly files: Readonly<Record<string, string>> };

/**
 * The resources folder of the packed Electron app that contains the program in folder `here`; null outside a package.
 * In every process of Electron, packed code is only in the archive (fuse OnlyLoadAppFromAsar).
 */
export function packedResources(here: string = import.meta.dirname): string | null {
  return /^(.*)[\\/]app\.asar[\\/]/.exec(here)?.[1] ?? null;
}

/** Refuses the start when a file of the app in `folder` differs from its package. @throws {StartRefusal} */
export function refuseAltered(folder: string): void {
  const fault = withoutArchives(() => faultOf(folder));
  if (fault === null) return;
  throw new StartRefusal(
    'altered',
    `Touchpoint was not started: ${fault}. Install it again; captured data stays.`,
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

/** Validated without packages, because packages are among the files to verify. */
function readSeal(path: string): Seal | null {
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Seal>;
    return files !== undefined && Object.keys(files).length > 0 ? { files } : null;
  } catch {
    return null;
  }
}

/** Electron shows an archive as a folder, unless `noAsar` is set. */
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
