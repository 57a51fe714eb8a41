/**
 * The bell of a box with a real nats-server: devices hear at once of what they would have asked for much later; who has no
 * business there hears and says nothing; and whatever becomes of the server, it rings again.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findNatsServer } from '../../../src-hub/bell/nats-server.ts';
import { createBell } from '../../../src-main/core/bell/bell.ts';
import { type BellKey, makeBellKey, openLink } from '../../../src-main/core/bell/link.ts';
import type { BellAddress } from '../../../src-main/core/bell/ring.ts';
import { fingerprintOfKey } from '../../../src-main/provision/provision-file.ts';
import { readCommand } from '../../../src-main/provision/signed-command.ts';
import { noteInto } from '../../core/bell/heard.ts';
import { ownFolder, rememberingLog, until } from '../../core/fixture.ts';
import { createPlatformProcess, type PlatformProcess } from '../../core/platform-process.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { freePort } from '../../free-port.ts';
import { notRunUnless } from '../../not-run.ts';
import { startBoxKiosk } from '../box-kiosk.ts';
import { addDevices, type EnrolledDevice } from '../enrolled-devices.ts';
import { createHubProcess, type HubProcess, openVisitor, runHub } from '../hub-process.ts';
import { serversOf } from './nats-servers.ts';

const program = findNatsServer(null);
const test = notRunUnless(program !== null, 'nats-server is not installed');

/** A loaded machine takes its time; what is waited for comes or never does. */
const PATIENCE_MS = 60_000;

/** Two devices of one team. */
const PLACES = ['AD2026T01', 'AD2026T01'];

/** Tells the box of a key for the bell; what it answers of it. */
const report = async (box: HubProcess, device: EnrolledDevice, key: string): Promise<BellAddress | null> =>
  (
    await box.request('POST', '/box/here', device.credential, {
      ...{ delivery: {}, bell: { key, heard: false } },
    })
  ).json.bell;

const rung = async (box: HubProcess, device: EnrolledDevice, key: string): Promise<BellAddress> => {
  let address: BellAddress | null = null;
  await until(
    'the box rings',
    async () => {
      address = await report(box, device, key);
      return address !== null;
    },
    PATIENCE_MS,
  );
  if (address === null) throw new Error('Expected an address of the bell');
  return address;
};

/** A device's ear alone, and what it heard. */
const listen = async (box: HubProcess, device: EnrolledDevice) => {
  const heard: string[] = [];
  const bell = createBell({
    ...{ clock: quickClock, random: realRandom, log: rememberingLog() },
    ...noteInto(heard),
  });
  await bell.prepare();
  const ended = new AbortController();
  const running = bell.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
  });
  const tell = async (): Promise<void> => bell.told(await report(box, device, bell.publicKey() ?? ''));
  const hears = (): Promise<void> =>
    until(
      'the bell is heard',
      async () => {
        await tell();
        return bell.isHeard();
      },
      PATIENCE_MS,
    );
  return { bell, heard, tell, hears };
};

const quickClock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) =>
    realClock.sleep(ms > LONG_MS ? 2 ** 31 - 1 : Math.min(ms, 400), signal),
};

/** Waits longer than this never end by themselves here: those of a device that hears a bell. */
const LONG_MS = 20_000;

