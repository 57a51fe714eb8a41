/**
 * Disks that disappear under a running device: what is not stored is never shown as stored, and the app keeps running
 * and reports the fault.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { ownFolder, until } from './fixture.ts';
import { startKiosk } from './kiosk-process.ts';
import { pageOf } from './real-parts.ts';
import { fill, openStandKiosk, smallFair } from './stand/visit/stand-kiosk.ts';

const [V1, V2, V3] = ['04AA00000000A1', '04AA00000000A2', '04AA00000000A3'] as const;
const NO_PLATFORM = { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', expoId: 'E1' };

const kiosk = (folder: string) =>
  openStandKiosk({
    folder,
    stand: { touchpoint: 'lead1' },
    prepare: (mirror) => fill(mirror, smallFair()),
  });

it('stores nothing without its data folder, and the app reports it', async () => {
  const folder = join(ownFolder(), 'data');
  const { tap, kiosk: running } = kiosk(folder);
  expect((await tap(V1)).kind).toBe('captured');
  rmSync(folder, { recursive: true });
  expect(await tap(V2)).toMatchObject({ kind: 'failed', reason: 'failing' });
  expect(running.state().storage).toBe('failing');
  // It was not captured, so it is neither delivered nor listed.
  expect(running.state().leads).toBe(1);
  expect(running.state().delivery.captured).toBe(1);
});

it.each(['journal.db', 'journal.db-wal'])('stores nothing without %s', async (file) => {
  const folder = join(ownFolder(), 'data');
  const { tap } = kiosk(folder);
  expect((await tap(V1)).kind).toBe('captured');
  rmSync(join(folder, file));
  expect((await tap(V2)).kind).toBe('failed');
});

it('stores again after the data folder is back', async () => {
  const parent = ownFolder();
  const folder = join(parent, 'data');
  const { tap, kiosk: running } = kiosk(folder);
  renameSync(folder, join(parent, 'elsewhere'));
  expect((await tap(V1)).kind).toBe('failed');
  mkdirSync(folder);
  expect((await tap(V2)).kind).toBe('failed');
  rmSync(folder, { recursive: true });
  renameSync(join(parent, 'elsewhere'), folder);
  expect((await tap(V3)).kind).toBe('captured');
  expect(running.state().storage).toBe('ok');
});

it('stores nothing in a damaged journal that cannot be quarantined, and the app keeps running', async () => {
  const parent = ownFolder();
  const folder = join(parent, 'data');
  const { tap, pass, screen, kiosk: running } = kiosk(folder);
  const states = await screen.device.watch();
  await states.next();
  expect((await tap(V1)).kind).toBe('captured');
  const path = join(folder, 'journal.db');
  // Another connection writes, so that the device's cache is no longer valid.
  const other = new BetterSqlite3(path);
  other.exec(`INSERT OR REPLACE INTO setting (key, value) VALUES ('of another', 'x')`);
  for (const file of [path, `${path}-wal`])
    writeFileSync(file, readFileSync(file).fill(0xa5), { flag: 'r+' });
  renameSync(folder, join(parent, 'elsewhere'));
  expect((await tap(V2)).kind).toBe('failed');
  // Every update of a page now reads the damaged journal. An uncaught error would end the app and this test run.
  for (let times = 0; times < 3; times += 1) {
    pass(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(running.state().storage).toBe('failing');
    expect((await tap(V3)).kind).toBe('failed');
  }
  renameSync(join(parent, 'elsewhere'), folder);
  expect((await tap(V3)).kind).toBe('captured');
  expect(running.state().storage).toBe('ok');
  other.close();
});

it('reports a disk that fails every read and write, and the app keeps running', async () => {
  const folder = join(ownFolder(), 'data');
  const running = await startKiosk(folder, NO_PLATFORM);
  await running.breakDisk();
  // Another connection writes, so that the device's cache is no longer valid.
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const body = { id: 't', revision: 1, name: 'T', purpose: 'lead' };
  mirror.applyPage(
    'touchpoints',
    pageOf('touchpoints', [{ id: 't', revision: 1n, deleted: false, body }]),
    1n,
  );
  mirror.close();
  expect(await running.tap(V1)).toMatchObject({ kind: 'failed' });
  await until('the fault is shown', () => running.state()?.storage === 'failing');
  expect(await running.tap(V2)).toMatchObject({ kind: 'failed' });
  expect(running.isAlive()).toBe(true);
});
