/**
 * Erases facts in all other files that hold them: the backups in `backup/`, the sidecar log, quarantines.
 *
 * Invariants:
 * - Payloads and all stored details of a person are removed. Hashes stay, so a backup still verifies.
 * - A backup changes in one transaction, and its freed bytes are overwritten.
 * - A quarantine whose facts were recovered is removed completely, because damaged pages cannot be edited one by one.
 *   An open quarantine stays and is reported.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, isDamage, openCopy, storageFault } from '../../foundations/store/database.ts';
import type { DurableJournal } from './durable-journal.ts';
import { readSidecarLog } from './sidecar-log.ts';

/** Result for one file or folder. `nothing`: it held no content of the facts. `left`: it may still hold some. */
type ErasedPlace = {
  /** Its name in the data folder. */
  readonly place: string;
  readonly state: 'erased' | 'nothing' | 'removed' | 'left';
  readonly why: 'open-quarantine' | 'unreadable' | null;
};

/** Erases the facts with these ids in every file of the data folder except the journal. */
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

/** Number of backups and quarantines. */
export function countCopies(folder: string, durable: Pick<DurableJournal, 'quarantines'>): number {
  return copiesOf(folder).length + durable.quarantines.all().length;
}

/** Every database in `backup/`, including those kept because they hold more facts. */
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

/** The personal columns of `lead`, in any version of the schema. */
const PERSONAL: Readonly<Record<string, string>> = {
  erased: '1',
  badge: `''`,
  visitor: 'NULL',
  name: 'NULL',
  company: 'NULL',
  job_title: 'NULL',
  place: 'NULL',
  search: `''`,
  record: 'NULL',
  elsewhere: 'NULL',
};

/** Erases facts in a database of any version. Returns how many had content. */
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

/** Rewrites the sidecar log from the journal, which no longer has the content of these facts. */
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
