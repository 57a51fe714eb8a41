/** A journal with everything that a usual day brings, and its import on another machine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { createJournal, type Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { factFile } from '../../../../src-main/core/team/exports/fact-export.ts';
import {
  type Imported,
  type ImportPorts,
  importFacts,
} from '../../../../src-main/core/team/exports/fact-import.ts';
import { createTakeFacts } from '../../../../src-main/core/team/exports/take-facts.ts';
import { handClock, ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { stamperOf } from '../../real-parts.ts';

/** A folder with a journal, and a connection for reading it. */
export type Machine = { readonly folder: string; readonly journal: Journal; readonly database: Database };

/** A machine that has no facts. */
export const machine = (folder = ownFolder()): Machine => {
  const database = openDatabase(join(folder, 'journal.db'), {
    durability: 'full',
    migrations: JOURNAL_MIGRATIONS,
  });
  const journal = createJournal(database, stamperOf(handClock()));
  onTestFinished(() => {
    if (database.open) journal.close();
  });
  return { folder, journal, database };
};

/**
 * A day at a stand: due, parked and confirmed facts, two badges of one person, an undone tap, an erased tap and another
 * partner's tap.
 */
export const aDay = ({ journal }: Machine, prefix = ''): void => {
  const v1 = visitorOf(`${prefix}v1`, 'Ada "quoted" Muster');
  const { fact: first } = journal.record(tapOf(`${prefix}04A1`, v1.id), v1);
  const { fact: other } = journal.record(tapOf(`${prefix}04A2`, v1.id), v1);
  const note = { badge: `${prefix}04A1`, visitor: v1.id, fields: { notes: 'line\n"two" 🤖 \ud83d half' } };
  journal.record({ ...tapOf(''), kind: 'note', source: null, payload: note }, v1);
  const { fact: unknown } = journal.record(tapOf(`${prefix}04FF`), null);
  journal.record({ ...tapOf(''), kind: 'undo', payload: { undoes: unknown.id } }, null);
  journal.record(
    { ...tapOf(`${prefix}04B1`, `${prefix}v2`), partner: 'p2' },
    visitorOf(`${prefix}v2`, 'Of P2'),
  );
  journal.record(tapOf(`${prefix}04C1`, `${prefix}v3`), visitorOf(`${prefix}v3`, 'Forgotten Person'));
  journal.erase(`${prefix}v3`);
  journal.record(tapOf(`${prefix}04D1`, `${prefix}v4`), visitorOf(`${prefix}v4`, 'Wei 李'));
  const [a, b] = [first.seq, other.seq].map((seq) => ({ seq, wire: JSON.stringify({ seq }) }));
  if (a === undefined || b === undefined) return;
  journal.outbox.markInFlight([a, b], 7n, 100);
  journal.outbox.settle(
    [
      { seq: a.seq, kind: 'sent', action: 'act1', revision: 9_007_199_254_740_993n },
      { seq: b.seq, kind: 'parked', reason: 'label unknown' },
    ],
    200,
  );
  journal.outbox.confirm([{ id: first.id, action: 'act1', revision: 9_007_199_254_740_993n }], 300);
};

/** The file of a partner's facts. */
export const fileOf = ({ database }: Machine, partner = 'p1', event = 'E1'): Buffer =>
  Buffer.concat([...factFile(database, { event, partner, leads: null })]);

/** Imports a file. */
export const take = (
  { folder, database, journal }: Machine,
  file: Uint8Array | string,
  expected: Partial<Pick<ImportPorts, 'event' | 'partner'>> = {},
): Imported => {
  const path = join(folder, 'incoming.jsonl');
  writeFileSync(path, file);
  const ports = { database, leads: journal.leads, take: createTakeFacts(database, journal.leads) };
  return importFacts(path, { ...ports, event: null, partner: null, ...expected });
};
