/** The mirror's derived data: the number of living records, and the badges, follow every change. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Mirror, openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { MIRROR_MIGRATIONS } from '../../../../src-main/core/event/mirror/schema.ts';
import type { WireRecord } from '../../../../src-main/core/foundations/api/page.ts';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { ownFolder } from '../../fixture.ts';
import { pageOf } from '../../real-parts.ts';

const visitor = (id: string, revision: bigint, codes: readonly string[], deleted = false): WireRecord => ({
  id,
  revision,
  deleted,
  body: { id, revision: Number(revision), badges: codes.map((code) => ({ type: 'nfc', code })) },
});

const ownerId = (mirror: Mirror, code: string): string | null => {
  const owner = mirror.ownerOf([code]);
  return owner.kind === 'visitor' ? owner.visitor.id : null;
};

/** Throws in place of returning badge codes, so that the write of a page fails. */
const unreadable = (): readonly string[] => {
  throw new Error('the disk is full');
};

const open = (folder = ownFolder()): Mirror => openMirror(join(folder, 'mirror.db'), 'E1');

it('counts living records through arrival, change, deletion, return and sweep', () => {
  const mirror = open();
  const pass = { number: 1, from: 9n, sound: true };
  const counts: number[] = [];
  const after = (work: () => unknown): void => {
    work();
    counts.push(mirror.count('visitors'));
    expect(mirror.count('visitors')).toBe(mirror.records('visitors').length);
  };
  after(() =>
    mirror.applyPassPage('visitors', pageOf('visitors', [visitor('a', 1n, []), visitor('b', 2n, [])]), pass),
  );
  after(() => mirror.endPass('visitors', pass, 1));
  after(() =>
    mirror.applyPage(
      'visitors',
      pageOf('visitors', [visitor('a', 3n, ['X']), visitor('c', 4n, [], true)]),
      4n,
    ),
  );
  after(() =>
    mirror.applyPage('visitors', pageOf('visitors', [visitor('b', 5n, [], true), visitor('c', 6n, [])]), 6n),
  );
  after(() =>
    mirror.applyPage('visitors', pageOf('visitors', [visitor('b', 7n, []), visitor('b', 7n, [])]), 7n),
  );
  const second = { number: 2, from: 9n, sound: true };
  after(() => mirror.applyPassPage('visitors', pageOf('visitors', [visitor('a', 3n, ['X'])]), second));
  after(() => mirror.endPass('visitors', second, 2));
  expect(counts).toEqual([2, 2, 2, 2, 3, 3, 1]);
  mirror.close();
});

it('removes nothing after a pass that may have missed records', () => {
  const mirror = open();
  const pages = pageOf('visitors', [visitor('a', 1n, []), visitor('b', 2n, [])]);
  const pass = { number: 1, from: 3n, sound: true };
  mirror.applyPassPage('visitors', pages, pass);
  mirror.endPass('visitors', pass, 1);
  const unsound = { number: 2, from: 3n, sound: false };
  mirror.applyPassPage('visitors', pageOf('visitors', [visitor('a', 1n, [])]), unsound);
  expect(mirror.endPass('visitors', unsound, 2)).toEqual({ kind: 'swept', removed: [] });
  expect(mirror.count('visitors')).toBe(2);
  mirror.close();
});

it('finds only the current visitor of a badge, and also finds a visitor by id', () => {
  const mirror = open();
  mirror.applyPage(
    'visitors',
    pageOf('visitors', [visitor('a', 1n, ['CODE1', 'CODE2']), visitor('b', 2n, [])]),
    2n,
  );
  expect([ownerId(mirror, 'CODE1'), ownerId(mirror, 'a'), ownerId(mirror, 'b')]).toEqual(['a', 'a', 'b']);
  mirror.applyPage(
    'visitors',
    pageOf('visitors', [visitor('a', 3n, ['CODE2']), visitor('b', 4n, ['CODE1'])]),
    4n,
  );
  expect([ownerId(mirror, 'CODE1'), ownerId(mirror, 'CODE2')]).toEqual(['b', 'a']);
  mirror.applyPage('visitors', pageOf('visitors', [visitor('b', 5n, [], true)]), 5n);
  expect([ownerId(mirror, 'CODE1'), ownerId(mirror, 'b')]).toEqual([null, null]);
  mirror.applyPage('visitors', pageOf('visitors', [visitor('b', 6n, ['CODE2'])]), 6n);
  expect(mirror.ownerOf(['CODE2'])).toEqual({ kind: 'ambiguous', code: 'CODE2' });
  mirror.applyPage('visitors', pageOf('visitors', [visitor('c', 7n, ['b'])]), 7n);
  expect(mirror.ownerOf(['b'])).toEqual({ kind: 'ambiguous', code: 'b' });
  mirror.close();
});

