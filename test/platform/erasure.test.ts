/**
 * Text that the platform removes is in no file of SQLite when the request is answered, neither in the database nor in
 * its write-ahead log.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src-platform/store/open.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

const NAME = 'Zacharias Unmistakable';
const EMAIL = 'zacharias@unmistakable.example';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/** The traces of the person in the database and its write-ahead log. */
const tracesOnDisk = (): readonly string[] => {
  const files = ['platform.db', 'platform.db-wal'].map((file) => readFileSync(join(platform.folder, file)));
  return [NAME, EMAIL].filter((trace) => files.some((file) => file.includes(trace)));
};

const factOf = (kind: string, more: object) => ({
  ...{ id: randomUUID(), kind, at: '2026-11-21T10:15:30.123Z', seq: 1, touchpointID: 'AD2026T01' },
  ...{ source: 'nfc', badge: '04A1B2C3D4E5F6', ...more },
});
const send = async (...items: readonly object[]) => {
  const answer = await platform.request('POST', '/actions/AD2026', { body: items });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as readonly { readonly result: string }[];
};
const undoOf = ({ id }: { readonly id: string }) => factOf('undo', { undoes: id });

test('after a batch of undos no file contains what the facts said about the person', async () => {
  const facts = [
    factOf('tap', {}),
    factOf('correct', { fields: { lastName: NAME, email: EMAIL } }),
    factOf('qualify', { fields: { notes: `${NAME} calls on Monday` } }),
  ];
  await send(...facts);
  expect(tracesOnDisk()).toEqual([NAME, EMAIL]);
  const results = await send(...facts.map(undoOf));
  expect(results.map(({ result }) => result)).toEqual(['created', 'created', 'created']);
  expect(tracesOnDisk()).toEqual([]);
});

test('after the deletion of a visitor no file contains the name or the e-mail', async () => {
  const body = { lastName: NAME, email: EMAIL, registrationState: 'registered' };
  const { json: visitor } = await platform.request('POST', '/visitors/AD2026', { body });
  expect(tracesOnDisk()).toEqual([NAME, EMAIL]);
  expect((await platform.request('DELETE', `/visitors/AD2026/${visitor.id}`)).status).toBe(200);
  expect(tracesOnDisk()).toEqual([]);
});

test('an undo of a tap without text does not empty the write-ahead log', async () => {
  const tap = factOf('tap', {});
  await send(tap);
  const logBytes = () => statSync(join(platform.folder, 'platform.db-wal')).size;
  const before = logBytes();
  expect(before).toBeGreaterThan(0);
  await send(undoOf(tap));
  expect(logBytes()).toBeGreaterThanOrEqual(before);
});

test('a connection that an earlier version deleted loses what it said about the person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ids = { id: 'C1', expoID: 'E1', type: 'partner', visitorID: 'V1', partnerID: 'P1' };
  const earlier = await openSqlite(folder);
  await earlier.transaction(async (db) => {
    const row = {
      ...{ kind: 'connection', id: 'C1', expo_id: 'E1', revision: 1n, deleted: 1, partner_id: 'P1' },
      ...{ visitor_id: 'V1', content_id: null, location_id: null, contact_id: null, reference: null },
      ...{ state: null, category: 'partner', detail: null, key_id: null },
      basic: JSON.stringify({ ...ids, corrected: { email: EMAIL }, deleted: true }),
    };
    await db.insertInto('record').values(row).execute();
    await db.updateTable('schema_version').set({ version: 180 }).execute();
  });
  await earlier.close();
  const store = await openSqlite(folder);
  const { basic } = await store.db.selectFrom('record').select('basic').executeTakeFirstOrThrow();
  await store.close();
  expect(JSON.parse(basic)).toEqual({ ...ids, deleted: true });
});
