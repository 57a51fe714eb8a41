/** Reading pages without SQLite: from any remains of a file it returns records or nothing, and it never throws. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { pageImages } from '../../../../src-main/core/journal/recovery/page-images.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchpoint-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = 3;

/** A file of short and overflowing rows. Returns their contents. */
const writeRows = (path: string): ReadonlySet<string> => {
  const database = openDatabase(path, {
    durability: 'normal',
    migrations: [
      {
        version: 10,
        name: 'items',
        sql: 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, body TEXT) STRICT',
      },
    ],
  });
  const insert = database.prepare('INSERT INTO item (id, name, body) VALUES (?, ?, ?)');
  const bodies = Array.from({ length: 40 }, (_unused, index) =>
    `row ${index} `.repeat(index % 4 === 0 ? 900 : 8),
  );
  for (const [index, body] of bodies.entries()) insert.run(index + 1, `name ${index}`, body);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return new Set(bodies);
};

const bodiesIn = (path: string): ReadonlySet<unknown> => {
  const bodies = new Set<unknown>();
  for (const image of pageImages(path, COLUMNS)) {
    for (const record of image.records()) bodies.add(record.values.at(2));
  }
  return bodies;
};

/** Repeatable bytes. */
const bytesOf = (seed: number, length: number): Buffer => {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  };
  return Buffer.from(Array.from({ length }, next));
};

it('finds every row of an undamaged file', () => {
  const path = join(folder, 'whole.db');
  const rows = writeRows(path);
  const found = bodiesIn(path);
  expect([...rows].filter((row) => !found.has(row))).toEqual([]);
});

it('reads a mostly lost page that looks like the start of a long row without throwing', () => {
  const path = join(folder, 'rest.db');
  for (let length = 12; length < 400; length += 1) {
    for (const size of [200, 257, 365, 511, 900]) {
      const rest = Buffer.alloc(length);
      // Payload size as a varint of two bytes, row id, header size, first column NULL.
      rest.set([0x80 | (size >> 7), size & 0x7f, 1, 8, 0], 4);
      writeFileSync(path, rest);
      expect(() => bodiesIn(path), `${length} bytes left, a row of ${size}`).not.toThrow();
    }
  }
});

it('reads a file truncated within its last two pages without throwing', () => {
  const path = join(folder, 'whole-to-cut.db');
  writeRows(path);
  const whole = readFileSync(path);
  const cut = join(folder, 'cut.db');
  for (let size = whole.length - 1; size > whole.length - 2 * 4_096; size -= 7) {
    writeFileSync(cut, whole.subarray(0, size));
    expect(() => bodiesIn(cut), `${size} bytes left`).not.toThrow();
  }
});

it('reads garbage of up to 9,000 bytes without throwing', () => {
  const path = join(folder, 'garbage.db');
  for (let seed = 1; seed <= 300; seed += 1) {
    writeFileSync(path, bytesOf(seed, (seed * 97) % 9_000));
    expect(() => bodiesIn(path), `seed ${seed}`).not.toThrow();
  }
});
