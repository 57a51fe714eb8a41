/**
 * A real journal to damage, and an independent reader of a damaged one.
 *
 * Invariant: the reader shares no code with the recovery. It queries SQLite row by row and computes the hashes
 * itself.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../../../../src-main/core/foundations/ports.ts';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import type { FactDraft } from '../../../../src-main/core/journal/facts/journal.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import { createMaintenance } from '../../../../src-main/core/journal/recovery/maintenance.ts';
import { tapOf, visitorOf } from '../../fixture.ts';
import { realClock, stamperOf } from '../../real-parts.ts';

/** The real clock, except that pauses only yield to the event loop. */
export const hastyClock: Clock = {
  ...realClock,
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
};

/** A durable journal with its maintenance in `folder`, as in the device. */
export const openMaintained = (folder: string, log: Log, clock: Clock = hastyClock) => {
  const durable = openDurableJournal({ folder, stamper: stamperOf(clock), clock, log });
  let salvages = 0;
  const maintenance = createMaintenance({ durable, folder, clock, log, onSalvaged: () => (salvages += 1) });
  return { durable, maintenance, journal: durable.journal, salvages: () => salvages };
};

/** Files of a journal and its backups. */
export const FILES = ['journal.db', 'journal.db-wal', 'journal.tail', 'backup/journal-1.db'] as const;

/**
 * Writes a journal of `facts` facts into `folder`: taps, undos, ratings and names, in every delivery state except
 * uncertain. A third is also in the backup. The last twentieth is only in the write-ahead log.
 */
export const writeSample = async (folder: string, facts: number, log: Log): Promise<readonly string[]> => {
  const work = `${folder}-work`;
  mkdirSync(work, { recursive: true });
  mkdirSync(join(folder, 'backup'), { recursive: true });
  const { durable, maintenance, journal } = openMaintained(work, log);
  journal.settings.set('expo', 'AD2026');
  journal.settings.set('touchpoint', 'tp1');
  const ids: string[] = [];
  const recordOne = (index: number): void => {
    const badge = `04AA${String(index % 120).padStart(10, '0')}`;
    const visitor = index % 3 === 0 ? visitorOf(`v${index % 120}`, `Visitor ${index % 120}`) : null;
    const kind = index % 17 === 5 ? 'qualify' : index % 23 === 7 ? 'undo' : 'tap';
    const tap = tapOf(badge, visitor?.id);
    const fields = { rating: index % 5, notes: 'n'.repeat(index % 7 === 0 ? 5_000 : 40) };
    const drafts: Record<typeof kind, FactDraft> = {
      tap,
      qualify: { ...tap, kind: 'qualify', payload: { badge, fields } },
      undo: { ...tap, kind: 'undo', payload: { undoes: ids[index - 3] ?? '' } },
    };
    const { fact } = journal.record(drafts[kind], visitor);
    ids.push(fact.id);
    if (index % 2 === 0)
      journal.outbox.markInFlight([{ seq: fact.seq, wire: JSON.stringify({ id: fact.id }) }], 5n, 1);
    if (index % 4 === 0) {
      journal.outbox.settle([{ seq: fact.seq, kind: 'sent', action: `a${index}`, revision: 2n ** 60n }], 1);
    }
    if (index % 8 === 0) journal.outbox.confirm([{ id: fact.id, action: null, revision: null }], 1);
    if (index % 8 === 2) journal.outbox.settle([{ seq: fact.seq, kind: 'parked', reason: 'refused' }], 1);
  };
  for (let index = 0; index < facts; index += 1) {
    if (index === Math.floor(facts / 3)) await maintenance.backUp(new AbortController().signal);
    if (index === Math.floor((facts * 19) / 20))
      durable.current().database.pragma('wal_checkpoint(TRUNCATE)');
    recordOne(index);
  }
  // Copied while it is open, including its write-ahead log, as after a power cut.
  for (const file of FILES) copyFileSync(join(work, file), join(folder, file));
  journal.close();
  return ids;
};

/** A fresh copy of the sample. */
export const copySample = (sample: string, folder: string): void =>
  cpSync(sample, folder, { recursive: true });

export type PlainRow = Record<string, string | number | null>;

const text = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex');

/** Whether both hashes of a row match. They are computed from the documented format, not with the product's code. */
const holds = (row: PlainRow): boolean => {
  const envelope = [
    row.previous_hash,
    row.seq,
    row.id,
    row.kind,
    row.at,
    row.mono,
    row.boot,
    row.clock_offset,
  ];
  const place = [row.touchpoint, row.partner, row.reader, row.source, row.staff, row.payload_sha256];
  const payload = row.payload === null || text(String(row.payload)) === row.payload_sha256;
  return payload && row.hash === text(JSON.stringify([...envelope, ...place]));
};

const rowsBySqlite = (path: string, most: number): readonly PlainRow[] => {
  const rows: PlainRow[] = [];
  let database: ReturnType<typeof openReadOnly> = null;
  try {
    database = openReadOnly(path);
    const bySeq = database?.prepare<[number], PlainRow>('SELECT * FROM fact WHERE seq = ?');
    for (let seq = 1; seq <= most; seq += 1) {
      try {
        const row = bySeq?.get(seq);
        if (row !== undefined) rows.push(row);
      } catch {
        // This row cannot be read. The next one may be.
      }
    }
  } catch {
    // SQLite cannot read the file.
  } finally {
    database?.close();
  }
  return rows;
};

/** Every fact with valid hashes in the databases and the tail of `folder`, by id. Works on a copy in `scratch`. */
export const readableFacts = (
  folder: string,
  scratch: string,
  most: number,
): ReadonlyMap<string, PlainRow> => {
  const rows: PlainRow[] = [];
  mkdirSync(join(scratch, 'backup'), { recursive: true });
  for (const file of FILES)
    if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(scratch, file));
  copyFileSync(join(folder, 'journal.db'), join(scratch, 'without-log.db'));
  for (const file of ['journal.db', 'without-log.db', 'backup/journal-1.db']) {
    rows.push(...rowsBySqlite(join(scratch, file), most));
  }
  if (existsSync(join(scratch, 'journal.tail'))) {
    for (const line of readFileSync(join(scratch, 'journal.tail'), 'utf8').split('\n')) {
      try {
        const { fact } = JSON.parse(line.slice(9)) as { fact?: PlainRow };
        if (fact !== undefined) rows.push(fact);
      } catch {
        // The line is not valid.
      }
    }
  }
  return new Map(rows.filter(holds).map((row) => [String(row.id), row]));
};
