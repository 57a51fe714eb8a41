/**
 * The hub's mirror of the event: devices read there what the platform shows, including changes and deletions,
 * whichever file is lost in between.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBridge } from '../../../src-hub/bridge.ts';
import { createReplicator } from '../../../src-hub/mirror/replicator.ts';
import { HUB_RESOURCES, servedAs } from '../../../src-hub/mirror/resources.ts';
import { openSettings } from '../../../src-hub/settings.ts';
import { openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import { demoExpoId, demoKey } from '../../../src-platform/seed/demo.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import { findRecord } from '../../../src-platform/store/records.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import { ownFolder, rememberingLog, until } from '../../core/fixture.ts';
import { pageOf, realClock, realRandom } from '../../core/real-parts.ts';
import { startPlatform } from '../../platform/running-platform.ts';
import { startLine } from '../line.ts';

const clock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 150), signal),
};

/** A hub with its mirror in `folder`, and its store there or in another one. */
const runBridge = async (folder: string, upstream: string, storeFolder = folder) => {
  const store = await openSqlite(storeFolder);
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

/**
 * The records of a store that are not deleted, except attendance, by kind and id, without revisions and without fields
 * that no list or read shows.
 */
const shown = async (store: Store): Promise<ReadonlyMap<string, unknown>> => {
  const all = new Map<string, unknown>();
  // No list shows ended attendance (`participant`), so a mirror removes it only at the daily comparison.
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

/** Resolves when hub and platform show the same. It compares only at intervals, because both share this process. */
const untilEqual = async (hub: Store, platform: Store): Promise<void> => {
  const isEqual = async (): Promise<boolean> => {
    const [ours, theirs] = [await shown(hub), await shown(platform)];
    const names = new Set([...ours.keys(), ...theirs.keys()]);
    return [...names].every((name) => JSON.stringify(ours.get(name)) === JSON.stringify(theirs.get(name)));
  };
  await vi.waitUntil(isEqual, { timeout: 60_000, interval: 700 });
};

test('the mirror equals the platform, follows changes and deletions, and survives the loss of either file', async () => {
  const platform = await startPlatform();
  onTestFinished(platform.stop);
  const equal = (store: Store): Promise<void> => untilEqual(store, platform.store);
  const folder = ownFolder();
  const first = await runBridge(folder, platform.base);
  expect(first.bridge.isServed('visitors')).toBe(false);
  const theirs = await shown(platform.store);
  expect(theirs.size).toBeGreaterThan(500);
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
  // Only the deletion was written, together with the visitor’s attendance. So devices fetch nothing else again.
  expect((await highest(second.store)) - revision).toBeLessThan(5n);
  await second.stop();

  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `platform.db${suffix}`), { force: true });
  const third = await runBridge(folder, platform.base);
  expect(third.bridge.isServed('visitors')).toBe(false);
  await equal(third.store);
}, 200_000);

test('a hub that takes over with another mirror removes deleted records, and reverts no change', async () => {
  const platform = await startPlatform();
  onTestFinished(platform.stop);
  const [one, two, shared] = [ownFolder(), ownFolder(), ownFolder()];
  const first = await runBridge(one, platform.base, shared);
  await untilEqual(first.store, platform.store);
  const attendances = async ({ db }: Store) =>
    (await db.selectFrom('record').select('id').where('kind', '=', 'participant').execute()).length;
  const all = await attendances(platform.store);
  await until('all attendance is there', async () => (await attendances(first.store)) === all);
  await first.stop();

  const [, gone] = (await platform.request('GET', `/contents/${demoExpoId}`)).json as { id: string }[];
  const deleted = await platform.request('DELETE', `/contents/${demoExpoId}/${gone?.id}`);
  expect(deleted.status, JSON.stringify(deleted.json)).toBe(200);
  const second = await runBridge(two, platform.base, shared);
  await untilEqual(second.store, platform.store);
  const [visitor] = (await platform.request('GET', `/visitors/${demoExpoId}?limit=1`)).json;
  const { revision: _revision, ...body } = (
    await platform.request('GET', `/visitors/${demoExpoId}/${visitor.id}`)
  ).json;
  await platform.request('PUT', `/visitors/${demoExpoId}/${visitor.id}`, {
    body: { ...body, company: 'Renamed' },
  });
  await untilEqual(second.store, platform.store);
  const revision = await highest(second.store);
  await second.stop();

  // The first hub returns with its old mirror, while the platform is away.
  const line = await startLine(platform.base);
  line.cut();
  const third = await runBridge(one, line.baseUrl, shared);
  await until('the mirror waits', () => third.log.said.some(({ what }) => what === 'the mirror waits'));
  expect(await highest(third.store)).toBe(revision);
  line.mend();
  await until('the hub has the whole event', () => third.bridge.isWhole());
  await untilEqual(third.store, platform.store);
  expect(await highest(third.store)).toBe(revision);
}, 200_000);

test('a content that upstream shows again after its deletion exists for devices again', async () => {
  const folder = ownFolder();
  const store = await openSqlite(folder);
  onTestFinished(store.close);
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  onTestFinished(mirror.close);
  const replicator = createReplicator({ store, mirror, expoId: 'E1' });
  const show = async (revision: bigint, deleted: boolean) => {
    const body = { id: 'C1', name: 'Arm R7', ...(deleted ? { deleted } : {}), revision: Number(revision) };
    mirror.applyPage('contents', pageOf('contents', [{ id: 'C1', revision, deleted, body }]), revision);
    replicator.note('contents', ['C1']);
    await replicator.replicate();
    return findRecord(store.db, 'content', 'E1', 'C1');
  };
  expect(await show(1n, false)).toMatchObject({ deleted: false });
  expect(await show(2n, true)).toMatchObject({ deleted: true });
  expect(await show(3n, false)).toMatchObject({ deleted: false, doc: { id: 'C1', name: 'Arm R7' } });
});
