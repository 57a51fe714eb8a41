/** Foreign files in a data folder cause a refusal with a reason or a repair, never a crash. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { StartRefusal } from '../../../../src-main/core/foundations/refusal.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { stamperOf } from '../../real-parts.ts';

it.each([
  ['with a table of the same name', `CREATE TABLE record (x); INSERT INTO record VALUES (1)`],
  ['with a higher version number than ours', 'CREATE TABLE notes (x); PRAGMA user_version = 700'],
  ['with our version number by chance', 'CREATE TABLE notes (x); PRAGMA user_version = 10'],
  ['with no version number and no table of ours', 'CREATE TABLE notes (x)'],
])('a mirror.db of another program is replaced by an empty mirror: one %s', (_which, sql) => {
  const path = join(ownFolder(), 'mirror.db');
  const foreign = new BetterSqlite3(path);
  foreign.exec(sql);
  foreign.close();
  const mirror = openMirror(path, 'E1');
  expect(mirror.count('visitors')).toBe(0);
  mirror.setMetadata('event', 'kept');
  mirror.close();
  const again = openMirror(path, 'E1');
  expect(again.metadata('event')).toBe('kept');
  again.close();
});

it.each(['journal.db', 'journal.tail'])('a folder called %s is refused in one sentence', (name) => {
  const folder = ownFolder();
  mkdirSync(join(folder, name));
  const clock = handClock();
  const open = () => openDurableJournal({ folder, stamper: stamperOf(clock), clock, log: rememberingLog() });
  expect(open).toThrow(StartRefusal);
  expect(open).toThrow(/is a folder where a file of Touchpoint belongs/);
});
