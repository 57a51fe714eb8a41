/**
 * A hub proves its identity: its devices trust it only by its key and send nothing to an impostor. Devices that know
 * it by plain http keep working.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { createPlatformHere } from '../../core/platform-process.ts';
import { notRunUnless } from '../../not-run.ts';
import { chromiumPath, startBrowser } from '../../renderer/browser.ts';
import { inTurn } from '../../thoroughness.ts';
import { createHubProcess, type HubProcess, runHub, type Serving } from '../hub-process.ts';
import { startMiddleman } from './middleman.ts';
import { provision, startProvisioned } from './provisioned-kiosk.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 60_000;

const startHub = async (serving: Serving) => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform, [], serving);
  await hub.start();
  const badges = async () => (await platform.actions()).map(({ badge }) => String(badge));
  return { folder, hub, platform, arrived: async (uid: string) => (await badges()).includes(uid) };
};

/** The file for one more device, with the hub at `address`. */
const fileFor = async ({ folder }: HubProcess, address: string): Promise<string> => {
  const out = join(ownFolder(), 'device.json');
  const add = [
    'devices',
    'add',
    '--data',
    folder,
    '--address',
    address,
    '--touchpoint',
    'AD2026T01',
    '--out',
    out,
  ];
  await until('the hub has its touchpoints', async () => (await runHub(...add)).code === 0, PATIENCE_MS);
  return readFileSync(out, 'utf8');
};

const portOf = ({ baseUrl }: HubProcess): number => Number(new URL(baseUrl).port);
const credentialIn = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'platform.json'), 'utf8')) as { readonly key: string }).key;
const basic = (key: string): string => Buffer.from(`${key}:`).toString('base64');

test('a device sends nothing to a man in the middle, keeps capturing, and delivers when its hub is back', async () => {
  const { hub, arrived } = await startHub({ scheme: 'https', isTold: false });
  const middleman = await startMiddleman(portOf(hub));
  const address = `https://127.0.0.1:${middleman.port}/create/v2`;
  const text = await fileFor(hub, address);
  const oneTime = (JSON.parse(text) as { readonly devices: readonly { readonly key: string }[] }).devices[0];

  const folder = ownFolder();
  middleman.become('inTheMiddle');
  await expect(provision(folder, text)).rejects.toThrow(
    /^The server at the address in the file after --provision is not the hub that wrote the file\. Check the network/,
  );
  expect(middleman.asked()).toBe(1);
  middleman.become('through');
  await provision(folder, text);
  const { kiosk, tap } = startProvisioned(folder);
  await until('the device has mirrored the event', () => kiosk.state().mirror.complete, PATIENCE_MS);
  tap('04CA0000000001');
  await until('the fact is delivered', () => kiosk.state().delivery.confirmed === 1, PATIENCE_MS);

  middleman.become('inTheMiddle');
  tap('04CA0000000002');
  await until(
    'delivery pauses because of the wrong hub',
    () => kiosk.state().delivery.pause === 'wrongHub',
    PATIENCE_MS,
  );
  tap('04CA0000000003');
  const before = middleman.asked();
  await until('the device retried the connection', () => middleman.asked() > before + 3, PATIENCE_MS);
  const state = kiosk.state();
  expect(state.delivery).toMatchObject({ captured: 3, confirmed: 1, parked: 0 });
  expect(state).toMatchObject({ network: 'offline', hub: { name: 'Hub' } });
  const check = kiosk.health().checks.find(({ name }) => name === 'delivery');
  expect(check).toMatchObject({ verdict: 'noGo', pause: 'wrongHub' });
  expect(middleman.heard.plain()).toBe('');

  middleman.become('through');
  await until('every fact is delivered', () => kiosk.state().delivery.confirmed === 3, PATIENCE_MS);
  for (const uid of ['04CA0000000001', '04CA0000000003']) expect(await arrived(uid)).toBe(true);
  const secrets = [credentialIn(folder), oneTime?.key ?? ''].flatMap((key) => [key, basic(key)]);
  for (const secret of secrets) expect(middleman.heard.wire()).not.toContain(secret);

  // To check the test: the man in the middle can read the requests of a client that checks no certificate.
  middleman.become('inTheMiddle');
  const careless = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(() => careless.destroy());
  const headers = { authorization: `Basic ${basic(credentialIn(folder))}` };
  const answer = await fetch(`${address}/hub`, { dispatcher: careless, headers });
  expect(await answer.json()).toMatchObject({ hub: true, name: 'Hub' });
  expect(middleman.heard.plain()).toContain(basic(credentialIn(folder)));
}, 300_000);

