/** `npm run health` while a real kiosk runs with the real platform: each fault is a no-go until it is repaired. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statfsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHealth } from '../../src-main/commands/health/read-health.ts';
import type { Health, HealthCheck, Verdict } from '../../src-main/contract/health.ts';
import type { Clock, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk } from '../../src-main/core/kiosk.ts';
import { readMachine } from '../../src-main/machine/machine-state.ts';
import { cardReading } from '../card-reading.ts';
import { ownFolder, rememberingLog, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { notRunUnless } from '../not-run.ts';

const command = join(import.meta.dirname, '../../src-main/commands/health.ts');

type Said = { readonly code: number; readonly out: string; readonly err: string };

function run(args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** A kiosk whose loops wait only a twentieth of the usual time. Its wall clock can be set wrong. */
async function openDevice(folder: string) {
  const platform = await createPlatformProcess(ownFolder(), ['--faults']);
  await platform.start();
  let offMs = 0;
  const clock: Clock = {
    ...realClock,
    now: () => Date.now() + offMs,
    sleep: (ms, signal) => realClock.sleep(ms / 20, signal),
  };
  let tell: (event: ReaderEvent) => void = () => undefined;
  const kiosk = createKiosk({
    clock,
    random: realRandom,
    log: rememberingLog(),
    folder,
    version: '1.2.3',
    platform: { baseUrl: platform.baseUrl, key: platform.key, password: '', expoId: platform.expoId },
    drivers: [{ start: (handle) => (tell = handle), feedback: () => undefined, stop: async () => undefined }],
    demoBadges: [],
    cardService: 'on',
    machine: () => readMachine(folder),
  });
  onTestFinished(kiosk.stop);
  kiosk.start();
  tell({ kind: 'service', state: 'up' });
  tell({ kind: 'attached', reader: 'desk' });

  /** Waits until the verdict is `verdict`; returns the command's exit code and its line about one check. */
  const said = async (verdict: Verdict, name: HealthCheck['name']) => {
    // Reads in this process, because starting the command takes as long as many heartbeats.
    await until(`it is ${verdict}`, () => readHealth(folder, Date.now()).verdict === verdict, 60_000);
    const { code, out } = await run(['--data', folder, '--json']);
    const health = JSON.parse(out) as Health;
    return { code, ...health.checks.find((check) => check.name === name) };
  };
  return {
    kiosk,
    platform,
    said,
    tell: (event: ReaderEvent) => tell(event),
    setClock: (ms: number) => {
      offMs = ms;
    },
  };
}

test('health is a no-go while a reader is missing, the key is refused, the clock is wrong or the mirror is old', async () => {
  const folder = ownFolder();
  const device = await openDevice(folder);
  expect(await device.said('good', 'reader')).toMatchObject({ code: 0, verdict: 'good', readers: 1 });

  device.tell({ kind: 'detached', reader: 'desk' });
  expect(await device.said('noGo', 'reader')).toMatchObject({
    code: 2,
    verdict: 'noGo',
    service: 'up',
    readers: 0,
  });
  device.tell({ kind: 'attached', reader: 'desk' });
  device.tell({ kind: 'interval', reader: 'desk', foundMs: 1000, everyMs: 250 });
  expect(await device.said('good', 'reader')).toMatchObject({
    code: 0,
    intervals: [{ reader: 'desk', foundMs: 1000, everyMs: 250 }],
  });

  const refusal = { kind: 'answer', status: 401, body: { title: 'Unauthorized' } };
  await device.platform.addFault(refusal);
  expect(await device.said('noGo', 'delivery')).toMatchObject({
    code: 2,
    verdict: 'noGo',
    pause: 'keyRefused',
  });
  await device.platform.clearFaults();
  await device.said('good', 'delivery');

  await device.platform.addFault({ kind: 'date', offsetMs: 600_000 });
  expect(await device.said('noGo', 'clock')).toMatchObject({ code: 2, verdict: 'noGo' });
  await device.platform.clearFaults();
  await device.said('good', 'clock');

  await device.platform.addFault({ kind: 'status', status: 503 });
  device.setClock(25 * 3_600_000);
  expect(await device.said('noGo', 'mirror')).toMatchObject({ code: 2, verdict: 'noGo', complete: true });
  device.setClock(0);
  await device.platform.clearFaults();
  expect(await device.said('good', 'mirror')).toMatchObject({ code: 0 });
  const { out } = await run(['--data', folder]);
  expect(out).toMatch(
    /^good {7}Reader: one is ready\. desk looks for a badge every 250 ms \(1000 ms before\)\.$/m,
  );
  expect(out).toMatch(/Ready for the stand \(version 1\.2\.3\)\.\n$/);
}, 180_000);

notRunUnless(process.getuid?.() === 0, 'only root can mount a small disk')(
  'a full disk is a no-go until there is room again',
  async () => {
    const folder = join(ownFolder(), 'disk');
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4g', 'tmpfs', folder]);
    onTestFinished(() => void execFileSync('umount', ['-l', folder]));
    const device = await openDevice(folder);
    await device.said('good', 'storage');

    const { blocks, bfree, bsize } = statfsSync(folder);
    execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, folder]);
    device.tell({ kind: 'inserted', reader: 'desk', insertion: 1 });
    const card = cardReading('04AA00000000A1');
    device.tell({ kind: 'card', reader: 'desk', insertion: 1, card });
    expect(await device.said('noGo', 'storage')).toMatchObject({ code: 2, verdict: 'noGo', freeBytes: 0 });
    execFileSync('mount', ['-o', 'remount,size=4g', folder]);
    device.tell({ kind: 'removed', reader: 'desk' });
    device.tell({ kind: 'inserted', reader: 'desk', insertion: 2 });
    device.tell({ kind: 'card', reader: 'desk', insertion: 2, card });
    expect(await device.said('good', 'storage')).toMatchObject({ code: 0, verdict: 'good', fault: 'ok' });
  },
  120_000,
);

test('health is a no-go for an app that never ran, has stopped, or was last seen minutes ago', async () => {
  const folder = ownFolder();
  expect(await run(['--data', folder])).toMatchObject({
    code: 2,
    out: expect.stringContaining('Touchpoint does not run here.'),
  });
  const device = await openDevice(folder);
  await device.said('good', 'reader');
  const file = join(folder, 'health.json');
  const written = readFileSync(file);
  await device.kiosk.stop();
  expect((await run(['--data', folder])).code).toBe(2);
  writeFileSync(file, written);
  utimesSync(file, Date.now() / 1_000 - 120, Date.now() / 1_000 - 120);
  const { code, out } = await run(['--data', folder]);
  expect({ code, out }).toMatchObject({ code: 2, out: expect.stringContaining('last seen 2 min ago') });
  writeFileSync(file, written.subarray(0, 40));
  expect((await run(['--data', folder])).code).toBe(2);
}, 120_000);
