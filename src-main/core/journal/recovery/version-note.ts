/**
 * Stores which version last used the journal and how many facts it left: `last-version.json` in the data folder. A new
 * version, and a start that finds fewer facts, reports whether all of them were found.
 *
 * Invariants:
 * - The note is written completely or not at all. A failed write costs only the note.
 * - The comparison is made once, at the first start of another version or with fewer facts, and reported until the
 *   next one.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../foundations/ports.ts';

export const VERSION_FILE = 'last-version.json';

const count = z.int().nonnegative();
const changeSchema = z.object({ from: z.string(), left: count, found: count });
const noteSchema = z.object({
  version: z.string(),
  facts: count,
  schema: count.optional(),
  change: changeSchema.nullable(),
});

type Note = z.infer<typeof noteSchema>;

/**
 * The result of a comparison: version `from` left `left` facts, and the start that compared found `found` facts.
 */
export type VersionChange = z.infer<typeof changeSchema>;

type VersionNotePorts = {
  /** The data folder. */
  readonly folder: string;
  readonly log: Log;
  readonly version: string;
  /** How many facts the journal holds now. */
  readonly facts: () => number;
  /** Schema version of the journal. */
  readonly schema: () => number;
};

type VersionNote = {
  /** The last comparison. Null if there was none. */
  readonly change: VersionChange | null;
  /** Writes the current number of facts. The journal must still be open. */
  readonly leave: () => void;
};

/** How many facts the last run left in a data folder. Null if there is no note. */
export function factsLeft(folder: string): number | null {
  const note = read(join(folder, VERSION_FILE));
  if (note === null) return null;
  return note.change === null ? note.facts : Math.max(note.facts, note.change.left);
}

/** Compares with the last note, and writes one for this version. */
export function openVersionNote({ folder, log, version, facts, schema }: VersionNotePorts): VersionNote {
  const path = join(folder, VERSION_FILE);
  const before = read(path);
  const found = facts();
  const change = changeOf(before, version, found);
  if (change !== null && change !== before?.change) {
    const report = change.found < change.left ? log.error : log.info;
    const isOther = change.from !== version;
    report(
      isOther ? 'another version opened the journal' : 'the journal lacks facts of the last run',
      change,
    );
  }
  const write = (note: Note): void => {
    try {
      writeFileSync(`${path}.part`, `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
      renameSync(`${path}.part`, path);
    } catch (error) {
      log.warn('the note of the last version cannot be written', { error: String(error) });
    }
  };
  if (before?.version !== version || before.facts !== found || before.schema !== schema())
    write({ version, facts: found, schema: schema(), change });
  return {
    change,
    leave: () => {
      const left = facts();
      if (left !== found) write({ version, facts: left, schema: schema(), change });
    },
  };
}

function changeOf(before: Note | null, version: string, found: number): VersionChange | null {
  if (before === null) return null;
  if (before.version === version && found >= before.facts) return before.change;
  return { from: before.version, left: before.facts, found };
}

function read(path: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
