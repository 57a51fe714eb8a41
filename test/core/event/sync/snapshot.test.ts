/**
 * A fresh device gets its first mirror from its hub as one file, resumes an interrupted download, and gives up a file
 * that is invalid.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Mirror, openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import {
  createSnapshotFile,
  MIRROR_VERSION,
  SNAPSHOT_VERSION,
} from '../../../../src-main/core/event/mirror/snapshot-file.ts';
import { createSnapshotTaker, type SnapshotTaker } from '../../../../src-main/core/event/sync/snapshot.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError, type ErrorClass } from '../../../../src-main/core/foundations/api/error-class.ts';
import type { ByteRange } from '../../../../src-main/core/foundations/api/exchange.ts';
import type { WireRecord } from '../../../../src-main/core/foundations/api/page.ts';
import { type Database, openCopy } from '../../../../src-main/core/foundations/store/database.ts';
import { fingerprintOfKey, makeSigningKey } from '../../../../src-main/provision/provision-file.ts';
import { signerOf, signText } from '../../../../src-main/provision/signed-text.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { pageOf } from '../../real-parts.ts';

const hub = makeSigningKey();
const VISITORS = 3_000;
const PROGRAM = new URL('../../../../src-main/core/event/sync/snapshot-worker.ts', import.meta.url);

const visitor = (number: number): WireRecord => {
  const id = `V${String(number).padStart(6, '0')}`;
  const deleted = number % 100 === 7;
  // Texts that compress badly, so that the file is sent in several pieces.
  const note = createHash('sha512').update(id).digest('base64').repeat(2);
  const other = createHash('sha512').update(note).digest('base64');
  const body = { id, revision: number, lastName: note, company: other, badges: [{ code: `04${id}` }] };
  return { id, revision: BigInt(number), deleted, body: deleted ? { id, revision: number, deleted } : body };
};

const visitors = Array.from({ length: VISITORS }, (_none, index) => visitor(index + 1));
const partners: readonly WireRecord[] = [
  { id: 'P1', revision: 4n, deleted: false, body: { id: 'P1', revision: 4, name: 'Acme' } },
];

type Made = { readonly bytes: Buffer; readonly size: number };

const makeFile = (folder: string): Made => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'made.db');
  const file = createSnapshotFile(path, 'E1');
  for (let at = 0; at < VISITORS; at += 1_000)
    file.put('visitors', pageOf('visitors', visitors.slice(at, at + 1_000)));
  file.put('partners', pageOf('partners', partners));
  file.end('visitors', BigInt(VISITORS));
  file.end('partners', 4n);
  file.close();
  const plain = readFileSync(path);
  rmSync(path);
  return { bytes: zstdCompressSync(plain), size: plain.length };
};

let madeOnce: Made | null = null;

const manifestOf = ({ bytes, size }: Made) => ({
  ...{
    format: 'touchpoint-snapshot',
    version: SNAPSHOT_VERSION,
    compression: 'zstd',
    expo: 'E1',
    epoch: 'one',
  },
  mirror: MIRROR_VERSION,
  ...{ sha256: createHash('sha256').update(bytes).digest('hex'), length: bytes.length, size },
});

type Told = {
  /** The hub's manifest of the file, or a faulty one. */
  manifest: () => unknown;
  piece: (range: ByteRange) => Uint8Array;
  readonly ranges: ByteRange[];
  asked: number;
};

const fault = (errorClass: ErrorClass): ApiError => new ApiError(errorClass, 'GET failed');

/** A fresh device and its hub's answers. */
const device = (folder = ownFolder()) => {
  madeOnce ??= makeFile(folder);
  const made = madeOnce;
  const told: Told = {
    manifest: () => signText(JSON.stringify(manifestOf(made)), hub.privateKey),
    piece: ({ first, last }) => made.bytes.subarray(first, last + 1),
    ranges: [],
    asked: 0,
  };
  const client: ApiClient = {
    get: async () => {
      told.asked += 1;
      return JSON.stringify(told.manifest());
    },
    getRange: async (_path, range) => {
      told.ranges.push(range);
      return told.piece(range);
    },
    getBytes: () => Promise.reject(new Error('nobody pages here')),
    post: () => Promise.reject(new Error('nobody posts here')),
    clockOffset: () => null,
    close: async () => undefined,
  };
  const log = rememberingLog();
  const taken: string[] = [];
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const taker = (): SnapshotTaker =>
    createSnapshotTaker({
      ...{ client, expoId: 'E1', mirror, clock: handClock(), log, folder, program: PROGRAM },
      hubEpoch: async () => 'one',
      isFromHub: (signed) => signerOf(signed) === fingerprintOfKey(hub.privateKey),
      onTaken: async () => void taken.push('taken'),
      onChange: () => undefined,
    });
  const warnings = (): readonly unknown[] =>
    log.said.filter(({ level }) => level === 'warn').map(({ details }) => (details as { why: string }).why);
  return { folder, made, told, mirror, taker, log, taken, warnings };
};