it('counts the records of a mirror of an earlier version when it opens the mirror', () => {
  const folder = ownFolder();
  const migrations = MIRROR_MIGRATIONS.filter(({ version }) => version <= 20);
  const before = openDatabase(join(folder, 'mirror.db'), { durability: 'normal', migrations });
  before.exec(`INSERT INTO meta VALUES ('expo', 'E1');
    INSERT INTO cursor (resource, revision, complete) VALUES ('visitors', 2, 1);
    INSERT INTO record (resource, id, revision, deleted, body) VALUES ('visitors', 'a', 1, 0, '{"id":"a"}');
    INSERT INTO record (resource, id, revision, deleted, body) VALUES ('visitors', 'b', 2, 1, '{}');`);
  before.close();
  const mirror = open(folder);
  expect(mirror.count('visitors')).toBe(1);
  expect(ownerId(mirror, 'a')).toBe('a');
  mirror.close();
});

it('keeps its position when a page cannot be written, and stores nothing of the page', () => {
  const folder = ownFolder();
  const mirror = open(folder);
  mirror.applyPage('visitors', pageOf('visitors', [visitor('a', 1n, [])]), 1n);
  const [fine, last] = pageOf('visitors', [visitor('b', 2n, []), visitor('c', 3n, [])]);
  if (fine === undefined || last === undefined) throw new Error('Expected two rows');
  const broken = Object.defineProperty({ ...last }, 'codes', { get: unreadable });
  const rows = [fine, broken];
  expect(() => mirror.applyPage('visitors', rows, 3n)).toThrow('the disk is full');
  const pass = { number: 1, from: 3n, sound: true };
  expect(() => mirror.applyPassPage('visitors', rows, pass)).toThrow('the disk is full');
  mirror.close();
  const again = open(folder);
  expect(again.progress('visitors')).toMatchObject({ revision: 1n, pass: null });
  expect(again.records('visitors').map(({ id }) => id)).toEqual(['a']);
  again.close();
});

it('asks before a pass removes many records, and removes them after an approval', () => {
  const mirror = open();
  const ids = Array.from({ length: 20 }, (_, index) => `v${String(index).padStart(2, '0')}`);
  const walk = (number: number, seen: readonly string[]) => {
    const pass = { number, from: 99n, sound: true };
    const records = seen.map((id, index) => visitor(id, BigInt(index + 1), []));
    mirror.applyPassPage('visitors', pageOf('visitors', records), pass);
    return mirror.endPass('visitors', pass, number);
  };
  walk(1, ids);
  expect(walk(2, ids.slice(0, 10))).toEqual({ kind: 'asks', wouldRemove: 10, of: 20 });
  expect(mirror.records('visitors')).toHaveLength(20);
  expect(mirror.unseen('visitors')).toEqual(ids.slice(10));
  const next = { number: 3, from: 99n, sound: true };
  mirror.applyPassPage('visitors', pageOf('visitors', [visitor('v00', 1n, [])]), next);
  // Starting a pass does not change which records the last pass did not see.
  expect(mirror.unseen('visitors')).toEqual(ids.slice(10));
  mirror.approveSweep('visitors');
  expect(walk(3, ids.slice(0, 10))).toMatchObject({ kind: 'swept', removed: ids.slice(10) });
  expect(mirror.records('visitors')).toHaveLength(10);
  // The approval was only for that pass.
  expect(walk(4, ids.slice(0, 2))).toMatchObject({ kind: 'asks', wouldRemove: 8 });
  mirror.close();
});
