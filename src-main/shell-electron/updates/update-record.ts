/**
 * What became of updates on this device: `electron/update.json` in the data folder.
 *
 * Invariant: whatever cannot be read is no record, and no app goes back because of it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const recordSchema = z.object({
  /** Which of a hundred parts of all devices this one belongs to. */
  number: z.int().min(0).max(99),
  /** The version that was put in place and has not come to a living page yet. */
  trying: z.object({ to: z.string(), from: z.string(), schema: z.int().nullable() }).nullable(),
  /** A version that was tried and gave way. */
  failed: z.string().nullable(),
});

export type UpdateRecord = z.infer<typeof recordSchema>;

/** The record in `folder`, or null. */
export function readUpdateRecord(folder: string): UpdateRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(folder, 'update.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** Keeps it. @throws what the disk says */
export function writeUpdateRecord(folder: string, record: UpdateRecord): void {
  const path = join(folder, 'update.json');
  writeFileSync(`${path}.part`, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.part`, path);
}