const never = new AbortController().signal;

const expectWhole = (mirror: Mirror): void => {
  const living = visitors.filter(({ deleted }) => !deleted);
  expect(mirror.count('visitors')).toBe(living.length);
  expect(mirror.records('visitors').map(({ id }) => id)).toEqual(living.map(({ id }) => id));
  expect(mirror.progress('visitors')).toMatchObject({
    complete: true,
    revision: BigInt(VISITORS),
    pass: null,
  });
  expect(mirror.progress('visitors').sweptAt).not.toBeNull();
  expect(mirror.ownerOf(['04V000042'])).toMatchObject({ kind: 'visitor', visitor: { id: 'V000042' } });
  expect(mirror.ownerOf(['04V000007'])).toEqual({ kind: 'unknown' });
  expect(mirror.record('partners', 'P1')?.body).toMatchObject({ name: 'Acme' });
  expect(mirror.progress('contents').complete).toBe(false);
};

it('imports lists, badges and positions into an empty mirror, and leaves no file behind', async () => {
  const { folder, told, mirror, taker, taken, warnings } = device();
  await taker().take(never);
  expectWhole(mirror);
  expect(taken).toEqual(['taken']);
  expect(warnings()).toEqual([]);
  expect(told.ranges.length).toBeGreaterThan(1);
  expect(existsSync(join(folder, 'snapshot'))).toBe(false);
  // A device whose mirror has visitors requests no snapshot.
  await taker().take(never);
  expect(told.asked).toBe(1);
  mirror.close();
});

it('stores the forms of badge codes, and learns them again if the stored ones cannot be read', async () => {
  const { folder, mirror, taker } = device();
  await taker().take(never);
  mirror.close();
  const path = join(folder, 'mirror.db');
  const file = openCopy(path);
  file.exec('DELETE FROM badge');
  file.close();
  const stored = openMirror(path, 'E1');
  expect([stored.codeForms().fits('04V999999'), stored.codeForms().fits('04V99999')]).toEqual([true, false]);
  stored.close();
  for (const text of ['{', '{"places":[]}']) {
    const learnt = openMirror(path, 'E1');
    learnt.setMetadata('code forms 0', text);
    expect([learnt.codeForms().fits('04V999999'), learnt.codeForms().fits('V999999')]).toEqual([false, true]);
    learnt.close();
  }
});

it('continues a download after an interruption and after a restart', async () => {
  const { told, made, mirror, taker, warnings } = device();
  const whole = told.piece;
  told.piece = (range) => {
    if (range.first > 0) throw fault({ kind: 'retry', reached: 'no' });
    return whole(range);
  };
  const first = taker();
  await expect(first.take(never)).rejects.toBeInstanceOf(ApiError);
  expect(mirror.isUntouched('visitors')).toBe(true);
  told.piece = whole;
  told.ranges.length = 0;
  await taker().take(never);
  expectWhole(mirror);
  expect(told.ranges[0]?.first).toBeGreaterThan(0);
  expect(told.ranges.reduce((sum, { first: from, last }) => sum + last - from + 1, 0)).toBeLessThan(
    made.bytes.length,
  );
  expect(warnings()).toEqual([]);
  mirror.close();
});

it('waits for its slot, reports the wait, and then uses the slot', async () => {
  const { told, mirror, taker, warnings } = device();
  const manifest = told.manifest;
  told.manifest = () => {
    throw fault({ kind: 'busy', retryAfterMs: 5_000 });
  };
  const one = taker();
  for (let times = 0; times < 30; times += 1) await expect(one.take(never)).rejects.toBeInstanceOf(ApiError);
  expect(one.waitsForTurn()).toBe(true);
  told.manifest = manifest;
  await one.take(never);
  expect(one.waitsForTurn()).toBe(false);
  expectWhole(mirror);
  expect(warnings()).toEqual([]);
  mirror.close();
});

const signed =
  (change: object, key = hub.privateKey) =>
  (made: Made) =>
    signText(JSON.stringify({ ...manifestOf(made), ...change }), key);

