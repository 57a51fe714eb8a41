/**
 * `npm run bench -- fleet`: 2,000 devices at one box before the real platform, most of them modelled, some whole: how long a
 * change upstream takes to all of them, what a peak of taps does, what the box takes of the machine.
 *
 * Invariants: box, platform and PostgreSQL are the real programs on this machine, and so are the devices: they take more of its
 * cores than the box does, so that a box with a machine of its own is faster than what is said here; the load of the machine
 * and its cores stand beside the figures.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { type Cost, type FleetFound, runFleet } from './fleet/run.ts';
import { quantile } from './measure.ts';
import type { BenchOptions, Row } from './row.ts';

export const options = {
  devices: { type: 'string', default: '2000' },
  whole: { type: 'string', default: '20' },
  database: { type: 'string', default: 'postgres' },
} as const satisfies BenchOptions;

const VISITORS = 1_000;
const TAPS_EACH = 10;
const PEAK_MS = 60_000;
const CHANGES = 5;
const QUIET_MS = 60_000;

const row = (metric: string, value: number, unit: string): Row => ({
  ...{ bench: 'fleet', metric, value, unit },
});

function* costRows(when: string, cost: Cost): Generator<Row> {
  const boxMs = ((cost.cores.box ?? 0) / cost.requests) * 1_000;
  yield row(`${when}: requests at the box`, cost.requests, '1/s');
  yield row(`${when}: of these refused as too many`, cost.busy, '1/s');
  yield row(`${when}: of these failed`, cost.failed, '1/s');
  yield row(`${when}: reports at the box`, cost.reports, '1/s');
  yield row(`${when}: requests upstream`, cost.upstreamRequests, '1/s');
  for (const [name, cores] of Object.entries(cost.cores))
    yield row(`${when}: CPU of ${name}`, cores, 'cores');
  yield row(`${when}: CPU of box for a request`, boxMs, 'ms');
  for (const [name, mb] of Object.entries(cost.peakMb)) yield row(`${when}: memory of ${name}`, mb, 'MB');
}

function* rowsOf(found: FleetFound): Generator<Row> {
  yield row('devices', found.devices, '');
  yield row('all devices have their copy', found.startedSeconds, 's');
  yield* costRows('quiet', found.quiet);
  for (const share of [0.5, 0.99])
    yield row(`quiet: from round to round, p${share * 100}`, quantile(found.rounds, share) / 1_000, 's');
  for (const share of [0.5, 0.99]) {
    yield row(`change upstream to the box, p${share * 100}`, quantile(found.toBox, share) / 1_000, 's');
    yield row(
      `change upstream to all devices, p${share * 100}`,
      quantile(found.toDevices, share) / 1_000,
      's',
    );
  }
  yield row('devices that missed a change', found.missed, '');
  yield row(`peak: facts within ${PEAK_MS / 1_000} s`, found.captured, '');
  yield row('peak: after the last tap, all are at the box', found.takenSeconds, 's');
  yield row('peak: after the last tap, all are upstream', found.upstreamSeconds, 's');
  yield row('peak: after the last tap, all devices know', found.confirmedSeconds, 's');
  yield* costRows('peak', found.peak);
  yield row('facts set aside', found.parked, '');
  yield row('actions upstream', found.actions, '');
  yield row('different facts among them', found.facts, '');
  yield row('requests upstream at once, at most', found.mostAtOnceUpstream, '');
  yield row('load of the machine at the end', loadavg()[0] ?? 0, '');
  yield row('cores of the machine', availableParallelism(), '');
}

const wholeNumber = (text: string, name: string, most: number): number => {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Error(`--${name} must be a whole number up to ${most}`);
  return value;
};

/** The figures of this bench. */
export async function* bench(given: Readonly<Record<keyof typeof options, string>>): AsyncGenerator<Row> {
  const devices = wholeNumber(given.devices, 'devices', 2_000);
  const whole = wholeNumber(given.whole, 'whole', devices - 1);
  if (given.database !== 'postgres' && given.database !== 'sqlite')
    throw new Error('--database must be postgres or sqlite');
  // On the disk the project is on: /tmp may be memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  try {
    const found = await runFleet({
      ...{ folder, visitors: VISITORS, devices, whole, engine: given.database },
      ...{ each: TAPS_EACH, peakMs: PEAK_MS, changes: CHANGES, quietMs: QUIET_MS },
    });
    yield* rowsOf(found);
    process.stderr.write(
      'Note: the devices, the platform and the box share the cores of this machine with whatever else it does; the CPU of the box for a request says more than times do.\n',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
