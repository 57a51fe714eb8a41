/**
 * The file of an AppImage, replaced by a newer one and back again.
 *
 * Invariants: at every moment there is a whole program under its name: what takes its place is written beside it and renamed;
 * the one before is kept whole before anything is replaced. electron-updater's own way removes the program first
 * (AppImageUpdater.js, 6.8.10) and keeps none, so it is not used.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

const KEPT = 'previous.AppImage';

/** Size, and SHA-512 in base64, of the file at `path`. @throws what the disk says */
export async function measure(path: string): Promise<{ size: number; sha512: string }> {
  const hash = createHash('sha512');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha512: hash.digest('base64') };
}

/** Lays a copy of the file at `next` beside the program at `target`; gives its path. @throws what the disk says */
export function stageProgram(target: string, next: string): string {
  return copyBeside(next, target);
}

/** What was laid beside the program at `target` goes, if it is still there. */
export function dropStaged(target: string): void {
  rmSync(partOf(target), { force: true });
}

/** Keeps the program at `target` in `folder` and puts what lies beside it in its place. @throws what the disk says */
export function replaceProgram(target: string, folder: string): void {
  const kept = join(folder, KEPT);
  renameSync(copyBeside(target, kept), kept);
  renameSync(partOf(target), target);
}

/** Puts the kept program back in the place of `target`; false where none was kept. @throws what the disk says */
export function restoreProgram(target: string, folder: string): boolean {
  const kept = join(folder, KEPT);
  if (!existsSync(kept)) return false;
  renameSync(copyBeside(kept, target), target);
  return true;
}

const partOf = (path: string) => `${path}.part`;

/** A copy of `from`, on the disk, under the name it has before it becomes `to`. */
function copyBeside(from: string, to: string): string {
  const part = partOf(to);
  copyFileSync(from, part);
  chmodSync(part, 0o755);
  const file = openSync(part, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return part;
}
