/**
 * Rehearsals on disk: `rehearsal.json` holds the rehearsal in progress. The folder `rehearsals` holds the sheets of
 * finished rehearsals.
 *
 * Invariants:
 * - each file is complete or absent;
 * - an unreadable file counts as absent;
 * - the sheet of a rehearsal that ended never changes.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type RehearsalSheet, rehearsalSchema, rehearsalSheetSchema } from '../contract/rehearsal.ts';
import { writeWhole } from '../device-setup/whole-file.ts';

const IN_PROGRESS = 'rehearsal.json';
const ENDED = 'rehearsals';
const MOST = 50;

const recordSchema = z.object({
  drill: rehearsalSchema,
  /** The state when the current step began. */
  begun: z.object({ run: z.string(), captured: z.number(), onlineMs: z.number() }),
  /** Samples that must still be undone. */
  pending: z.array(z.string()),
});

/** A rehearsal in progress. */
export type RehearsalRecord = z.infer<typeof recordSchema>;

/** The rehearsal in progress, or null. */
export function readRecord(folder: string): RehearsalRecord | null {
  const read = recordSchema.safeParse(jsonOf(join(folder, IN_PROGRESS)));
  return read.success ? read.data : null;
}

/** Writes the rehearsal in progress; null removes it. @throws the error of the file system */
export function writeRecord(folder: string, record: RehearsalRecord | null): void {
  const path = join(folder, IN_PROGRESS);
  if (record === null) rmSync(path, { force: true });
  else writeWhole(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** Writes the sheet of a rehearsal that ended. @throws the error of the file system */
export function keepSheet(folder: string, sheet: RehearsalSheet): void {
  mkdirSync(join(folder, ENDED), { recursive: true, mode: 0o700 });
  writeWhole(join(folder, ENDED, `${sheet.id}.json`), `${JSON.stringify(sheet, null, 2)}\n`);
}

/** The latest sheets, newest first. */
export function readSheets(folder: string): readonly RehearsalSheet[] {
  return namesIn(join(folder, ENDED))
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed()
    .slice(0, MOST)
    .flatMap((name) => {
      const read = rehearsalSheetSchema.safeParse(jsonOf(join(folder, ENDED, name)));
      return read.success ? [read.data] : [];
    });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
