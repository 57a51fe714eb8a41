/** A rehearsal on a real kiosk with the real platform: every fault occurs, and none stays behind. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHealth } from '../../src-main/commands/health/read-health.ts';
import { linesOf } from '../../src-main/commands/health/sentences.ts';
import type { RehearsalState, RehearsalStepName } from '../../src-main/contract/rehearsal.ts';
import type { Clock, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk } from '../../src-main/core/kiosk.ts';
import { createRehearsal, type RehearsalService } from '../../src-main/rehearsal/rehearsal.ts';
import { cardReading } from '../card-reading.ts';
import { ownFolder, rememberingLog, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { leadsOn, staffScreen } from '../core/screen.ts';

const KNOWN = '04A1B2C3D4E5F6';
const LONG = 60_000;

/** A kiosk of the demo event with a fake reader. Its loops wait only a twentieth of the usual time. */
async function openDevice() {
  const folder = ownFolder();
  const platform = await createPlatformProcess(ownFolder(), ['--faults']);
  await platform.start();
  let tell: (event: ReaderEvent) => void = () => undefined;
  let insertion = 0;
  const open = (run: string) => {
    const quick: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };
    const rehearsal: RehearsalService = createRehearsal({
      folder,
      clock: quick,
      log: rememberingLog(),
      version: '1.2.3',
      run,
      kiosk: () => kiosk,
    });
    const kiosk = createKiosk({
      clock: { ...quick, now: () => Date.now() + rehearsal.clockOff() },
      random: realRandom,
      log: rememberingLog(),
      folder,
      version: '1.2.3',
      platform: { baseUrl: platform.baseUrl, key: platform.key, password: '', expoId: platform.expoId },
      drivers: [
        { start: (handle) => (tell = handle), feedback: () => undefined, stop: async () => undefined },
      ],
      demoBadges: [],
      cardService: 'on',
      takeOutcome: rehearsal.take,
      rehearsedFault: rehearsal.diskFault,
    });
    onTestFinished(kiosk.stop);
    kiosk.start();
    tell({ kind: 'service', state: 'up' });
    tell({ kind: 'attached', reader: 'desk' });
    return { rehearsal, kiosk };
  };
  return {
    folder,
    platform,
    open,
    tell: (event: ReaderEvent) => tell(event),
    tap: (uid: string) => {
      insertion += 1;
      tell({ kind: 'inserted', reader: 'desk', insertion });
      tell({ kind: 'card', reader: 'desk', insertion, card: cardReading(uid) });
      tell({ kind: 'removed', reader: 'desk' });
    },
  };
}

