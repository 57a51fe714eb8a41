/**
 * `npm run bench -- snapshot`: how long a new device at a hub takes to get 100,000 visitors from a
 * snapshot, beside paging from the same hub and beside a bare download of the same bytes.
 *
 * Invariants: everything runs on this machine, over real HTTP, with the real platform, hub and kiosk, each
 * in its own process; the three alternate; the snapshot exists before the measurement, as for all devices
 * except the first.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { quantile } from './measure.ts';
import type { Row } from './row.ts';
import { addDevices, enrol, headersOf, startHub } from './sync/hub.ts';
import type { firstSync } from './sync/kiosk.ts';
import { type Access, type Child, measured, startPlatform } from './sync/processes.ts';

const VISITORS = 100_000;
const TURNS = 3;

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

/** A hub in front of the platform, with a device, and everything needed for snapshots. */
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

async function* besideEachOther(folder: string, device: Access, fingerprint: string): AsyncGenerator<Row> {
  const { sha256, length } = await snapshotOf(device);
  const taken: Synced[] = [];
  const paged: Synced[] = [];
  const bare: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const sync = async (name: string, more: object): Promise<Synced> => {
      const place = join(folder, `${name}${turn}`);
      mkdirSync(place);
      const found = await measured<Synced>('firstSync', {
        ...device,
        ...more,
        folder: place,
        wholeRound: false,
      });
      if (found.visitors !== VISITORS) throw new Error(`${name}: ${found.visitors} visitors`);
      rmSync(place, { recursive: true, force: true });
      return found;
    };
    const task = { ...device, sha256 };
    const { seconds, bytes } = await measured<{ seconds: number; bytes: number }>('bareSnapshot', task);
    if (bytes !== length) throw new Error(`${bytes} bytes came, not ${length}`);
    bare.push(seconds);
    taken.push(await sync('taken', { fingerprint }));
    paged.push(await sync('paged', {}));
  }
  // A device that fell back to paging would be as slow as one that pages, and would request as many pages.
  if (taken.some(({ pages }) => pages > 100)) throw new Error('The snapshot was not taken');
  const of = (all: readonly Synced[], field: 'seconds' | 'cpuSeconds' | 'heldUpMs' | 'peakMb'): number =>
    median(all.map((one) => one[field]));
  const title = `first copy of ${VISITORS} visitors`;
  yield row(`${title} from a snapshot, beside paging`, of(taken, 'seconds'), 's', of(paged, 'seconds'));
  yield row('the same, beside a bare download of its bytes', of(taken, 'seconds'), 's', median(bare));
  yield row('CPU of the kiosk, beside paging', of(taken, 'cpuSeconds'), 's', of(paged, 'cpuSeconds'));
  yield row('requests, beside paging', taken[0]?.pages ?? 0, '', paged[0]?.pages);
  yield row('size of the snapshot', length / 1024 / 1024, 'MB');
  yield row(
    'longest a tap would have to wait, beside paging',
    of(taken, 'heldUpMs'),
    'ms',
    of(paged, 'heldUpMs'),
  );
  yield row('memory of the kiosk at most, beside paging', of(taken, 'peakMb'), 'MB', of(paged, 'peakMb'));
}

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be memory.
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
