/**
 * The hub's mirror of the event: devices read there what the platform shows, changes and deletions included, whichever file is lost in
 * between.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBridge } from '../../../src-hub/bridge.ts';
import { HUB_RESOURCES, servedAs } from '../../../src-hub/mirror/resources.ts';
import { openSettings } from '../../../src-hub/settings.ts';
import { openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import { demoExpoId, demoKey } from '../../../src-platform/seed/demo.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import { findRecord } from '../../../src-platform/store/records.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import { ownFolder, rememberingLog, until } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { startPlatform } from '../../platform/running-platform.ts';

const clock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 150), signal),
};

const runBridge = async (folder: string, upstream: string) => {
  const store = await openSqlite(folder);
  const settings = await openSettings({
    ...{ store, expo: demoExpoId, place: null, newId: 'epoch', now: 0, onFault: () => undefined },
  });
  const mirror = openMirror(join(folder, 'mirror.db'), demoExpoId);
  const log = rememberingLog();
  const bridge = createBridge({
    upstream: { url: upstream, key: demoKey, password: '' },
    privateHttp: false,
    expoId: demoExpoId,
    store,
    mirror,
    settings,
    clock,
    random: realRandom,
    log,
  });
  const ended = new AbortController();
  const running = bridge.run(ended.signal);
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    ended.abort();
    await running;
    await bridge.close();
    await settings.written();
    mirror.close();
    await store.close();
  };
  onTestFinished(stop);
  return { store, bridge, log, stop };
};

const sorted = (fields: object) => Object.fromEntries(Object.entries(fields).sort());

/** Every record of a store that exists, by kind and id, without revisions and without fields that no list or read shows. */
const shown = async (store: Store): Promise<ReadonlyMap<string, unknown>> => {
  const all = new Map<string, unknown>();
  // No list shows attendance that ended; only the daily comparison finds it.
  const kinds = HUB_RESOURCES.map(({ name }) => servedAs(name).kind);
  for (const kind of kinds.filter((one) => one !== 'participant')) {
    const rows = await store.db
      .selectFrom('record')
      .select(['id', 'basic', 'detail'])
      .where('kind', '=', kind)
      .where('deleted', '=', 0)
      .execute();
    for (const { id, basic, detail } of rows)
      all.set(`${kind} ${id}`, [sorted(JSON.parse(basic)), sorted(JSON.parse(detail ?? '{}'))]);
  }
  return all;
};

const highest = async (store: Store): Promise<bigint> =>
  (await store.db.selectFrom('counter').select('value').executeTakeFirst())?.value ?? 0n;

test('the mirror equals the platform, follows changes and deletions, and survives the loss of either file', async () => {
  const platform = await startPlatform();
  onTestFinished(platform.stop);
  const folder = ownFolder();
  const first = await runBridge(folder, platform.base);
  expect(first.bridge.isServed('visitors')).toBe(false);
  const theirs = await shown(platform.store);
  expect(theirs.size).toBeGreaterThan(500);
  /** Ids of the records in which hub and platform differ. */
  const differences = async (store: Store): Promise<readonly string[]> => {
    const [ours, platforms] = [await shown(store), await shown(platform.store)];
    const names = new Set([...ours.keys(), ...platforms.keys()]);
    return [...names].filter(
      (name) => JSON.stringify(ours.get(name)) !== JSON.stringify(platforms.get(name)),
    );
  };
  /** Compared at intervals only: platform and hub share this process. */
  const equal = (store: Store): Promise<void> =>
    vi
      .waitUntil(async () => (await differences(store)).length === 0, { timeout: 60_000, interval: 700 })
      .then(() => undefined);
  await equal(first.store);
  expect(first.bridge.isServed('visitors')).toBe(true);
  const expo = await findRecord(first.store.db, 'expo', demoExpoId, demoExpoId);
  expect(expo?.doc).toMatchObject({
    id: demoExpoId,
    name: expect.any(String),
    discoverUrl: expect.any(String),
  });

  const list = (await platform.request('GET', `/visitors/${demoExpoId}?limit=3`)).json as { id: string }[];
  const [changed, gone] = list.map(({ id }) => id);
  const { revision: _revision, ...body } = (
    await platform.request('GET', `/visitors/${demoExpoId}/${changed}`)
  ).json;
  await platform.request('PUT', `/visitors/${demoExpoId}/${changed}`, {
    body: { ...body, company: 'Renamed' },
  });
  await platform.request('DELETE', `/visitors/${demoExpoId}/${gone}`);
  await equal(first.store);
  const tombstone = await findRecord(first.store.db, 'visitor', demoExpoId, gone ?? '');
  expect(tombstone).toMatchObject({ deleted: true, doc: { id: gone, expoID: demoExpoId, deleted: true } });
  expect(Object.keys(tombstone?.doc ?? {})).not.toContain('lastName');
  expect(first.log.said.filter(({ level }) => level === 'error')).toEqual([]);
  await first.stop();

  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `mirror.db${suffix}`), { force: true });
  const before = await openSqlite(folder);
  const revision = await highest(before);
  await before.close();
  const second = await runBridge(folder, platform.base);
  // Devices read what the store holds while the hub fetches the mirror again.
  expect(second.bridge.isServed('visitors')).toBe(true);
  await until('the mirror is complete again', async () => second.bridge.standing().state === 'online');
  await platform.request('DELETE', `/visitors/${demoExpoId}/${changed}`);
  await equal(second.store);
  // Only the deletion was written, and the visitor’s attendance with it: devices fetch nothing again.
  expect((await highest(second.store)) - revision).toBeLessThan(5n);
  await second.stop();

  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `platform.db${suffix}`), { force: true });
  const third = await runBridge(folder, platform.base);
  expect(third.bridge.isServed('visitors')).toBe(false);
  await equal(third.store);
}, 200_000);
