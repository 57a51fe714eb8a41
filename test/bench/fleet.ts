/**
 * `npm run bench -- fleet`: many devices (most of them modelled, some complete) at one hub of one or more processes
 * in front of the real platform, over https and with event streams. It measures how long a change takes to reach all
 * devices, the effect of a peak of taps, and the load of the hub.
 *
 * Invariants:
 * - Hub, platform and PostgreSQL are the real programs on this machine.
 * - The devices also run on this machine and use more of its cores than the hub. A hub on its own machine
 *   is faster.
 * - The output includes the load of the machine and its cores.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { type Cost, type FleetFound, PHASES, type Phase, runFleet } from './fleet/run.ts';
import { quantile } from './measure.ts';
import type { BenchOptions, Row } from './row.ts';

export const options = {
  devices: { type: 'string', default: '500' },
  whole: { type: 'string', default: '8' },
  taps: { type: 'string', default: '40' },
  processes: { type: 'string', default: '1' },
  /**
   * Seconds of the peak and of the quiet time, how often something changes, and how often a device floods the hub.
   */
  peak: { type: 'string', default: '60' },
  quiet: { type: 'string', default: '20' },
  changes: { type: 'string', default: '5' },
  floods: { type: 'string', default: '4' },
  database: { type: 'string', default: 'postgres' },
  /** Whether the platform notifies the hub of changes: `yes` or `no`. */
  webhook: { type: 'string', default: 'yes' },
  /** The phases to run after the quiet time, separated by commas; all of them by default. */
  only: { type: 'string', default: PHASES.join(',') },
} as const satisfies BenchOptions;

const VISITORS = 1_000;

type Figure = readonly [metric: string, value: number, unit: string];

/** The sum over all processes of the hub, without PostgreSQL. */
const hubOf = (of: Readonly<Record<string, number>>): number =>
  Object.entries(of).reduce((sum, [name, value]) => sum + (name.startsWith('hub') ? value : 0), 0);

/** Requests of devices in a second. */
const requestsOf = ({ requests }: Cost): number =>
  Object.values(requests).reduce((sum, rate) => sum + rate, 0);

function* costFigures(when: string, cost: Cost): Generator<Figure> {
  yield [`${when}: requests at the hub`, requestsOf(cost), '1/s'];
  for (const [path, rate] of Object.entries(cost.requests))
    yield [`${when}: requests to ${path}`, rate, '1/s'];
  yield [`${when}: of these refused with 429`, cost.busy, '1/s'];
  for (const [why, rate] of Object.entries(cost.faults)) yield [`${when}: failed ${why}`, rate, '1/s'];
  yield [`${when}: requests upstream`, cost.upstreamRequests, '1/s'];
  for (const [name, cores] of Object.entries(cost.cores)) yield [`${when}: CPU of ${name}`, cores, 'cores'];
  yield [`${when}: CPU of the hub per request`, (hubOf(cost.cores) / requestsOf(cost)) * 1_000, 'ms'];
  for (const [name, mb] of Object.entries(cost.peakMb)) yield [`${when}: memory of ${name}`, mb, 'MB'];
}

function* figuresOf(found: FleetFound): Generator<Figure> {
  const { devices, quiet, changes, peak, fairness, memory } = found;
  yield ['devices', devices, ''];
  yield ['all devices have their mirror', found.copiedSeconds, 's'];
  yield ['all streams are open and all modelled devices are up to date', found.inStepSeconds, 's'];
  yield* costFigures('quiet', quiet);
  for (const share of [0.5, 0.99])
    yield [
      `quiet: time between two rounds of a device, p${share * 100}`,
      quantile(found.rounds, share) / 1_000,
      's',
    ];
  yield ['quiet: CPU of the hub per device', (hubOf(quiet.cores) / devices) * 1_000, 'ms/s'];
  if (changes !== null) {
    for (const share of [0.5, 0.99]) {
      const seconds = (all: readonly number[]): number => quantile(all, share) / 1_000;
      yield [`change upstream to the hub, p${share * 100}`, seconds(changes.toHub), 's'];
      yield [`change upstream to all devices, p${share * 100}`, seconds(changes.toDevices), 's'];
      yield [`change at the hub to all devices, p${share * 100}`, seconds(changes.fromHub), 's'];
    }
    const missed = changes.toHub.length * devices - changes.toDevices.length;
    yield ['devices that missed a change', missed, ''];
  }
  if (peak !== null) yield* peakFigures(peak);
  if (fairness !== null) {
    const alone = quantile(fairness.alone, 0.99);
    const besideFlood = quantile(fairness.besideFlood, 0.99);
    yield ['fairness: from a tap to the platform without a flood, p50', quantile(fairness.alone, 0.5), 'ms'];
    yield ['fairness: from a tap to the platform without a flood, p99', alone, 'ms'];
    yield [
      'fairness: from a tap to the platform during a flood, p50',
      quantile(fairness.besideFlood, 0.5),
      'ms',
    ];
    yield ['fairness: from a tap to the platform during a flood, p99', besideFlood, 'ms'];
    yield ['fairness: p99 during a flood divided by p99 without', besideFlood / alone, ''];
  }
  if (memory !== null) {
    yield ['memory of the hub per connected device: objects and buffers', memory.used / 1_024, 'KB'];
    yield ['memory of the hub per connected device: resident', memory.resident / 1_024, 'KB'];
  }
  yield ['most concurrent requests upstream', found.mostAtOnceUpstream, ''];
  yield ['load of the machine at the end', loadavg()[0] ?? 0, ''];
  yield ['cores of the machine', availableParallelism(), ''];
}

