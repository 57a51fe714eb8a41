/**
 * A rehearsal on disk: `rehearsal.json` while it is under way, and the folder `rehearsals` of those that ended.
 *
 * Invariants: each file is whole or not there; one that cannot be read is none; nothing that ended is changed again.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type RehearsalSheet, rehearsalSchema, rehearsalSheetSchema } from '../contract/rehearsal.ts';
import { writeWhole } from '../device-setup/whole-file.ts';

const UNDER_WAY = 'rehearsal.json';
const ENDED = 'rehearsals';
const MOST = 50;

const drillSchema = z.object({
  drill: rehearsalSchema,
  /** When the present step began: in which run, with how many facts. */
  begun: z.object({ run: z.string(), captured: z.number(), onlineMs: z.number() }),
  /** Samples that are not taken back yet. */
  pending: z.array(z.string()),
});

/** A rehearsal under way. */
export type Drill = z.infer<typeof drillSchema>;

/** The one under way, or null. */
export function readDrill(folder: string): Drill | null {
  const read = drillSchema.safeParse(jsonOf(join(folder, UNDER_WAY)));
  return read.success ? read.data : null;
}

/** Keeps the one under way; null: there is none any more. @throws what the disk says */
export function writeDrill(folder: string, drill: Drill | null): void {
  const path = join(folder, UNDER_WAY);
  if (drill === null) rmSync(path, { force: true });
  else writeWhole(path, `${JSON.stringify(drill, null, 2)}\n`);
}

/** Keeps one that ended. @throws what the disk says */
export function keepSheet(folder: string, sheet: RehearsalSheet): void {
  mkdirSync(join(folder, ENDED), { recursive: true, mode: 0o700 });
  writeWhole(join(folder, ENDED, `${sheet.id}.json`), `${JSON.stringify(sheet, null, 2)}\n`);
}

/** Those that ended, the latest first. */
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
