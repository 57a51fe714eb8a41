/**
 * How the starts before went, in the data folder: `electron/starts.json`.
 *
 * Invariants: a start counts as failed until a page of it reached the core; a disk that cannot be written never keeps the app
 * from starting.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeStart, readStartRecord } from './policies/safe-start.ts';

export type Start = {
  /** Whether this start leaves out what may have made the ones before fail. */
  readonly isSafe: boolean;
  /** A page lives: the next start is a usual one. */
  readonly succeeded: () => void;
};

/** Counts a start in `folder`. */
export function beginStart(folder: string): Start {
  const path = join(folder, 'starts.json');
  const write = (failed: number) => {
    try {
      writeFileSync(path, `${JSON.stringify({ failed })}\n`, { mode: 0o600 });
    } catch {
      return;
    }
  };
  const record = readStartRecord(read(path));
  write(record.failed + 1);
  return { isSafe: isSafeStart(record), succeeded: () => write(0) };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