function* peakFigures(peak: NonNullable<FleetFound['peak']>): Generator<Figure> {
  const { cost, captured } = peak;
  const forFact = (cores: number): number => ((cores * cost.seconds) / captured) * 1_000;
  yield ['peak: CPU of the hub per fact', forFact(hubOf(cost.cores)), 'ms'];
  yield ['peak: CPU of PostgreSQL per fact', forFact(cost.cores.postgres ?? 0), 'ms'];
  yield ['peak: requests per fact', (requestsOf(cost) * cost.seconds) / captured, ''];
  yield ['peak: facts', captured, ''];
  yield ['peak: after the last tap, all are at the hub', peak.takenSeconds, 's'];
  yield ['peak: after the last tap, all are upstream', peak.upstreamSeconds, 's'];
  yield ['peak: after the last tap, all devices have their receipts', peak.confirmedSeconds, 's'];
  yield* costFigures('peak', cost);
  yield ['parked facts', peak.parked, ''];
  yield ['actions upstream', peak.actions, ''];
  yield ['different facts among them', peak.facts, ''];
}

/** The phases in the comma-separated list `text`. */
const phasesIn = (text: string): readonly Phase[] => {
  const names = text.split(',');
  const known = PHASES.filter((phase) => names.includes(phase));
  if (known.length !== names.length) throw new Error(`--only takes some of ${PHASES.join(', ')}`);
  return known;
};

const wholeNumber = (text: string, name: string, most: number): number => {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Error(`--${name} must be a whole number up to ${most}`);
  return value;
};

/** The figures of this bench. */
export async function* bench(given: Readonly<Record<keyof typeof options, string>>): AsyncGenerator<Row> {
  const devices = wholeNumber(given.devices, 'devices', 2_000);
  const whole = wholeNumber(given.whole, 'whole', devices - 1);
  const each = wholeNumber(given.taps, 'taps', 1_000);
  const processes = wholeNumber(given.processes, 'processes', 16);
  if (processes < 1 || (processes > 1 && given.database !== 'postgres'))
    throw new Error('--processes must be 1 to 16, and more than one needs --database postgres');
  if (given.database !== 'postgres' && given.database !== 'sqlite')
    throw new Error('--database must be postgres or sqlite');
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  try {
    const found = await runFleet({
      folder,
      visitors: VISITORS,
      devices,
      whole,
      engine: given.database,
      each,
      processes,
      phases: phasesIn(given.only),
      isNotified: given.webhook === 'yes',
      peakMs: 1_000 * wholeNumber(given.peak, 'peak', 600),
      changes: wholeNumber(given.changes, 'changes', 100),
      quietMs: 1_000 * wholeNumber(given.quiet, 'quiet', 600),
      floods: wholeNumber(given.floods, 'floods', 10),
    });
    for (const [metric, value, unit] of figuresOf(found)) {
      // A run that was too short for a round has no figure for it.
      if (Number.isFinite(value)) yield { bench: 'fleet', metric, value, unit };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stderr.write(
    'Note: the devices, the platform and the hub share the cores of this machine with whatever else it does; the CPU of the hub per request says more than the times do.\n',
  );
}
