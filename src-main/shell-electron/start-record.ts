/**
 * Counts failed starts in `electron/starts.json` of the data folder, and decides whether this start is a safe one.
 *
 * Invariants:
 * - a start counts as failed until one of its pages has connected to the core;
 * - after two failed starts the next start is a safe start, so that staff can reach the machine: it uses no graphics
 *   card, a window instead of the full screen, and no second display;
 * - one successful start resets the count;
 * - an unreadable record does not count as a failed start, and a disk that refuses the record does not prevent a
 *   start.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const MOST_FAILED = 2;

const recordSchema = z.strictObject({ failed: z.int().min(0) });

export type Start = {
  /** Whether this start leaves out the parts that may have caused the failures. */
  readonly isSafe: boolean;
  /** A page has connected: resets the count. */
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
  const failed = readFailed(path);
  write(failed + 1);
  return { isSafe: failed >= MOST_FAILED, succeeded: () => write(0) };
}

function readFailed(path: string): number {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).failed;
  } catch {
    return 0;
  }
}
