/**
 * Rows from damaged pages are read by column name: for every schema version they give the values that SQLite gave.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import type { Migration } from '../../../../src-main/core/foundations/store/migrations.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { pageImages, type StoredRecord } from '../../../../src-main/core/journal/recovery/page-images.ts';
import { recoverRows } from '../../../../src-main/core/journal/recovery/recovered-rows.ts';
import { storedTables } from '../../../../src-main/core/journal/recovery/stored-rows.ts';
import { ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';

/** Makes a file unreadable for SQLite without changing the pages that hold its rows. */
const wipeHead = (path: string): void => {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(100, 0xa5), 0, 100, 0);
  closeSync(file);
};

const columnsOf = (database: Database, table: string): readonly string[] =>
  database
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);

const openAt = (path: string, migrations: readonly Migration[]): Database =>
  openDatabase(path, { durability: 'full', migrations });

describe('rows of a schema that grew', () => {
  const steps: readonly Migration[] = [
    {
      version: 10,
      name: 'first',
      sql: `
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, size INTEGER) STRICT;
        CREATE TABLE place (hall TEXT, note TEXT, stand TEXT, PRIMARY KEY (stand, hall)) STRICT, WITHOUT ROWID;
      `,
    },
    {
      version: 20,
      name: 'more',
      sql: `
        ALTER TABLE item ADD COLUMN colour TEXT NOT NULL DEFAULT 'it''s blue';
        ALTER TABLE place ADD COLUMN floor INTEGER NOT NULL DEFAULT -1;
      `,
    },
    { version: 30, name: 'last', sql: 'ALTER TABLE item ADD COLUMN weight INTEGER' },
  ];
  const tables = {
    item: ['colour', 'weight', 'id', 'name', 'size'],
    place: ['hall', 'stand', 'note', 'floor'],
  };

  it("match SQLite's result for every version", () => {
    const path = join(ownFolder(), 'grown.db');
    for (const [index] of steps.entries()) {
      const database = openAt(path, steps.slice(0, index + 1));
      database.exec(`
        INSERT INTO item (id, name, size) VALUES (${10 + index}, 'name ${index}', ${index * 1_000});
        INSERT INTO place (hall, note, stand) VALUES ('hall ${index}', 'note ${index}', 'stand ${index}');
      `);
      if (index === 2) database.exec(`INSERT INTO item VALUES (99, 'whole', 1, 'red', 2)`);
      database.close();
    }
    const database = openAt(path, steps);
    const expected = {
      item: database.prepare('SELECT colour, weight, id, name, size FROM item ORDER BY id').all(),
      place: database.prepare('SELECT hall, stand, note, floor FROM place ORDER BY stand').all(),
    };
    database.close();
    wipeHead(path);

    const { item, place } = storedTables(steps, tables);
    expect([item.leastColumns, place.leastColumns]).toEqual([3, 3]);
    const records: StoredRecord[] = [];
    for (const image of pageImages(path, 3)) records.push(...image.records());
    // SQLite's own schema table has five columns like an item, so a reader of rows must check the values.
    const rows = records.filter(({ values }) => values[0] !== 'table');
    const found = (table: typeof item | typeof place) =>
      rows.map((record) => table.rowOf(record)).filter((row) => row !== null);
    expect(found(item)).toEqual(expected.item);
    expect(found(place)).toEqual(expected.place);
  });

  it('are distinguished from rows of other tables and from shorter rows', () => {
    const { item, place } = storedTables(steps, tables);
    const values = [null, 'a', 1] as const;
    expect(item.rowOf({ rowid: null, values, rank: 0 })).toBeNull();
    expect(place.rowOf({ rowid: 1, values, rank: 0 })).toBeNull();
    expect(item.rowOf({ rowid: 1, values: [null, 'a'], rank: 0 })).toBeNull();
  });

  it('cannot be requested from an unknown table or with an unknown column', () => {
    expect(() => storedTables(steps, { item: ['price'] })).toThrow(
      'Expected a table item with a column price',
    );
    expect(() => storedTables(steps, { order: ['id'] })).toThrow('Expected a table order with a column id');
  });
});

describe('a damaged journal', () => {
  it.each(JOURNAL_MIGRATIONS)('of version $version ($name) is recovered completely', ({ version }) => {
    const folder = ownFolder();
    const latest = join(folder, 'latest.db');
    const journal = openJournal(latest, stamperOf());
    const taps = Array.from({ length: 30 }, (_, index) => {
      const visitor = visitorOf(`v${index}`, `Visitor ${index}`);
      const { fact } = journal.record(tapOf(`04AA${index}`, visitor.id), visitor);
      if (index % 2 === 0)
        journal.outbox.markInFlight([{ seq: fact.seq, wire: JSON.stringify({ id: fact.id }) }], 5n, 1);
      return { fact, visitor };
    });
    journal.close();

    const old = join(folder, 'old');
    mkdirSync(old);
    const database = openAt(
      join(old, 'journal.db'),
      JOURNAL_MIGRATIONS.filter((step) => step.version <= version),
    );
    database.exec(`ATTACH '${latest}' AS latest`);
    for (const table of ['fact', 'outbox', 'lead']) {
      const names = columnsOf(database, table).join(', ');
      database.exec(`INSERT INTO main.${table} (${names}) SELECT ${names} FROM latest.${table}`);
    }
    database.exec('DETACH latest');
    database.close();
    wipeHead(join(old, 'journal.db'));

    const gathering = recoverRows(old);
    let step = gathering.next();
    while (step.done !== true) step = gathering.next();
    const { facts, deliveryOf, visitorOf: personOf } = step.value;
    expect(facts.map(({ seq, id, hash }) => ({ seq, id, hash }))).toEqual(
      taps.map(({ fact: { seq, id, hash } }) => ({ seq, id, hash })),
    );
    for (const { fact, visitor } of taps) {
      const isAway = fact.seq % 2 === 1;
      expect(deliveryOf(fact.seq)).toMatchObject(
        isAway
          ? { state: 'in_flight', attempts: 1, since_revision: 5 }
          : { state: 'due', attempts: 0, wire: null },
      );
      expect(personOf({ badge: '', visitor: visitor.id })).toEqual(visitor);
    }
  });

  it('can be read by the order of its columns, because no migration moves, drops or renames one', () => {
    const columnsAt = (last: number) => {
      const database = openAt(join(ownFolder(), 'journal.db'), JOURNAL_MIGRATIONS.slice(0, last));
      const tables = database
        .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all();
      const columns = new Map(tables.map(({ name }) => [name, columnsOf(database, name)]));
      database.close();
      return columns;
    };
    for (const [index, { name }] of JOURNAL_MIGRATIONS.entries()) {
      const after = columnsAt(index + 1);
      for (const [table, columns] of columnsAt(index)) {
        expect(after.get(table)?.slice(0, columns.length), `${table} after ${name}`).toEqual(columns);
      }
    }
  });
});
