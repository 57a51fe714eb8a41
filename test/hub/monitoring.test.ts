/** Monitoring of a hub: its metrics, and the verdict of `health` with its exit code. */
import { join } from 'node:path';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { addDevice } from './enrolled-devices.ts';
import { createHubProcess } from './hub-process.ts';

const PATIENCE_MS = 60_000;

test("health and metrics show a hub's state from its start to its end", async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform);
  const port = new URL(hub.baseUrl).port;
  const health = async (...more: readonly string[]) =>
    hub.run('health', '--data', hub.folder, '--port', port, ...more);
  expect((await health()).code).toBe(2);
  await hub.start();
  const { touchpoint, partner, credential } = await addDevice(hub, folder, 'AD2026T01');
  const metric = async (name: string): Promise<number> => {
    const { origin } = new URL(hub.baseUrl);
    const authorization = `Basic ${Buffer.from(`${credential}:`).toString('base64')}`;
    const text = await (await fetch(`${origin}/metrics`, { headers: { authorization } })).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  };
  await until(
    'the hub is online',
    async () => (await metric('hub_upstream{state="online"}')) === 1,
    PATIENCE_MS,
  );
  // The device has never reported, which needs attention. Everything else is good.
  const first = await health('--json');
  expect(first.code).toBe(1);
  const told = JSON.parse(first.out);
  expect(told.checks.map((one: { name: string; verdict: string }) => [one.name, one.verdict])).toEqual([
    ['hub', 'good'],
    ['platform', 'good'],
    ['facts', 'good'],
    ['devices', 'attention'],
  ]);
  expect(await metric('hub_devices{state="silent"}')).toBe(1);
  expect(await metric('hub_streams')).toBe(0);
  // A change from the first sync may still be waiting for its batch.
  await until('no change waits', async () => (await metric('hub_stream_lag_seconds')) === 0, PATIENCE_MS);
  await hub.request('POST', '/hub/here', credential, { version: '1', readers: 1, cardService: 'up' });
  await until(
    'the device works',
    async () => (await metric('hub_devices{state="silent"}')) === 0,
    PATIENCE_MS,
  );

  await platform.stop();
  const item = {
    ...{ id: '01989f00-0000-7000-8000-000000000001', kind: 'tap', at: new Date().toISOString(), seq: 1 },
    ...{ touchpointID: touchpoint, partnerID: partner ?? undefined, badge: '04AABBCCDDEEFF', source: 'nfc' },
  };
  expect((await hub.request('POST', `/actions/${platform.expoId}`, credential, [item])).status).toBe(200);
  expect(await metric('hub_facts{state="waiting"}')).toBe(1);
  await until(
    'the metrics show the age of the oldest waiting fact',
    async () => (await metric('hub_oldest_waiting_fact_seconds')) > 0.2,
    PATIENCE_MS,
  );
  await until(
    'the hub is offline',
    async () => (await metric('hub_upstream{state="offline"}')) === 1,
    PATIENCE_MS,
  );
  const offline = await health();
  expect(offline).toMatchObject({ code: 1 });
  expect(offline.out).toContain('look   platform: not reached');
  expect(offline.out).toContain('facts: 1 wait');
  await platform.start();
  await until(
    'the fact is sent',
    async () => (await metric('hub_facts{state="waiting"}')) === 0,
    PATIENCE_MS,
  );

  await hub.kill();
  const gone = await health();
  expect(gone).toMatchObject({ code: 2 });
  expect(gone.out).toContain(`nothing answers on port ${port}`);
  expect((await hub.run('health', '--port', '0')).code).toBe(2);
}, 240_000);