it.each([
  ['signed by another hub', signed({}, makeSigningKey().privateKey), /did not sign/],
  [
    'altered after it was signed',
    (made: Made) => {
      const honest = signed({})(made);
      return { ...honest, text: honest.text.replace('"E1"', '"E2"') };
    },
    /did not sign/,
  ],
  ['of another event', signed({ expo: 'E2' }), /another event/],
  ['of another epoch', signed({ epoch: 'two' }), /another store of the hub/],
  ['of a newer format', signed({ version: SNAPSHOT_VERSION + 1 }), /format/],
  ['of the previous format', signed({ version: 1, mirror: undefined }), /format/],
  ['with newer tables', signed({ mirror: MIRROR_VERSION + 10 }), /format/],
  ['packed in another way', signed({ compression: 'xz' }), /format/],
  ['signed for another purpose', signed({ format: 'touchpoint-provision' }), /format/],
  ['without a manifest', () => ['nothing'], /it cannot be read/],
  ['of another hash', signed({ sha256: '0'.repeat(64) }), /altered during the download/],
  ['longer than the hub says', (made: Made) => signed({ size: made.size - 1 })(made), /longer/],
  ['shorter than the hub says', (made: Made) => signed({ size: made.size + 1 })(made), /shorter/],
])('rejects a snapshot %s, and logs that once', async (_name, manifest, why) => {
  const { folder, made, told, mirror, taker, taken, warnings } = device();
  told.manifest = () => manifest(made);
  const one = taker();
  await one.take(never);
  await one.take(never);
  expect(warnings()).toEqual([expect.stringMatching(why)]);
  expect(told.asked).toBe(1);
  expect(taken).toEqual([]);
  expect(mirror.isUntouched('visitors')).toBe(true);
  expect(existsSync(join(folder, 'snapshot'))).toBe(false);
  mirror.close();
});

it.each([
  [
    'bytes that were altered',
    (bytes: Buffer) => bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte)),
    /altered/,
  ],
  ['empty pieces', (bytes: Buffer) => bytes.subarray(0, 0), /no byte ranges/],
])('gives up a snapshot if the hub sends %s', async (_name, spoil, why) => {
  const { made, told, mirror, taker, warnings } = device();
  told.piece = ({ first, last }) => spoil(made.bytes).subarray(first, last + 1);
  await taker().take(never);
  expect(warnings()).toEqual([expect.stringMatching(why)]);
  expect(mirror.isUntouched('visitors')).toBe(true);
  mirror.close();
});

it('gives up a signed file that is not a database, and the mirror stays empty', async () => {
  const { told, mirror, taker, warnings } = device();
  const bytes = zstdCompressSync(Buffer.alloc(8_192, 'no database '));
  told.manifest = () => signText(JSON.stringify(manifestOf({ bytes, size: 8_192 })), hub.privateKey);
  told.piece = ({ first, last }) => bytes.subarray(first, last + 1);
  await taker().take(never);
  expect(warnings()).toEqual([expect.stringMatching(/not a database of Touchpoint/)]);
  expect(mirror.isUntouched('visitors')).toBe(true);
  mirror.close();
});

it('gives up the snapshot after ten consecutive failures of the hub', async () => {
  const { told, mirror, taker, warnings } = device();
  told.manifest = () => {
    throw fault({ kind: 'retry', reached: 'maybe' });
  };
  const one = taker();
  for (let times = 0; times < 9; times += 1) await expect(one.take(never)).rejects.toBeInstanceOf(ApiError);
  await one.take(never);
  expect(warnings()).toHaveLength(1);
  mirror.close();
});

/** Makes the hub offer a signed file with this content instead of the correct one. */
const giveFile = (told: Told, plain: Buffer): void => {
  const bytes = zstdCompressSync(plain);
  told.manifest = () => signText(JSON.stringify(manifestOf({ bytes, size: plain.length })), hub.privateKey);
  told.piece = ({ first, last }) => bytes.subarray(first, last + 1);
};

const alteredFile = (folder: string, expoId: string, alter: (database: Database) => void): Buffer => {
  const path = join(folder, 'altered.db');
  const file = createSnapshotFile(path, expoId);
  file.put('visitors', pageOf('visitors', visitors.slice(0, 1_000)));
  file.end('visitors', 1_000n);
  file.close();
  const database = openCopy(path);
  alter(database);
  database.close();
  const plain = readFileSync(path);
  rmSync(path);
  return plain;
};

it.each([
  ['the mirror of another event', 'E2', () => undefined, /another event/],
  [
    'a mirror with a trigger',
    'E1',
    (database: Database) =>
      void database.exec('CREATE TRIGGER more AFTER INSERT ON record BEGIN DELETE FROM badge; END'),
    /tables are not those/,
  ],
  [
    'a mirror with newer tables',
    'E1',
    (database: Database) => database.pragma('user_version = 999'),
    /newer/,
  ],
])('rejects a signed file that is %s', async (_name, expoId, alter, why) => {
  const { folder, told, mirror, taker, warnings } = device();
  giveFile(told, alteredFile(folder, expoId, alter));
  await taker().take(never);
  expect(warnings()).toEqual([expect.stringMatching(why)]);
  expect(mirror.isUntouched('visitors')).toBe(true);
  expect(existsSync(join(folder, 'snapshot'))).toBe(false);
  mirror.close();
});

