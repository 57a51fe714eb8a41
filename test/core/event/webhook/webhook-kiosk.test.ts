/** The optional listener in a complete device at the real platform: a notification triggers an early poll. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { readWebhookSettings } from '../../../../src-main/data-folder/webhook-settings.ts';
import { freePort } from '../../../free-port.ts';
import { ownFolder, rememberingLog, until } from '../../fixture.ts';
import { createPlatformHere } from '../../platform-process.ts';
import { realClock, realRandom } from '../../real-parts.ts';

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789';

it('answers a notification only after the changed data is in the mirror', async () => {
  const platform = await createPlatformHere(join(ownFolder(), 'platform'));
  await platform.start();
  const folder = join(ownFolder(), 'kiosk');
  mkdirSync(folder);
  const port = await freePort();
  const settings = { port, secret: SECRET, hooks: [{ webhookId: 'hook1', resource: 'visitors' }] };
  writeFileSync(join(folder, 'webhook.json'), JSON.stringify(settings));
  const kiosk = createKiosk({
    clock: realClock,
    random: realRandom,
    log: rememberingLog(),
    folder,
    platform: { baseUrl: platform.baseUrl, key: platform.key, password: '', expoId: platform.expoId },
    drivers: [],
    demoBadges: [],
    version: 'test',
    cardService: 'off',
    webhook: readWebhookSettings(folder),
  });
  onTestFinished(kiosk.stop);
  kiosk.start();
  await until('the first sync is complete', () => kiosk.state().mirror.complete);
  const visitors = () => kiosk.state().mirror.resources.find(({ name }) => name === 'visitors')?.count;
  const before = visitors() ?? 0;
  const created = await platform.call('POST', `/visitors/${platform.expoId}`, {
    contactID: 'c1',
    contactReference: 'r1',
    registrationState: 'registered',
    firstName: 'New',
    lastName: 'Visitor',
    badges: [],
    labels: [],
  });
  expect(created.status).toBe(200);
  const knock = `http://127.0.0.1:${port}/${SECRET}?expoId=${platform.expoId}&webhookId=hook1`;
  expect((await fetch(knock)).status).toBe(204);
  expect(visitors()).toBe(before + 1);
  expect((await fetch(knock.replace(SECRET, 'wrong'))).status).toBe(404);
}, 60_000);

it('refuses webhook settings with an invalid port, and settings that are not JSON', () => {
  const folder = ownFolder();
  expect(readWebhookSettings(folder)).toBeNull();
  writeFileSync(join(folder, 'webhook.json'), JSON.stringify({ port: 'x', secret: SECRET, hooks: [] }));
  expect(() => readWebhookSettings(folder)).toThrow(/port is not as expected/);
  writeFileSync(join(folder, 'webhook.json'), '{');
  expect(() => readWebhookSettings(folder)).toThrow(/not JSON/);
});