test('a new certificate and a restarted hub are the same hub to its devices', async () => {
  const { hub, platform, arrived } = await startHub({ scheme: 'https', isTold: false });
  const refusalOf = async (...addresses: readonly string[]) => {
    const where = addresses.flatMap((address) => ['--address', address]);
    const out = join(ownFolder(), 'x.json');
    return (await runHub('devices', 'add', '--data', hub.folder, '--count', '1', '--out', out, ...where)).err;
  };
  expect(await refusalOf(hub.baseUrl, 'http://127.0.0.1:1')).toBe(
    '--address must begin with https://, because this hub serves https.\n',
  );
  expect(await refusalOf('https://127.0.0.1', 'https://127.0.0.1/create/v2')).toBe(
    '--address may be given up to 4 times, each another one.\n',
  );
  const folder = ownFolder();
  await provision(folder, await fileFor(hub, hub.baseUrl));
  const { kiosk, tap } = startProvisioned(folder);
  await until('the device has mirrored the event', () => kiosk.state().mirror.complete, PATIENCE_MS);
  const file = join(hub.folder, 'box-certificate.pem');
  expect(statSync(join(hub.folder, 'box-key.pem')).mode & 0o077).toBe(0);
  const first = readFileSync(file, 'utf8');
  await hub.kill('SIGTERM');
  await hub.start();
  expect(readFileSync(file, 'utf8')).toBe(first);
  for (const spoil of inTurn([() => rmSync(file), () => writeFileSync(file, 'no certificate')], 0)) {
    await hub.kill();
    spoil();
    await hub.start();
    expect(readFileSync(file, 'utf8')).not.toBe(first);
  }
  tap('04CA0000000011');
  await until('the fact is delivered', () => kiosk.state().delivery.confirmed === 1, PATIENCE_MS);
  expect(await arrived('04CA0000000011')).toBe(true);

  // A hub without its folder has another signing key, so it is another hub.
  await hub.kill();
  rmSync(join(hub.folder, 'box-key.pem'));
  await hub.start();
  tap('04CA0000000012');
  await until(
    'delivery pauses because of the wrong hub',
    () => kiosk.state().delivery.pause === 'wrongHub',
    PATIENCE_MS,
  );
  expect(kiosk.state().delivery).toMatchObject({ captured: 2, confirmed: 1 });
  expect((await platform.actions()).filter(({ badge }) => badge === '04CA0000000012')).toEqual([]);
}, 300_000);

test('a hub from before https serves plain http if no option selects a scheme', async () => {
  const { hub, platform, arrived } = await startHub({ scheme: 'http', isTold: true });
  const text = await fileFor(hub, hub.baseUrl);
  expect(JSON.parse(text)).toMatchObject({ version: 1, address: hub.baseUrl });
  expect(text).not.toContain('"pin"');
  const folder = ownFolder();
  await provision(folder, text);
  const { kiosk, tap } = startProvisioned(folder);
  await until('the device has mirrored the event', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await hub.kill('SIGTERM');
  // An old folder does not contain the setting for the scheme.
  const store = new Database(join(hub.folder, 'platform.db'));
  store.prepare(`delete from box_setting where name = 'scheme'`).run();
  store.close();
  const untold = { scheme: 'http', isTold: false } as const;
  const later = await createHubProcess(hub.folder, platform, ['--port', String(portOf(hub))], untold);
  await later.start();
  tap('04CA0000000021');
  await until('the fact is delivered', () => kiosk.state().delivery.confirmed === 1, PATIENCE_MS);
  expect(await arrived('04CA0000000021')).toBe(true);
}, 300_000);

const browserTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

browserTest(
  'a real browser opens the fleet page only with the pin in the file of a device',
  async () => {
    const { hub } = await startHub({ scheme: 'https', isTold: true });
    const { pin } = JSON.parse(await fileFor(hub, hub.baseUrl)) as { readonly pin: string };
    const shown = async (...args: readonly string[]) => {
      const browser = await startBrowser(args);
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(new URL('/fleet', hub.baseUrl).href);
      return page.title();
    };
    expect(await shown(`--ignore-certificate-errors-spki-list=${pin}`)).toContain('Hub');
    await expect(shown()).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
  },
  120_000,
);
