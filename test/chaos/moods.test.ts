/**
 * Everything around a device fails in turn while badges are tapped. A captured tap is never lost and is delivered
 * exactly once, and nothing else is shown as captured. CHAOS_SEED repeats an order of the faults.
 */
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import demoBadges from '../../assets/demo/badges.json' with { type: 'json' };
import { findRunningApp, openAppConnection } from '../../src-main/commands/tap/app-connection.ts';
import type { DeviceState } from '../../src-main/contract/device.ts';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { type KioskProcess, startKiosk } from '../core/kiosk-process.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { realClock } from '../core/real-parts.ts';
import { startApp, watch } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { MOODS, type Mood, seededRandom } from './faults.ts';
import { type ChaosProxy, startProxy } from './proxy.ts';

const SEED = Number(process.env.CHAOS_SEED ?? 20261122);
const TAPS = 3;
/**
 * How long a network fault lasts after the device reports it, and fewer than how many requests the device sends
 * during it. A retry storm would cause thousands.
 */
const MOOD_MS = 3_000;
const REQUESTS_IN_A_MOOD = 60;
const root = join(import.meta.dirname, '../..');
const KNOWN = demoBadges.filter(({ kind }) => kind === 'visitor').map(({ code }) => code);

/** A fault around a device that begins and ends. */
type BadTurn = {
  readonly name: string;
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** The outcome of a tap during the fault. */
  readonly outcome: 'captured' | 'failed';
  /** Whether the device reports the fault. */
  readonly isTold: (state: DeviceState) => boolean;
};

const turnsOf = (proxy: ChaosProxy, kiosk: KioskProcess, data: string): readonly BadTurn[] => {
  let before = 0;
  return [
    ...MOODS.map(
      (mood: Mood): BadTurn => ({
        name: mood,
        begin: () => {
          before = proxy.requests();
          proxy.turn(mood);
        },
        end: async () => {
          await realClock.sleep(MOOD_MS);
          expect(proxy.requests() - before, `requests while all was answered with ${mood}`).toBeLessThan(
            REQUESTS_IN_A_MOOD,
          );
          proxy.turn(null);
        },
        outcome: 'captured',
        isTold: ({ delivery }) => delivery.pause !== null && delivery.parked === 0,
      }),
    ),
    {
      name: 'folder gone',
      begin: () => renameSync(data, `${data}-elsewhere`),
      end: () => renameSync(`${data}-elsewhere`, data),
      outcome: 'failed',
      isTold: ({ storage }) => storage === 'failing',
    },
    {
      name: 'EIO',
      begin: kiosk.breakDisk,
      end: kiosk.mendDisk,
      outcome: 'failed',
      isTold: ({ storage }) => storage === 'failing',
    },
  ];
};

