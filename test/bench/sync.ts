/**
 * `npm run bench -- sync` measures
 * - a first sync of 100,000 visitors, compared with a bare download of the same pages and with PouchDB;
 * - how long a full outbox takes to empty over a connection with high latency;
 * - the memory and time of a kiosk with a full mirror.
 *
 * Invariants:
 * - Everything runs on this machine, over real HTTP from the real platform.
 * - First sync and bare download alternate.
 * - Standard error names a measurement that was not possible.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from './measure.ts';
import type { Row } from './row.ts';
import { startDelay } from './sync/delay.ts';
import type { LookedUp } from './sync/folder.ts';
import type { begin, Download, drain, firstSync } from './sync/kiosk.ts';
import { installPouch } from './sync/pouch.ts';
import { type Access, measured, startChild, startPlatform } from './sync/processes.ts';

const VISITORS = 100_000;
const TURNS = 3;
const STARTS = 3;
const FACTS = 10_000;
const ONE_WAY_MS = 25;
/** The latency to a platform in the same town. */
const NEAR_ONE_WAY_MS = 5;
const TAPS = 200;

type Found<Work extends (task: never) => Promise<unknown>> = Awaited<ReturnType<Work>>;

const row = (metric: string, value: number, unit: string, baseline?: number): Row => ({
  bench: 'sync',
  metric,
  value,
  unit,
  ...(baseline === undefined ? {} : { baseline, ratio: value / baseline }),
});

const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The figures of the first sync, compared with the bare download. In the last run the kiosk also completes its whole
 * first round.
 */
async function* besideBare(access: Access, folderOf: (turn: number) => string): AsyncGenerator<Row, number> {
  const synced: number[] = [];
  const bare: number[] = [];
  const cpu: { readonly sync: number[]; readonly bare: number[] } = { sync: [], bare: [] };
  let peakMb = 0;
  let heldUpMs = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const download = () => measured<Download>('bare', access);
    // The order alternates, so neither is always first.
    const before = turn % 2 === 1 ? await download() : null;
    const task = { ...access, folder: folderOf(turn), wholeRound: turn === TURNS };
    const sync = await measured<Found<typeof firstSync>>('firstSync', task);
    const { seconds, pages, cpuSeconds } = before ?? (await download());
    if (pages !== sync.pages) throw new Error(`${sync.pages} pages beside ${pages} are no comparison`);
    synced.push(sync.seconds);
    bare.push(seconds);
    cpu.sync.push(sync.cpuSeconds);
    cpu.bare.push(cpuSeconds);
    peakMb = Math.max(peakMb, sync.peakMb);
    heldUpMs = Math.max(heldUpMs, sync.heldUpMs);
  }
  const seconds = median(synced);
  const title = `first sync of ${VISITORS} visitors`;
  yield row(`${title}, beside bare download`, seconds, 's', median(bare));
  yield row('CPU of the kiosk for it, beside bare client', median(cpu.sync), 's', median(cpu.bare));
  yield row('memory of the kiosk at most during it', peakMb, 'MB');
  yield row('longest a tap would have to wait during it', heldUpMs, 'ms');
  return seconds;
}

/** The figures of the first sync compared with the bare download, both with added latency. */
async function* besideBareOverLine(access: Access, folder: string): AsyncGenerator<Row> {
  const url = new URL(access.baseUrl);
  const line = await startDelay(Number(url.port), NEAR_ONE_WAY_MS);
  try {
    url.port = String(line.port);
    const far = { ...access, baseUrl: url.href };
    const bare = await measured<Download>('bare', far);
    const sync = await measured<Found<typeof firstSync>>('firstSync', { ...far, folder, wholeRound: false });
    const title = `first sync over ${2 * NEAR_ONE_WAY_MS} ms round trip`;
    yield row(`${title}, beside bare download`, sync.seconds, 's', bare.seconds);
  } finally {
    await line.stop();
  }
}

/** The figures of the first sync compared with PouchDB. */
async function* besidePouch(access: Access, folder: string, synced: number): AsyncGenerator<Row> {
  const missing = await installPouch();
  if (missing !== null) {
    process.stderr.write(`Not measured: first sync beside PouchDB, because ${missing}.\n`);
    return;
  }
  const serve = [join(import.meta.dirname, 'sync/pouch-server.ts'), JSON.stringify(access), folder];
  const server = startChild(serve, folder);
  try {
    const port = await server.line();
    if (port === null) throw new Error('The CouchDB-protocol server ended early');
    const task = { source: `http://127.0.0.1:${port}/visitors`, target: join(folder, 'pouch') };
    const pouch = await measured<{ seconds: number; documents: number }>('replicate', task);
    if (pouch.documents !== VISITORS) throw new Error(`PouchDB replicated ${pouch.documents} documents`);
    yield row(`PouchDB replicating the same visitors, beside first sync`, pouch.seconds, 's', synced);
  } finally {
    await server.stop();
  }
}

/** The figures of a kiosk with a full mirror: lookups, start and memory. */
async function* withFullMirror(access: Access, folder: string): AsyncGenerator<Row> {
  const looked = await measured<LookedUp>('lookUp', { ...access, folder, uids: TAPS * STARTS });
  if (looked.visitors !== VISITORS) throw new Error(`The mirror holds ${looked.visitors} visitors`);
  yield row(`badge look-up among ${VISITORS} visitors, p50`, looked.p50Ms, 'ms');
  yield row(`badge look-up among ${VISITORS} visitors, p95`, looked.p95Ms, 'ms');
  const starts: Found<typeof begin>[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) {
    const uids = looked.uids.slice(turn * TAPS, (turn + 1) * TAPS);
    starts.push(await measured<Found<typeof begin>>('begin', { ...access, folder, uids }));
  }
  const captured = starts.map((start) => start.capturedMs / 1000);
  yield row('process start to first badge captured, full mirror', median(captured), 's');
  const rss = median(starts.map((start) => start.rssMb));
  yield row('memory of a kiosk with a full mirror, after a round', rss, 'MB');
}

/** The figures of the delivery of a full outbox over a connection with high latency. */
async function* overLongLine(access: Access, folder: string): AsyncGenerator<Row> {
  const { due } = await measured<{ due: number }>('fill', { ...access, folder, facts: FACTS });
  if (due < FACTS) throw new Error(`${due} facts are due, not ${FACTS}`);
  const url = new URL(access.baseUrl);
  const line = await startDelay(Number(url.port), ONE_WAY_MS);
  try {
    url.port = String(line.port);
    const task = { ...access, baseUrl: url.href, folder };
    const drained = await measured<Found<typeof drain>>('drain', task);
    const title = `draining ${FACTS} facts, ${2 * ONE_WAY_MS} ms round trip`;
    yield row(`${title}, all sent`, drained.sentSeconds, 's');
    yield row(`${title}, all confirmed`, drained.confirmedSeconds, 's');
  } finally {
    await line.stop();
  }
}

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  const folderOf = (name: string | number): string => {
    const path = join(folder, String(name));
    mkdirSync(path);
    return path;
  };
  try {
    const platform = await startPlatform(folderOf('platform'), VISITORS);
    try {
      const synced = yield* besideBare(platform.access, folderOf);
      yield* besideBareOverLine(platform.access, folderOf('line'));
      const full = join(folder, String(TURNS));
      yield* withFullMirror(platform.access, full);
      yield* overLongLine(platform.access, full);
      yield* besidePouch(platform.access, folderOf('pouch-server'), synced);
    } finally {
      await platform.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