/** A kiosk whose own reports and rounds come as good as never, once it hears the bell. */
const startDeafKiosk = async (box: HubProcess, platform: PlatformProcess, device: EnrolledDevice) => {
  const fingerprint = fingerprintOfKey(readFileSync(join(box.folder, 'box-key.pem'), 'utf8'));
  const clock = { ...quickClock, monotonic: () => realClock.monotonic() / 10 };
  const kiosk = startBoxKiosk(
    join(ownFolder(), device.id),
    device,
    { baseUrl: box.baseUrl, key: device.credential, expoId: platform.expoId },
    {
      clock,
      atBox: {
        belongs: () => true,
        open: (text, now) => readCommand(text, now, { fingerprint, device: device.id }),
        reload: () => undefined,
      },
    },
  );
  await until('the kiosk has its copy', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await until('it hears the bell', () => kiosk.said().includes('the bell of the box is heard'), PATIENCE_MS);
  let [last, since] = [kiosk.state().mirror.lastPassAt, Date.now()];
  await until(
    'its rounds rest',
    () => {
      const at = kiosk.state().mirror.lastPassAt;
      if (at !== last) [last, since] = [at, Date.now()];
      return Date.now() - since > 4_000;
    },
    PATIENCE_MS,
  );
  return kiosk;
};

/** A link that a test opened, gone when it ends. */
const openOwn = async (url: string, key: BellKey) => {
  const link = await openLink(url, key);
  onTestFinished(link.close);
  return link;
};

const deleteVisitor = async (platform: PlatformProcess): Promise<void> => {
  const { body } = await platform.call('GET', `/visitors/${platform.expoId}?limit=1`);
  const [visitor] = body as readonly { readonly id: string }[];
  const { status } = await platform.call('DELETE', `/visitors/${platform.expoId}/${visitor?.id}`);
  expect(status).toBeLessThan(300);
};

const startBox = async (environment: Readonly<Record<string, string>> = {}) => {
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const nats = `nats://127.0.0.1:${await freePort()}`;
  const box = await createHubProcess(join(folder, 'box'), platform, ['--nats', nats], {
    ...{ scheme: 'http', isTold: true, environment },
  });
  await box.start();
  return { platform, box, nats };
};

test('changes and deletions upstream, and commands, reach a device that does not ask by itself', async () => {
  const { platform, box } = await startBox();
  const [device] = await addDevices(box, ownFolder(), PLACES);
  if (device === undefined) throw new Error('Expected a device');
  await rung(box, device, '');
  const kiosk = await startDeafKiosk(box, platform, device);
  const visitors = () => kiosk.state().mirror.resources.find(({ name }) => name === 'visitors')?.count ?? 0;
  const before = visitors();
  await deleteVisitor(platform);
  await until('the deletion is here', () => visitors() === before - 1, PATIENCE_MS);
  const made = await platform.call('POST', `/visitors/${platform.expoId}`, {
    ...{ contactID: 'c1', contactReference: 'r1', registrationState: 'registered' },
    ...{ firstName: 'New', lastName: 'Visitor', badges: [], labels: [] },
  });
  expect(made.status).toBe(200);
  await until('the new one is here', () => visitors() === before, PATIENCE_MS);

  const { ask } = openVisitor(new URL(box.baseUrl).origin);
  const { out } = await runHub('fleet', 'key', '--data', box.folder);
  await ask('/fleet/enter', { key: out.trim() });
  await ask('/fleet/commands', { off: device.id });
  await until('the command is followed', () => kiosk.state().outOfOrder === true, PATIENCE_MS);
  expect(kiosk.errors()).toEqual([]);
}, 300_000);

test('a device hears what is its own and says nothing; a stranger hears nothing; who is revoked is shut out', async () => {
  const { platform, box } = await startBox();
  const [left, right] = await addDevices(box, ownFolder(), PLACES);
  if (left === undefined || right === undefined) throw new Error('Expected two devices');
  const isLetIn = async (url: string, one: BellKey): Promise<boolean> => {
    const link = await openLink(url, one).catch(() => null);
    await link?.close();
    return link !== null;
  };
  // What a device tells as its key gets no further than that, and keeps nobody else out.
  for (const bad of ['"}]}}', 'U'.repeat(56)]) {
    const { url } = await rung(box, left, bad);
    const beside = await makeBellKey();
    await report(box, right, beside.publicKey);
    await until('another one is let in', () => isLetIn(url, beside), PATIENCE_MS);
  }

  const [key, theirs] = [await makeBellKey(), await makeBellKey()];
  const { url, event, device } = await rung(box, left, key.publicKey);
  await report(box, right, theirs.publicKey);
  await until('both are let in', async () => (await isLetIn(url, key)) && isLetIn(url, theirs), PATIENCE_MS);
  const heard: string[] = [];
  const ear = await openOwn(url, theirs);
  let isEarOpen = true;
  void ear.closed.then(() => {
    isEarOpen = false;
  });
  for (const subject of [event, device.replace(left.id, right.id)])
    ear.subscribe(subject, (_subject, bytes) => heard.push(new TextDecoder().decode(bytes)));
  await ear.settled();
  await expect(openLink(url, await makeBellKey())).rejects.toThrow(/authorization/i);

  for (const subject of ['>', 'tp.>', device.replace(left.id, right.id), device.replace(left.id, '*')]) {
    const link = await openOwn(url, key);
    link.subscribe(subject, () => undefined);
    await until(`it is not let hear ${subject}`, () => link.closed.then(() => true), PATIENCE_MS);
  }
  const loud = await openOwn(url, key);
  for (const subject of [event.replace('>', 'visitors'), device.replace(left.id, right.id), device])
    loud.publish(subject, 'forged');
  await loud.settled().catch(() => undefined);
  await ear.settled();

  const own = await openOwn(url, key);
  own.subscribe(device, () => undefined);
  await own.settled();
  expect((await runHub('devices', 'revoke', left.id, '--data', box.folder)).code).toBe(0);
  await until('it is shut out', () => own.closed.then(() => true), PATIENCE_MS);
  await expect(openLink(url, key)).rejects.toThrow(/authorization/i);

  // Nothing of all this reached the right one, or cost it its connection.
  expect([isEarOpen, heard.filter((text) => text === 'forged')]).toEqual([true, []]);
  heard.length = 0;
  await deleteVisitor(platform);
  await until('a change of the event does', () => heard.length > 0, PATIENCE_MS);
}, 300_000);

test('a box without nats-server says so and works; it rings once it is there, and again after every kill', async () => {
  const place = join(ownFolder(), 'nats-server');
  const { platform, box } = await startBox({ NATS_SERVER: place });
  const [left, right] = await addDevices(box, ownFolder(), PLACES);
  if (left === undefined || right === undefined) throw new Error('Expected two devices');
  await until('it says what is missing', () => /in the package nats-server/.test(box.said()), PATIENCE_MS);
  const ear = await listen(box, left);
  await ear.tell();
  expect(await report(box, left, ear.bell.publicKey() ?? '')).toBeNull();

  symlinkSync(program ?? '', place);
  let tapped = 0;
  const rings = async (): Promise<void> => {
    await ear.hears();
    const before = ear.heard.length;
    tapped += 1;
    const item = { id: randomUUID(), kind: 'tap', at: '2026-11-24T09:30:00Z', seq: tapped, source: 'nfc' };
    const items = [{ ...item, touchpointID: right.touchpoint, badge: `04BE0000000${tapped}` }];
    const { status } = await box.request('POST', `/actions/${platform.expoId}`, right.credential, items);
    expect(status).toBe(200);
    await until(
      'the other one of the team hears of it',
      () => ear.heard.slice(before).includes('team'),
      PATIENCE_MS,
    );
  };
  await rings();
  const [first, ...more] = serversOf(box);
  expect(more).toEqual([]);
  if (first === undefined) throw new Error('Expected a nats-server');
  process.kill(first, 'SIGKILL');
  await until('the ear hears nothing', () => !ear.bell.isHeard(), PATIENCE_MS);
  await rings();

  const [second] = serversOf(box);
  expect(second).not.toBe(first);
  await box.kill();
  await until('the server went with its box', () => serversOf(box).length === 0, PATIENCE_MS);
  await box.start();
  await rings();
}, 300_000);