it('gives up a signed file with a damaged page', async () => {
  const { folder, told, mirror, taker, warnings } = device();
  const plain = alteredFile(folder, 'E1', () => undefined);
  plain.fill(0xff, Math.floor(plain.length / 2), Math.floor(plain.length / 2) + 4_096);
  giveFile(told, plain);
  await taker().take(never);
  expect(warnings()).toEqual([expect.stringMatching(/damaged/)]);
  expect(mirror.isUntouched('visitors')).toBe(true);
  mirror.close();
});

it('keeps complete lists, lists that the snapshot lacks, and other data that the mirror already had', async () => {
  const { mirror, taker, warnings } = device();
  const own = { id: 'P1', revision: 9n, deleted: false, body: { id: 'P1', revision: 9, name: 'Acme now' } };
  mirror.applyPassPage('partners', pageOf('partners', [own]), { number: 1, from: 9n, sound: true });
  mirror.endPass('partners', { number: 1, from: 9n, sound: true }, 1);
  // A list that the snapshot does not have, read in part.
  const gone = { id: 'X1', revision: 3n, deleted: false, body: { id: 'X1', revision: 3 } };
  mirror.applyPage('connections', pageOf('connections', [gone]), 3n);
  mirror.setMetadata('event', '{"name":"Fair"}');
  mirror.setRefused('actions', true);
  mirror.stand.keepDetail('partners', 'P1', 9n, { id: 'P1', more: 'detail' });
  await taker().take(never);
  expect(warnings()).toEqual([]);
  expect(mirror.record('partners', 'P1')).toMatchObject({ revision: 9n, body: { name: 'Acme now' } });
  expect(mirror.progress('partners')).toMatchObject({ complete: true, revision: 9n, living: 1 });
  expect(mirror.progress('connections')).toMatchObject({ complete: false, revision: 3n, living: 1 });
  expect(mirror.metadata('event')).toBe('{"name":"Fair"}');
  expect(mirror.isRefused('actions')).toBe(true);
  expect(mirror.stand.detail('partners', 'P1')?.body).toMatchObject({ more: 'detail' });
  expect(mirror.ownerOf(['04V000042'])).toMatchObject({ kind: 'visitor', visitor: { id: 'V000042' } });
  mirror.close();
});

it('gives up the snapshot if the device holds more rows than can be copied between two taps', async () => {
  const { mirror, taker, warnings } = device();
  const contents = Array.from({ length: 2_001 }, (_none, index) => {
    const id = `C${index}`;
    return { id, revision: 1n, deleted: false, body: { id, revision: 1 } };
  });
  mirror.applyPage('contents', pageOf('contents', contents), 1n);
  await taker().take(never);
  expect(warnings()).toEqual([expect.stringMatching(/too much/)]);
  expect(mirror.count('contents')).toBe(2_001);
  expect(mirror.isUntouched('visitors')).toBe(true);
  mirror.close();
});

it('keeps the mirror if a snapshot is missing, adopts a sound one, and discards an interrupted import', () => {
  const { mirror, folder } = device();
  mirror.setMetadata('event', 'before');
  expect(() => mirror.adopt(join(folder, 'missing', 'snapshot.db'))).toThrow();
  expect(mirror.metadata('event')).toBe('before');
  const path = join(folder, 'next.db');
  writeFileSync(
    path,
    alteredFile(folder, 'E1', () => undefined),
  );
  mirror.adopt(path);
  expect(existsSync(path)).toBe(false);
  expect([mirror.count('visitors'), mirror.metadata('event')]).toEqual([990, 'before']);
  mirror.close();
  const again = openMirror(join(folder, 'mirror.db'), 'E1');
  expect([again.count('visitors'), again.metadata('event')]).toEqual([990, 'before']);
  // Version 0.2.0 imported snapshots row by row and left this key if it was interrupted.
  again.setMetadata('importing', 'yes');
  again.close();
  const reopened = openMirror(join(folder, 'mirror.db'), 'E1');
  expect(reopened.isUntouched('visitors')).toBe(true);
  reopened.close();
});

it('replaces a list that the device has read in part', async () => {
  const { mirror, taker } = device();
  const own = { id: 'P9', revision: 2n, deleted: false, body: { id: 'P9', revision: 2, name: 'Half' } };
  mirror.applyPage('partners', pageOf('partners', [own]), 2n);
  await taker().take(never);
  expect(mirror.records('partners').map(({ id }) => id)).toEqual(['P1']);
  expect(mirror.progress('partners')).toMatchObject({ complete: true, revision: 4n, living: 1 });
  mirror.close();
});
