/**
 * `npm run bench -- snapshot` measures how long a new device at a hub takes to get 100,000 visitors from a snapshot.
 * It compares that with paging from the same hub and with a bare download of the same bytes, also over a line with a
 * delay and on a busy machine.
 *
 * Invariants:
 * - Everything runs on this machine, over real HTTP, with the real platform, hub and kiosk, each in its own process.
 * - Snapshot and paging alternate.
 * - The snapshot already exists before the measurement, as it does for all devices except the first.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { quantile } from './measure.ts';
import type { Row } from './row.ts';
import { startDelay } from './sync/delay.ts';
import { addDevices, enrol, headersOf, startHub } from './sync/hub.ts';
import type { firstSync } from './sync/kiosk.ts';
import { type Access, type Child, measured, startPlatform } from './sync/processes.ts';

const VISITORS = 100_000;
const TURNS = 3;
/** Round-trip time of the delayed connection. */
const LINE_MS = 10;
const BUSY_LOOPS = 4;

type Synced = Awaited<ReturnType<typeof firstSync>>;

const row = (metric: string, value: number, unit: string, baseline?: number): Row => ({
  bench: 'snapshot',
  metric,
  value,
  unit,
  ...(baseline === undefined ? {} : { baseline, ratio: value / baseline }),
});

/**
 * Adds a device to the hub and enrols it; returns its access, or null while the hub has no touchpoints yet.
 */
const addDevice = async (folder: string, baseUrl: string, expoId: string): Promise<Access | null> => {
  const out = join(folder, `${randomBytes(4).toString('hex')}.json`);
  const devices = await addDevices(join(folder, 'hub'), baseUrl, 1, out);
  if (devices === null) return null;
  const [device] = devices;
  if (device === undefined) throw new Error('The file of the hub names no device');
  return { baseUrl, key: await enrol(baseUrl, device), expoId };
};

/** Waits until the hub has built its snapshot; returns its hash and length. */
const snapshotOf = async ({
  baseUrl,
  key,
  expoId,
}: Access): Promise<{ readonly sha256: string; readonly length: number }> => {
  for (;;) {
    const answer = await fetch(`${baseUrl}/hub/snapshot/${expoId}`, { headers: headersOf(key) });
    const body = (await answer.json()) as { readonly text: string };
    if (answer.ok) return JSON.parse(body.text) as { sha256: string; length: number };
    await delay(1_000);
  }
};

/** A hub in front of the platform with a device, and everything that snapshots need. */
const startHubWithDevice = async (
  folder: string,
  access: Access,
): Promise<{ readonly device: Access; readonly fingerprint: string; readonly hub: Child }> => {
  const data = join(folder, 'hub');
  const { hub, baseUrl } = await startHub(data, access);
  let device: Access | null = null;
  while (device === null) {
    await delay(1_000);
    device = await addDevice(folder, baseUrl, access.expoId);
  }
  const fingerprint = fingerprintOfKey(readFileSync(join(data, 'box-key.pem'), 'utf8'));
  return { device, fingerprint, hub };
};

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Keeps four programs busy while `use` runs. */
const besideBusyLoops = async <Result>(use: () => Promise<Result>): Promise<Result> => {
  const loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await use();
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
};

type Turns = { readonly taken: readonly Synced[]; readonly paged: readonly Synced[] };

/** Syncs alternately from a snapshot and by paging, each time in a new folder and process. */
const syncInTurn = async (folder: string, device: Access, fingerprint: string): Promise<Turns> => {
  const taken: Synced[] = [];
  const paged: Synced[] = [];
  const place = join(folder, 'kiosk');
  for (let turn = 1; turn <= TURNS; turn += 1) {
    for (const [into, more] of [
      [taken, { fingerprint }],
      [paged, {}],
    ] as const) {
      mkdirSync(place);
      const found = await measured<Synced>('firstSync', {
        ...device,
        ...more,
        folder: place,
        wholeRound: false,
      });
      rmSync(place, { recursive: true, force: true });
      if (found.visitors !== VISITORS) throw new Error(`${found.visitors} visitors came`);
      into.push(found);
    }
  }
  // A device that fell back to paging would be as slow as one that pages, and would request as many pages.
  if (taken.some(({ pages }) => pages > 100)) throw new Error('The snapshot was not taken');
  return { taken, paged };
};

const of = (all: readonly Synced[], field: 'seconds' | 'cpuSeconds' | 'heldUpMs' | 'peakMb'): number =>
  median(all.map((one) => one[field]));

const beside = (
  metric: string,
  unit: string,
  field: Parameters<typeof of>[1],
  { taken, paged }: Turns,
): Row => row(`${metric}, beside paging`, of(taken, field), unit, of(paged, field));

const WAIT = 'longest a tap would have to wait';

async function* besideEachOther(folder: string, device: Access, fingerprint: string): AsyncGenerator<Row> {
  const { sha256, length } = await snapshotOf(device);
  const bare: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const task = { ...device, sha256 };
    const { seconds, bytes } = await measured<{ seconds: number; bytes: number }>('bareSnapshot', task);
    if (bytes !== length) throw new Error(`${bytes} bytes came, not ${length}`);
    bare.push(seconds);
  }
  const title = `first copy of ${VISITORS} visitors from a snapshot`;
  const alone = await syncInTurn(folder, device, fingerprint);
  yield beside(title, 's', 'seconds', alone);
  yield row(`${title}, beside a bare download`, of(alone.taken, 'seconds'), 's', median(bare));
  yield beside('CPU of the kiosk', 's', 'cpuSeconds', alone);
  yield row('requests, beside paging', alone.taken[0]?.pages ?? 0, '', alone.paged[0]?.pages);
  yield row('size of the snapshot', length / 1024 / 1024, 'MB');
  yield beside(WAIT, 'ms', 'heldUpMs', alone);
  yield beside('memory of the kiosk at most', 'MB', 'peakMb', alone);
  const url = new URL(device.baseUrl);
  const line = await startDelay(Number(url.port), LINE_MS / 2);
  try {
    url.port = String(line.port);
    const over = await syncInTurn(folder, { ...device, baseUrl: url.href }, fingerprint);
    yield beside(`${title}, over a line of ${LINE_MS} ms`, 's', 'seconds', over);
  } finally {
    await line.stop();
  }
  const busy = await besideBusyLoops(() => syncInTurn(folder, device, fingerprint));
  yield beside(`${title}, with ${BUSY_LOOPS} busy loops`, 's', 'seconds', busy);
  yield beside(`${WAIT}, with ${BUSY_LOOPS} busy loops`, 'ms', 'heldUpMs', busy);
}

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  mkdirSync(join(folder, 'platform'));
  try {
    const platform = await startPlatform(join(folder, 'platform'), VISITORS);
    try {
      const { device, fingerprint, hub } = await startHubWithDevice(folder, platform.access);
      try {
        yield* besideEachOther(folder, device, fingerprint);
      } finally {
        await hub.stop();
      }
    } finally {
      await platform.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
