/**
 * The log: JSON lines in a file that is rotated when it is full, or on standard error.
 *
 * Invariants
 * - A failed write never stops the platform. The line is lost, the first failure is reported on standard error, and
 *   the next line is tried again. No line is buffered in memory.
 * - The file with the given name is the newest. `.1` to `.5` are the previous files, and older files are removed. So
 *   a log uses at most 60 MB.
 * - Only the user of the service can read the files.
 */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import pino, { type Logger } from 'pino';

/** Maximum size of a file in bytes. */
const fullSize = 10_000_000;

/** The number of full files that are kept. */
const keptFiles = 5;

type Sink = { readonly write: (line: string) => void };

type OpenFile = { readonly descriptor: number; size: number };

function openFile(path: string): OpenFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, size: fstatSync(descriptor).size };
}

/** Moves every file one number up; the oldest is overwritten. */
function shiftFiles(path: string, kept: number): void {
  for (let number = kept; number >= 1; number -= 1) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** A log file at `path` with at most `full` bytes. `complain` is called once, at the first failed write. */
export function createLogFile(path: string, complain: (reason: string) => void, full = fullSize): Sink {
  let current: OpenFile | null = null;
  let hasComplained = false;
  const close = (): void => {
    const file = current;
    current = null;
    if (file !== null) closeSync(file.descriptor);
  };
  return {
    write: (line) => {
      try {
        current ??= openFile(path);
        if (current.size > 0 && current.size + line.length > full) {
          close();
          shiftFiles(path, keptFiles);
          current = openFile(path);
        }
        current.size += writeSync(current.descriptor, line);
      } catch (error) {
        if (!hasComplained) complain((error as NodeJS.ErrnoException).code ?? 'unknown reason');
        hasComplained = true;
      }
    },
  };
}

/** Writes to standard error as long as another process reads it. */
function openStandardError(): Sink {
  let isOpen = true;
  process.stderr.on('error', () => {
    isOpen = false;
  });
  return {
    write: (line) => {
      if (isOpen) process.stderr.write(line);
    },
  };
}

/** Opens the log in a file, or on standard error without a file. */
export function openLog(path: string | null): Logger {
  const standardError = openStandardError();
  if (path === null) return pino({}, standardError);
  const complain = (reason: string): void =>
    standardError.write(
      `The log ${path} cannot be written (${reason}); the platform continues without it.\n`,
    );
  return pino({}, createLogFile(path, complain));
}
