/**
 * Erasing facts in everything that holds them once more: the copies in `backup/`, the sidecar log, quarantines.
 *
 * Invariants: payloads and every copy of a person go, hashes stay, so a copy still proves itself; a copy is changed in one
 * transaction, with its freed bytes overwritten; a quarantine whose facts were brought back is removed as a whole,
 * because damaged pages cannot be changed one by one; one that is still open stays, and is named.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, isDamage, openCopy, storageFault } from '../../foundations/store/database.ts';
import type { DurableJournal } from './durable-journal.ts';
import { readSidecarLog } from './sidecar-log.ts';

/** What became of a place. `nothing`: it held none of them. `left`: it still holds what it held. */
export type ErasedPlace = {
  /** Its name in the data folder. */
  readonly place: string;
  readonly state: 'erased' | 'nothing' | 'removed' | 'left';
  readonly why: 'open-quarantine' | 'unreadable' | null;
};

/** Erases the facts of these ids wherever the data folder holds them beside the journal. */
export function eraseInCopies(
  folder: string,
  durable: Pick<DurableJournal, 'current' | 'quarantines'>,
  ids: readonly string[],
): readonly ErasedPlace[] {
  return [
    ...copiesOf(folder).map((place) => eraseInCopy(folder, place, ids)),
    eraseInSidecarLog(folder, durable, ids),
    ...durable.quarantines.all().map(({ name, folder: path, note }): ErasedPlace => {
      if (note.state !== 'done') return { place: name, state: 'left', why: 'open-quarantine' };
      rmSync(path, { recursive: true, force: true });
      return { place: name, state: 'removed', why: null };
    }),
  ];
}

/** How many copies and quarantines there are that may hold a fact. */
export function countCopies(folder: string, durable: Pick<DurableJournal, 'quarantines'>): number {
  return copiesOf(folder).length + durable.quarantines.all().length;
}

/** Every database in `backup/`, also those that were kept because they hold more. */
function copiesOf(folder: string): readonly string[] {
  const backup = join(folder, 'backup');
  if (!existsSync(backup)) return [];
  return readdirSync(backup)
    .filter((name) => name.endsWith('.db'))
    .toSorted()
    .map((name) => join('backup', name));
}

function eraseInCopy(folder: string, place: string, ids: readonly string[]): ErasedPlace {
  let copy: Database | null = null;
  try {
    copy = openCopy(join(folder, place));
    copy.pragma('secure_delete = ON');
    return { place, state: eraseFacts(copy, ids) > 0 ? 'erased' : 'nothing', why: null };
  } catch (error) {
    if (!isDamage(error) && storageFault(error) === null) throw error;
    return { place, state: 'left', why: 'unreadable' };
  } finally {
    copy?.close();
  }
}

/** What of a row of `lead` is a person's, in any version of the schema. */
const PERSONAL: Readonly<Record<string, string>> = {
  ...{ erased: '1', badge: `''`, visitor: 'NULL', name: 'NULL', company: 'NULL', job_title: 'NULL' },
  ...{ place: 'NULL', search: `''`, record: 'NULL', elsewhere: 'NULL' },
};

/** Erases facts in a database of any version; how many had content. */
function eraseFacts(copy: Database, ids: readonly string[]): number {
  const has = (table: string): boolean =>
    copy.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined;
  const columns = copy
    .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('lead')`)
    .all()
    .flatMap(({ name }) => (PERSONAL[name] === undefined ? [] : [`${name} = ${PERSONAL[name]}`]));
  const all = copy.transaction((): number => {
    const given = JSON.stringify(ids);
    const facts = 'SELECT seq FROM fact WHERE id IN (SELECT value FROM json_each(?))';
    const leads = `SELECT lead FROM lead_fact WHERE seq IN (${facts})`;
    if (has('email')) {
      copy
        .prepare(`DELETE FROM email WHERE visitor IN (SELECT visitor FROM lead WHERE id IN (${leads}))`)
        .run(given);
    }
    for (const table of ['lead_badge', 'lead_key'])
      if (has(table)) copy.prepare(`DELETE FROM ${table} WHERE lead IN (${leads})`).run(given);
    if (columns.length > 0)
      copy.prepare(`UPDATE lead SET ${columns.join(', ')} WHERE id IN (${leads})`).run(given);
    copy.prepare(`UPDATE outbox SET wire = NULL, wire_sha256 = NULL WHERE seq IN (${facts})`).run(given);
    return copy
      .prepare(`UPDATE fact SET payload = NULL WHERE payload IS NOT NULL AND seq IN (${facts})`)
      .run(given).changes;
  });
  return all.immediate();
}

/** Writes the sidecar log anew from the journal, which has no content of these facts any more. */
function eraseInSidecarLog(
  folder: string,
  durable: Pick<DurableJournal, 'current'>,
  ids: readonly string[],
): ErasedPlace {
  const place = 'journal.tail';
  const { facts } = readSidecarLog(join(folder, place));
  const gone = new Set(ids);
  if (!facts.some(({ id, payload }) => gone.has(id) && payload !== null))
    return { place, state: 'nothing', why: null };
  durable.current().renewSidecarLog(Math.min(...facts.map(({ seq }) => seq)));
  return { place, state: 'erased', why: null };
}
