/** Writes the checksums by which an installed app verifies its files at start (`src-main/launch/seal.ts`). */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { SEAL_FILE, type Seal } from '../src-main/launch/seal.ts';

/** Writes the checksums of the files below `folder` for whose path (with `/`) `wanted` returns true. */
export function sealFolder(folder: string, wanted: (path: string) => boolean = () => true): void {
  const files = filesBelow(folder)
    .filter((path) => path !== SEAL_FILE && wanted(path))
    .map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]);
  const seal: Seal = { files: Object.fromEntries(files) };
  writeFileSync(join(folder, SEAL_FILE), `${JSON.stringify(seal, null, 1)}\n`);
}

/** Paths of all files below `folder`, with `/` as separator, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .toSorted();
}