it('a kiosk keeps its facts and reports nothing false while faults follow each other', async () => {
  const folder = ownFolder();
  const data = join(folder, 'kiosk');
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const proxy = await startProxy({
    upstream: platform.baseUrl,
    seed: SEED,
    now: Date.now,
    share: 0,
    tls: null,
    gauge: { now: 0, most: 0 },
    elsewhere: 'http://127.0.0.1:9/',
  });
  onTestFinished(proxy.close);
  const baseUrl = proxy.baseUrl.replace('localhost', '127.0.0.1');
  const kiosk = await startKiosk(data, { ...platform, baseUrl });
  const stateIs = (what: string, is: (state: DeviceState) => boolean, ms?: number) =>
    until(`CHAOS_SEED=${SEED}: ${what}`, () => is(kiosk.state() as DeviceState), ms);
  await stateIs('the first sync is over', ({ mirror }) => mirror.complete);

  const captured: string[] = [];
  let laid = 0;
  const layBadges = async (when: string): Promise<readonly string[]> => {
    const kinds: string[] = [];
    for (let tap = 0; tap < TAPS; tap += 1, laid += 1) {
      const known = laid % 4 === 0 ? KNOWN[(laid / 4) % KNOWN.length] : undefined;
      const outcome = await kiosk.tap(known ?? `04DA${String(laid).padStart(10, '0')}`);
      kinds.push(outcome.kind);
      if (outcome.kind === 'captured') captured.push(outcome.factId);
    }
    expect(new Set(kinds).size, `outcomes ${when}: ${kinds}`).toBe(1);
    return kinds;
  };

  const begun = performance.now();
  const random = seededRandom(SEED);
  const turns = turnsOf(proxy, kiosk, data)
    .map((turn) => ({ turn, at: random() }))
    .toSorted((a, b) => a.at - b.at);
  for (const { turn } of turns) {
    expect((await layBadges(`before ${turn.name}`))[0]).toBe('captured');
    await turn.begin();
    expect((await layBadges(`in ${turn.name}`))[0]).toBe(turn.outcome);
    await stateIs(`${turn.name} is told`, turn.isTold, 60_000);
    await turn.end();
    expect(kiosk.isAlive()).toBe(true);
  }
  await layBadges('in the end');

  await stateIs(
    'all is delivered',
    ({ delivery }) => delivery.confirmed === captured.length && delivery.captured === captured.length,
    60_000,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const there = (await platform.actions()).map(({ clientID }) => String(clientID));
  expect(there.toSorted()).toEqual(captured.toSorted());
  const here = [...(readFactLines(join(data, 'journal.db')) ?? [])].map(({ id }) => id);
  expect(here).toEqual(captured);
  process.stdout.write(
    `chaos: ${turns.length} bad turns in ${seconds.toFixed(0)} s with ${proxy.requests()} requests; ` +
      `${captured.length} of ${laid} taps captured and delivered once, the others told as not saved\n`,
  );
}, 300_000);

it('an app captures and delivers as usual without disk space for its own logs or those of its platform', async () => {
  const data = join(ownFolder(), 'data');
  await mkdir(join(data, 'logs'), { recursive: true });
  const day = new Date().toLocaleDateString('sv');
  for (const log of [`touchpoint.${day}.1.log`, 'platform.log'])
    symlinkSync('/dev/full', join(data, 'logs', log));
  const app = startApp(data);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  await app.line(/^Touchpoint is ready/);
  const { rpc, token } = findRunningApp(data) ?? {};
  const connection = await openAppConnection(rpc ?? '', token ?? '');
  if (connection === null) throw new Error('Expected the app to answer');
  for (const code of KNOWN.slice(0, TAPS)) await connection.client.demo.tap({ code });
  let state: DeviceState | null = null;
  for await (const next of await connection.client.device.watch()) {
    state = next;
    if (next.delivery.confirmed === TAPS) break;
  }
  expect(state?.delivery).toMatchObject({ captured: TAPS, confirmed: TAPS, parked: 0 });
  connection.close();
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
}, 120_000);

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

cardTest(
  'a card service that hangs is reported, even in the demo, and used again when it answers',
  async () => {
    const data = join(ownFolder(), 'data');
    await using reader = await openVirtualReader();
    await reader.startService();
    const entry = join(root, 'src-main/launch/main.ts');
    const options = ['--data', data, '--no-open', '--shell', 'browser', '--reader', 'pcsc'];
    const app = watch(
      reader.spawn(process.execPath, [entry, ...options], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    await app.line(/^Touchpoint is ready/);
    const stateIs = (path: string, value: string | number) =>
      reader.run(
        process.execPath,
        [join(import.meta.dirname, 'state-child.ts'), data, path, String(value)],
        60_000,
      );
    const lay = (code = '') =>
      reader.run(process.execPath, [join(root, 'src-main/commands/tap.ts'), code, '--data', data]);

    expect(await lay(KNOWN[0])).toContain('Captured');
    reader.signalService('SIGSTOP');
    await stateIs('cardService', 'silent');
    reader.signalService('SIGCONT');
    await stateIs('cardService', 'up');
    expect(await lay(KNOWN[1])).toContain('Captured');
    await stateIs('delivery.confirmed', 2);
    expect([...(readFactLines(join(data, 'journal.db')) ?? [])]).toHaveLength(2);
  },
  180_000,
);