/** A page that watches. `reaches` waits for a step and a number of passed phases. */
function watch(rehearsal: RehearsalService) {
  const gone = new AbortController();
  let state: RehearsalState | null = null;
  const ended = (async () => {
    try {
      for await (const next of rehearsal.watch(true, gone.signal)) state = next;
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  })();
  const present = () => state?.drill?.steps.find((step) => step.state === 'waiting');
  return {
    state: () => state,
    reaches: (name: RehearsalStepName, seen = 0) =>
      until(`${name} ${seen}`, () => present()?.name === name && present()?.seen === seen, LONG),
    leave: async () => {
      gone.abort();
      await ended;
    },
  };
}

test('a complete rehearsal with a killed app passes every step, writes a sheet and leaves only undone leads', async () => {
  const device = await openDevice();
  const first = device.open('one');
  const screen = await staffScreen(first.kiosk);
  await until('the device has mirrored the event', () => first.kiosk.state().mirror.complete, LONG);
  expect(first.rehearsal.begin()).toBe(true);
  const page = watch(first.rehearsal);
  await page.reaches('known');
  device.tap('04AA00000000A1');
  await until('the rehearsal names the tapped badge', () => page.state()?.hint === 'unknownBadge', LONG);
  device.tap(KNOWN);
  await page.reaches('unknown');
  device.tap('04AA00000000A2');
  await page.reaches('reader');
  device.tell({ kind: 'detached', reader: 'desk' });
  await page.reaches('reader', 1);
  device.tell({ kind: 'attached', reader: 'desk' });
  await page.reaches('network');
  await device.platform.addFault({ kind: 'status', status: 503 });
  await page.reaches('network', 1);
  device.tap(KNOWN);
  await page.reaches('network', 2);
  await device.platform.clearFaults();
  await page.reaches('disk');
  device.tap('04AA00000000A3');
  await page.reaches('disk', 1);
  expect(first.kiosk.health().checks).toContainEqual(
    expect.objectContaining({ name: 'storage', verdict: 'noGo', fault: 'full' }),
  );
  device.tap('04AA00000000A3');
  // The clock step needs no action: the app sets the clock wrong, detects that and corrects it.
  await page.reaches('kill');
  const { leads } = await leadsOn(screen);
  expect(leads.length).toBe(4);
  expect(leads.every(({ undone, taps }) => undone && taps === 0)).toBe(true);
  // No sample and no undo carries the time of the wrong clock.
  expect(leads.every(({ lastAt }) => lastAt < Date.now() + 300_000)).toBe(true);

  await page.leave();
  await first.kiosk.stop();
  // A killed app leaves its heartbeat behind.
  writeFileSync(join(device.folder, 'health.json'), '{}');
  const second = device.open('two');
  const again = watch(second.rehearsal);
  await until('the rehearsal has its sheet', () => again.state()?.sheets.length === 1, LONG);
  const [ended] = again.state()?.sheets ?? [];
  const sheet = second.rehearsal.sheet(ended?.id ?? '');
  expect(sheet?.steps.map(({ name, state }) => [name, state])).toEqual(
    ['known', 'unknown', 'reader', 'network', 'disk', 'clock', 'kill'].map((name) => [name, 'passed']),
  );
  expect(sheet).toMatchObject({
    version: '1.2.3',
    leftOver: 0,
    steps: [{}, {}, {}, {}, { simulated: true }, {}, {}],
  });
  expect(existsSync(join(device.folder, 'rehearsal.json'))).toBe(false);
  const outside = readHealth(device.folder, Date.now());
  expect(outside.rehearsal).toMatchObject({ verdict: sheet?.verdict, version: '1.2.3' });
  expect(linesOf(outside, Date.now())).toContainEqual(
    expect.stringMatching(/^ +Rehearsal: (go|go, .*), \d+ s ago, version 1\.2\.3\.$/),
  );
  await again.leave();
  // No page shows the rehearsal now, so a tap is a lead.
  const { captured } = second.kiosk.state().delivery;
  device.tap(KNOWN);
  await until(
    'the tap is kept and not undone',
    () => second.kiosk.state().delivery.captured > captured,
    LONG,
  );
  const known = (await leadsOn(await staffScreen(second.kiosk))).leads.find(({ unknown }) => !unknown);
  expect(known).toMatchObject({ undone: false, taps: 1 });
}, 180_000);

test('saves a tap as a lead if no page of the rehearsal is open', async () => {
  const device = await openDevice();
  const { rehearsal, kiosk } = device.open('one');
  await until('the device has mirrored the event', () => kiosk.state().mirror.complete, LONG);
  rehearsal.begin();
  for (const name of ['known', 'unknown', 'reader', 'network'] as const)
    expect(rehearsal.skip(name, 'at home')).toBe(true);
  expect(rehearsal.skip('known', 'twice')).toBe(false);
  device.tap(KNOWN);
  await until('the tap is a lead', () => kiosk.state().leads === 1, LONG);
  const page = watch(rehearsal);
  await page.reaches('disk');
  device.tap('04AA00000000A1');
  await page.reaches('disk', 1);
  await page.leave();
  device.tap('04AA00000000A2');
  await until('the second tap is also a lead', () => kiosk.state().leads === 2, LONG);
  // The rehearsal in progress is on disk, so another run finds it.
  expect(device.open('two').rehearsal.drop()).toBe(true);
}, 120_000);
