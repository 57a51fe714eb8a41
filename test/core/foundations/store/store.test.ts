/** Opening databases: their settings are verified, and an unusable journal is refused without changing it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { StartRefusal } from '../../../../src-main/core/foundations/refusal.ts';
import {
  openDatabase,
  openReadOnly,
  storageFault,
} from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import { notRunUnless } from '../../../not-run.ts';
import { handClock, ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { chainAt, openJournal, pageOf, stamperOf } from '../../real-parts.ts';

const openAt = (path: string) => openJournal(path, stamperOf(handClock()));
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a journal', () => {
  it('runs with synchronous=FULL and WAL on the second open as on the first', () => {
    const path = join(ownFolder(), 'journal.db');
    for (let open = 0; open < 3; open += 1) {
      const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
      expect(database.pragma('synchronous', { simple: true })).toBe(2);
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
      database.close();
    }
  });

  it('written by a newer kiosk is refused and not changed by a byte', () => {
    const path = join(ownFolder(), 'journal.db');
    const newer = { version: 9000, name: 'newer', sql: 'CREATE TABLE newer (x INTEGER) STRICT' };
    const database = openDatabase(path, { durability: 'full', migrations: [...JOURNAL_MIGRATIONS, newer] });
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const before = digest(path);
    expect(() => openAt(path)).toThrow(/newer Touchpoint \(database version 9000/);
    expect(digest(path)).toBe(before);
  });

  it('counts as newer, not as damaged, if only its version number is higher', () => {
    const folder = ownFolder();
    const path = join(folder, 'journal.db');
    openAt(path).close();
    const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
    database.pragma('user_version = 9999');
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const before = digest(path);
    const clock = handClock();
    const open = () =>
      openDurableJournal({ folder, stamper: stamperOf(clock), clock, log: rememberingLog() });
    expect(open).toThrow(/newer Touchpoint \(database version 9999/);
    expect(digest(path)).toBe(before);
  });

  it('that is not a database is refused and left unchanged', () => {
    const path = join(ownFolder(), 'journal.db');
    writeFileSync(path, 'these are not the bytes of a database, but somebody may need them'.repeat(100));
    const before = digest(path);
    expect(() => openAt(path)).toThrow(StartRefusal);
    expect(() => openReadOnly(path)).toThrow(StartRefusal);
    expect(digest(path)).toBe(before);
  });

  it('is refused in one sentence if its folder does not exist', () => {
    expect(() => openAt(join(ownFolder(), 'nowhere', 'journal.db'))).toThrow(/cannot be written/);
  });
});

describe('a mirror', () => {
  it('that is damaged is discarded, because the platform has all of it', () => {
    const path = join(ownFolder(), 'mirror.db');
    writeFileSync(path, 'garbage'.repeat(1000));
    expect(openMirror(path, 'E1').count('visitors')).toBe(0);
  });

  it('is discarded if it belongs to another event', () => {
    const path = join(ownFolder(), 'mirror.db');
    const first = openMirror(path, 'E1');
    const visitor = { id: 'v1', revision: 1n, deleted: false, body: { id: 'v1', revision: 1 } };
    first.applyPage('visitors', pageOf('visitors', [visitor]), 1n);
    first.close();
    const second = openMirror(path, 'E2');
    expect(second.count('visitors')).toBe(0);
    expect(second.progress('visitors')).toMatchObject({ revision: 0n, complete: false });
  });

  it('written by a newer kiosk is refused, not discarded', () => {
    const path = join(ownFolder(), 'mirror.db');
    const newer = { version: 9000, name: 'newer', sql: 'CREATE TABLE newer (x INTEGER) STRICT' };
    openDatabase(path, { durability: 'normal', migrations: [newer] }).close();
    expect(() => openMirror(path, 'E1')).toThrow(/newer Touchpoint/);
  });
});

const isRoot = process.getuid?.() === 0;
const diskTest = notRunUnless(isRoot, 'only root can mount a small disk');

const smallDisk = (kilobytes: number): { folder: string; remountReadOnly: () => void } => {
  const folder = join(ownFolder(), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
  });
  return { folder, remountReadOnly: () => execFileSync('mount', ['-o', 'remount,ro', folder]) };
};

diskTest('a full disk refuses a tap as `full`, and keeps every tap it accepted', () => {
  const { folder } = smallDisk(2_000);
  const journal = openAt(join(folder, 'journal.db'));
  let recorded = 0;
  let fault: unknown = null;
  while (fault === null && recorded < 100_000) {
    try {
      journal.record(tapOf(`B${recorded}`), null);
      recorded += 1;
    } catch (error) {
      fault = error;
    }
  }
  expect(storageFault(fault)).toBe('full');
  expect(recorded).toBeGreaterThan(10);
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: recorded, brokenAt: null });
  expect(journal.outbox.counts()).toMatchObject({ captured: recorded, due: recorded });
});

diskTest('a read-only disk is refused at the start in one sentence, and keeps what it holds', () => {
  const { folder, remountReadOnly } = smallDisk(4_000);
  const path = join(folder, 'journal.db');
  const journal = openAt(path);
  journal.record(tapOf('A1'), null);
  journal.close();
  const before = digest(path);
  remountReadOnly();
  expect(() => openAt(path)).toThrow(StartRefusal);
  expect(() => openAt(path)).toThrow(/cannot be written/);
  expect(digest(path)).toBe(before);
});
