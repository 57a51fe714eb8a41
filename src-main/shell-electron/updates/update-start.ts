/**
 * A start after an update: the version before comes back when this one failed twice.
 *
 * Invariants: a start of another version than the one that is being tried forgets the trial; a version that gave way is not
 * taken again; where the one before could not open the journal any more, it does not come back.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { wayBack } from '../policies/update-policy.ts';
import { restoreProgram } from './app-image.ts';
import { readUpdateRecord, writeUpdateRecord } from './update-record.ts';

export type UpdatedStart = {
  /** The data folder, and the shell's own one in it. */
  readonly data: string;
  readonly folder: string;
  readonly version: string;
  /** Starts before this one that never came to a living page. */
  readonly failed: number;
  /** The AppImage this app runs from; null: none. */
  readonly program: string | null;
};

/** `back`: the version before is in place again. `sentence`: for whoever started the app. */
export type UpdateTurn =
  | { readonly kind: 'usual' }
  | { readonly kind: 'stuck' | 'back'; readonly sentence: string };

/** Decides at a start. @throws what the disk says while a program is put back */
export function turnOfStart({ data, folder, version, failed, program }: UpdatedStart): UpdateTurn {
  const record = readUpdateRecord(folder);
  if (record === null || record.trying === null) return { kind: 'usual' };
  const { to, from, schema } = record.trying;
  if (to !== version) {
    writeUpdateRecord(folder, { ...record, trying: null });
    return { kind: 'usual' };
  }
  const way = wayBack({ failed, schemaBefore: schema, schemaNow: noted(data, version) });
  if (way === 'stuck') {
    const sentence = `Version ${to} failed ${failed} times; ${from} could not open the journal any more, so it stays.`;
    return { kind: 'stuck', sentence };
  }
  if (way === 'stay' || program === null || !restoreProgram(program, folder)) return { kind: 'usual' };
  writeUpdateRecord(folder, { ...record, trying: null, failed: to });
  return { kind: 'back', sentence: `Version ${to} failed ${failed} times; ${from} is started again.` };
}

/** The version that is being tried came to a living page: it stays. */
export function settleUpdate(folder: string): void {
  const record = readUpdateRecord(folder);
  if (record === null || record.trying === null) return;
  try {
    writeUpdateRecord(folder, { ...record, trying: null });
  } catch {
    // Told again at the next start; the app works.
  }
}

const noteSchema = z.object({ version: z.string(), schema: z.int() });

/** The journal's tables as this version left them (`core/recovery/version-note.ts`); null: it never opened them. */
function noted(data: string, version: string): number | null {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(join(data, 'last-version.json'), 'utf8')));
    return note.version === version ? note.schema : null;
  } catch {
    return null;
  }
}
