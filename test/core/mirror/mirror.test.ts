/** The mirror's rows beside its records: the count of the living and the badges keep up with every change. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { WireRecord } from '../../../src-main/core/api/page.ts';
import { type Mirror, openMirror } from '../../../src-main/core/mirror/mirror.ts';
import { MIRROR_MIGRATIONS } from '../../../src-main/core/mirror/schema.ts';
import { openDatabase } from '../../../src-main/core/store/database.ts';
import { ownFolder } from '../fixture.ts';
import { pageOf } from '../real-parts.ts';

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

const open = (folder = ownFolder()): Mirror => openMirror(join(folder, 'mirror.db'), 'E1');

it('counts the living through arrival, change, deletion, return and sweep', () => {
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

it('knows a badge by its present carrier only, and a visitor by the own id', () => {
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

it('of the version before is counted when it is opened', () => {
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
