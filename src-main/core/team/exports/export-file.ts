/**
 * Writes an export to its target, completely or not at all.
 *
 *     check the target ► write a temporary file (`.NAME.part`) ► fsync ► rename ► fsync the folder ► receipt, the same way
 *
 * Invariants:
 * - The name holds the complete file or nothing, even after a kill or a power cut.
 * - No existing file is replaced.
 * - `checkTarget` refuses a link, and a file in the data folder unless it is allowed there.
 * - A name that one operating system cannot open is refused on every one.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { syncFolder } from '../../foundations/store/sync-folder.ts';

/** Why a file cannot be written there. `gone`: the USB stick was removed, or the folder no longer exists. */
export type TargetFault =
  | 'exists'
  | 'link'
  | 'dataFolder'
  | 'name'
  | 'noFolder'
  | 'readOnly'
  | 'full'
  | 'gone'
  | 'failing';

/** Thrown when a file cannot be written to its target. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly fault: TargetFault;
  constructor(fault: TargetFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Device names on Windows, with or without an extension ("Naming Files, Paths, and Namespaces"). */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/iu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name must not contain these
const IMPOSSIBLE = /[<>:"/\\|?*\u0000-\u001f\u007f]|[. ]$|^$/u;

/** Whether a name is valid on every operating system. */
export function isSafeName(name: string): boolean {
  return (
    !RESERVED.test(name) && !IMPOSSIBLE.test(name) && !/\p{Cf}/u.test(name) && Buffer.byteLength(name) <= 200
  );
}

/**
 * The final path of a file, after a check that it is free.
 *
 * @param dataFolder no file may be written into it; null if this file may
 * @throws TargetError
 */
export function checkTarget(path: string, dataFolder: string | null): string {
  const name = basename(path);
  if (!isSafeName(name)) throw new TargetError('name');
  const folder = dirname(resolve(path));
  const target = join(realFolder(folder), name);
  if (dataFolder !== null && isWithin(target, dataFolder)) throw new TargetError('dataFolder');
  for (const place of [target, receiptOf(target)]) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found !== undefined) throw new TargetError(found.isSymbolicLink() ? 'link' : 'exists');
  }
  return target;
}

/** Path of a file's receipt. */
export function receiptOf(path: string): string {
  return `${path}.receipt.json`;
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  throw new TargetError('noFolder');
}

function isWithin(path: string, folder: string): boolean {
  const real = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  const way = relative(real, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^([a-z]:|[\\/])/iu.test(way));
}

/** The written file: SHA-256 in lower-case hex, and size in bytes. */
export type Written<Result> = { readonly sha256: string; readonly bytes: number; readonly result: Result };

/**
 * Writes pieces to `target` (from `checkTarget`), completely or not at all.
 *
 * @param onPiece receives the bytes so far after each piece; a throw aborts and leaves no file
 * @throws TargetError when the disk refuses
 */
export function writeWhole<Result>(
  target: string,
  pieces: Generator<Uint8Array, Result>,
  onPiece: (bytes: number) => void = () => undefined,
): Written<Result> {
  const part = partOf(target);
  return asTargetError(target, () => {
    rmSync(part, { force: true });
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      const file = openSync(part, 'wx', 0o600);
      let result: Result;
      try {
        for (let step = pieces.next(); ; step = pieces.next()) {
          if (step.done === true) {
            result = step.value;
            break;
          }
          writeAll(file, step.value);
          hash.update(step.value);
          bytes += step.value.length;
          onPiece(bytes);
        }
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      moveIntoPlace(part, target);
      return { sha256: hash.digest('hex'), bytes, result };
    } catch (error) {
      removeQuietly(part);
      throw error;
    }
  });
}

/**
 * Writes files into a new folder `target`, all of them or none.
 *
 * @returns as `writeWhole`; `sha256` is the hash of a list with one line `hash  name` for each file
 */
export function writeFolder<Result>(
  target: string,
  files: Generator<{ readonly name: string; readonly bytes: Uint8Array }, Result>,
  onPiece: (bytes: number) => void = () => undefined,
): Written<Result> {
  const part = partOf(target);
  return asTargetError(target, () => {
    rmSync(part, { force: true, recursive: true });
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      mkdirSync(part, { mode: 0o700 });
      for (let step = files.next(); ; step = files.next()) {
        if (step.done === true) {
          syncFolder(part);
          moveIntoPlace(part, target);
          return { sha256: hash.digest('hex'), bytes, result: step.value };
        }
        const { name, bytes: content } = step.value;
        const file = openSync(join(part, name), 'wx', 0o600);
        try {
          writeAll(file, content);
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        hash.update(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
        bytes += content.length;
        onPiece(bytes);
      }
    } catch (error) {
      removeQuietly(part);
      throw error;
    }
  });
}

function partOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.part`);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}

function moveIntoPlace(part: string, target: string): void {
  // Another process may have created it meanwhile.
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw new TargetError('exists');
  renameSync(part, target);
  syncFolder(dirname(target));
}

/** Removes a temporary file if possible. On a removed stick it stays, but never under the final name. */
function removeQuietly(part: string): void {
  try {
    rmSync(part, { force: true, recursive: true });
  } catch (error) {
    if (codeOf(error) === '') throw error;
  }
}

const FAULTS: Readonly<Record<string, TargetFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'readOnly',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  ENOENT: 'gone',
  ENODEV: 'gone',
  ENXIO: 'gone',
  ESTALE: 'gone',
  ENOTDIR: 'gone',
  EEXIST: 'exists',
  ENAMETOOLONG: 'name',
  EINVAL: 'name',
  EIO: 'failing',
};

function asTargetError<Result>(target: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof TargetError || code === '') throw error;
    const fault = FAULTS[code];
    // Writing to a removed stick can fail in any way, and its folder disappears.
    if (!existsSync(dirname(target))) throw new TargetError('gone');
    if (fault === undefined) throw error;
    throw new TargetError(fault);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
