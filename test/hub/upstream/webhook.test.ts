/**
 * Notifications of the platform at a hub: a notification triggers an early poll, so that devices get a change sooner.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../core/fixture.ts';
import { createPlatformHere } from '../../core/platform-process.ts';
import { freePort } from '../../free-port.ts';
import { addDevices } from '../enrolled-devices.ts';
import { createHubProcess } from '../hub-process.ts';

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A platform, and a hub that receives its notifications about labels at `port`. */
const startListening = async (...options: readonly string[]) => {
  const platform = await createPlatformHere(join(ownFolder(), 'platform'), options);
  await platform.start();
  const folder = join(ownFolder(), 'hub');
  mkdirSync(folder);
  const port = await freePort();
  const settings = { port, secret: SECRET, hooks: [{ webhookId: 'hook1', resource: 'labels' }] };
  const hub = await createHubProcess(folder, platform);
  const listen = (given: object): void =>
    writeFileSync(join(folder, 'webhook.json'), JSON.stringify({ ...settings, ...given }));
  return { platform, hub, port, listen };
};

test('a notification gets 204, and devices then read the change from the hub; a wrong secret gets 404', async () => {
  const { platform, hub, port, listen } = await startListening();
  listen({});
  await hub.start();
  const [device] = await addDevices(hub, hub.folder, ['AD2026T01']);
  const labelsAtHub = async (): Promise<readonly string[]> =>
    (await hub.request('GET', `/labels/${platform.expoId}`, device?.credential ?? '')).json.map(
      ({ name }: { readonly name: string }) => name,
    );
  const knock = `http://127.0.0.1:${port}/${SECRET}?expoId=${platform.expoId}&webhookId=hook1`;
  expect((await fetch(knock)).status).toBe(204);
  const label = { name: 'Notified', color: '#112233', types: ['profile'] };
  expect((await platform.call('POST', `/labels/${platform.expoId}`, label)).status).toBe(200);
  expect((await fetch(knock)).status).toBe(204);
  await expect.poll(labelsAtHub, { timeout: 60_000 }).toContain('Notified');
  expect((await fetch(knock.replace(SECRET, 'wrong'))).status).toBe(404);
}, 120_000);

test('a hub that cannot listen for notifications says why and still serves; invalid settings stop it with one sentence', async () => {
  const { hub, listen } = await startListening();
  listen({ host: '192.0.2.1' });
  await hub.start();
  await expect
    .poll(hub.said, { timeout: 60_000 })
    .toContain('The hub cannot listen for notifications of the platform');
  expect(await hub.kill('SIGTERM')).toBe(0);
  listen({ port: 'x' });
  await expect(hub.start()).rejects.toThrow('The hub ended before it was up');
  expect(hub.said()).toMatch(/webhook\.json.*port is not as expected/);
}, 120_000);

test('a hub that knows its public address registers its webhooks, and uses them again after a restart', async () => {
  const { platform, hub, port, listen } = await startListening('--allow-private-targets');
  listen({ hooks: undefined, url: `http://127.0.0.1:${port}` });
  await hub.start();
  const registered = async () =>
    ((await platform.call('GET', `/webhooks/${platform.expoId}`)).body as readonly Record<string, string>[])
      .filter(({ url }) => url === `http://127.0.0.1:${port}/${SECRET}`)
      .map(({ type, lastAttempt, lastError }) => ({ type, lastAttempt, lastError }));
  await expect
    // The hub tries again after a minute if a request fails and is not refused.
    .poll(async () => (await registered()).map(({ type }) => type).toSorted(), { timeout: 120_000 })
    .toEqual(['action', 'activity', 'connection', 'content', 'participant', 'partner', 'visitor']);
  await expect.poll(hub.said, { timeout: 60_000 }).toContain('notifies this hub of changes in visitors');
  const visitor = { firstName: 'New', lastName: 'Guest', registrationState: 'registered' };
  expect((await platform.call('POST', `/visitors/${platform.expoId}`, visitor)).status).toBe(200);
  const notified = async () => (await registered()).find(({ type }) => type === 'visitor');
  await expect.poll(async () => (await notified())?.lastAttempt, { timeout: 60_000 }).toBeDefined();
  await expect.poll(async () => (await notified())?.lastError ?? null, { timeout: 60_000 }).toBeNull();
  await hub.kill('SIGTERM');
  await hub.start();
  await expect.poll(() => hub.said().split('notifies this hub').length, { timeout: 60_000 }).toBe(3);
  expect(await registered()).toHaveLength(7);
  expect(hub.said()).not.toContain(SECRET);
}, 400_000);
