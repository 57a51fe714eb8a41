/**
 * One run of a fleet: many devices at one hub. After a quiet time it measures changes at the platform, a peak of taps,
 * the delivery of taps during a flood, and the hub's memory.
 *
 * Invariants:
 * - Every figure is measured. None is derived from a plan.
 * - All times are from one clock, that of this machine.
 * - The number of facts at the platform comes from the platform's own list of actions, which the bench reads with its
 *   own key.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { badgeCodes } from '../../../src-main/core/event/mirror/badge-codes.ts';
import type { Access } from '../sync/processes.ts';
import { type Callee, startCallee } from './calls.ts';
import type { Delivery } from './counting-proxy.ts';
import type { DeviceCalls, Tally } from './device.ts';
import { type HallOptions, type RunningHall, startHall } from './hall.ts';
import type { Memory } from './memory-probe.ts';
import { startMeter } from './process-meter.ts';

/** The phases of a run. */
export const PHASES = ['changes', 'peak', 'fairness', 'memory'] as const;
export type Phase = (typeof PHASES)[number];

export type FleetOptions = HallOptions & {
  readonly phases: readonly Phase[];
  /** The number of complete devices among `devices`. The others are modelled. */
  readonly whole: number;
  /** Number of taps of each device at the peak, and the duration of the peak. */
  readonly each: number;
  readonly peakMs: number;
  readonly changes: number;
  readonly quietMs: number;
  /** How often one device floods the hub while others tap, at most 10. */
  readonly floods: number;
};

/** The load during a phase of the run. Rates are per second. */
export type Cost = {
  readonly seconds: number;
  /** By path. */
  readonly requests: Readonly<Record<string, number>>;
  readonly busy: number;
  /** By path and reason. */
  readonly faults: Readonly<Record<string, number>>;
  readonly upstreamRequests: number;
  /** Processor time in cores, and maximum memory in MB, of each program. */
  readonly cores: Readonly<Record<string, number>>;
  readonly peakMb: Readonly<Record<string, number>>;
};

type Changes = {
  /**
   * Milliseconds from the platform's answer to a change until the hub's mirror and each device's mirror
   * have it.
   */
  readonly toHub: readonly number[];
  readonly toDevices: readonly number[];
  /** Milliseconds from the hub's mirror to each device's mirror. */
  readonly fromHub: readonly number[];
};

type Peak = {
  readonly cost: Cost;
  readonly captured: number;
  /**
   * Seconds from the last tap until the hub had accepted everything, the platform had it, and each device
   * had its receipt.
   */
  readonly takenSeconds: number;
  readonly upstreamSeconds: number;
  readonly confirmedSeconds: number;
  readonly parked: number;
  /** Actions of the peak at the platform, and the number of different facts in them. */
  readonly actions: number;
  readonly facts: number;
};

/** Milliseconds from a tap to the platform's answer, without a flood and while another device floods the hub. */
type Fairness = { readonly alone: readonly number[]; readonly besideFlood: readonly number[] };

/** The results. Null for a phase that did not run. */
export type FleetFound = {
  readonly devices: number;
  /** Seconds from the start of the devices until each had a complete mirror. */
  readonly copiedSeconds: number;
  /**
   * Seconds from the start of the devices until every stream was open and kept the modelled devices up to date.
   */
  readonly inStepSeconds: number;
  readonly quiet: Cost;
  /** Milliseconds between two rounds of a device in the quiet time. */
  readonly rounds: readonly number[];
  readonly changes: Changes | null;
  readonly peak: Peak | null;
  readonly fairness: Fairness | null;
  /** Bytes for each device at the hub: the memory in use with all devices connected, minus that after they left. */
  readonly memory: Memory | null;
  readonly mostAtOnceUpstream: number;
};

/** The timeout is long because a loaded machine is slow. */
const PATIENCE_MS = 15 * 60_000;

type Fleet = RunningHall & { readonly callees: readonly Callee<DeviceCalls>[] };

const until = async (what: string, isSo: () => Promise<boolean>, everyMs = 500): Promise<void> => {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Timed out before ${what}`);
    await delay(everyMs);
  }
};

const FIELDS = ['captured', 'handedOver', 'confirmed', 'parked', 'whole', 'behind', 'busy', 'open'] as const;

const tallyOf = async ({ callees }: Fleet): Promise<Tally> => {
  const all = await Promise.all(callees.map(({ ask }) => ask('tally')));
  const sum = (field: (typeof FIELDS)[number]): number => all.reduce((total, one) => total + one[field], 0);
  const sums = Object.fromEntries(FIELDS.map((field) => [field, sum(field)])) as Record<
    (typeof FIELDS)[number],
    number
  >;
  const sumsBy = (field: 'requests' | 'faults'): Record<string, number> => {
    const total: Record<string, number> = {};
    for (const one of all)
      for (const [name, count] of Object.entries(one[field])) total[name] = (total[name] ?? 0) + count;
    return total;
  };
  return { ...sums, requests: sumsBy('requests'), faults: sumsBy('faults') };
};

/** The load while `work` runs. */
const costOf = async (fleet: Fleet, work: () => Promise<void>): Promise<Cost> => {
  const meters = Object.entries(fleet.meters);
  const cpu = () => Object.fromEntries(meters.map(([name, { cpuSeconds }]) => [name, cpuSeconds()]));
  for (const [, { takePeakMb }] of meters) takePeakMb();
  const before = {
    cpu: cpu(),
    tally: await tallyOf(fleet),
    upstream: fleet.proxy.counted(),
    at: performance.now(),
  };
  await work();
  const seconds = (performance.now() - before.at) / 1_000;
  const after = { cpu: cpu(), tally: await tallyOf(fleet), upstream: fleet.proxy.counted() };
  const rates = (field: 'requests' | 'faults'): Record<string, number> =>
    Object.fromEntries(
      Object.entries(after.tally[field])
        .map(([name, count]) => [name, (count - (before.tally[field][name] ?? 0)) / seconds] as const)
        .filter(([, perSecond]) => perSecond > 0),
    );
  return {
    seconds,
    requests: rates('requests'),
    busy: (after.tally.busy - before.tally.busy) / seconds,
    faults: rates('faults'),
    upstreamRequests: (after.upstream.requests - before.upstream.requests) / seconds,
    cores: Object.fromEntries(
      meters.map(([name]) => [name, ((after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)) / seconds]),
    ),
    peakMb: Object.fromEntries(meters.map(([name, { takePeakMb }]) => [name, takePeakMb()])),
  };
};

const askPlatform = async ({ baseUrl, key }: Access, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`The platform answered ${answer.status} to ${path}`);
  return answer.json();
};

/** All actions of the event, by id. */
const actionsOf = async (upstream: Access): Promise<ReadonlyMap<string, { readonly clientID?: string }>> => {
  const all = new Map<string, { readonly clientID?: string }>();
  let from = 0;
  for (;;) {
    const path = `/actions/${upstream.expoId}?fromRevision=${from}&limit=100`;
    const page = (await askPlatform(upstream, path)) as { id: string; revision: number; clientID?: string }[];
    for (const action of page) all.set(action.id, action);
    const top = page.at(-1)?.revision ?? from;
    if (top === from) break;
    from = top;
  }
  return all;
};

/** A badge code of each visitor of the event. */
const badgesOf = async (upstream: Access): Promise<readonly string[]> => {
  const badges = new Map<unknown, string>();
  for (let from = 0; ; ) {
    const path = `/visitors/${upstream.expoId}?limit=100&fromRevision=${from}`;
    const page = (await askPlatform(upstream, path)) as Record<string, unknown>[];
    for (const visitor of page)
      for (const code of badgeCodes(visitor).slice(0, 1)) badges.set(visitor.id, code);
    const top = Number(page.at(-1)?.revision ?? from);
    if (top === from) return [...badges.values()];
    from = top;
  }
};

/** Changes the event once, and waits until every device has the change. */
const changeOnce = async (
  fleet: Fleet,
  name: string,
): Promise<{ readonly toHub: number; readonly toDevices: readonly number[] }> => {
  const { upstream, hubStore, callees, devices } = fleet;
  const visitor = { firstName: 'New', lastName: name, registrationState: 'registered' };
  const { id } = (await askPlatform(upstream, `/visitors/${upstream.expoId}`, visitor)) as {
    readonly id: string;
  };
  const changedAt = Date.now();
  const isAtHub = async (): Promise<boolean> =>
    (await hubStore.db
      .selectFrom('record')
      .select('revision')
      .where('kind', '=', 'visitor')
      .where('id', '=', id)
      .executeTakeFirst()) !== undefined;
  await until(`the hub has ${name}`, isAtHub, 50);
  const toHub = Date.now() - changedAt;
  let arrivals: readonly number[] = [];
  await until(`every device has ${name}`, async () => {
    arrivals = (await Promise.all(callees.map(({ ask }) => ask('arrivals', { visitor: name })))).flat();
    return arrivals.length >= devices.length;
  });
  return { toHub, toDevices: arrivals.map((at) => at - changedAt) };
};

/** Waits until the platform notifies the hub of changes of visitors. */
const awaitWebhooks = ({ upstream }: Fleet): Promise<void> =>
  until('the hub registered its webhooks', async () => {
    const hooks = await askPlatform(upstream, `/webhooks/${upstream.expoId}`);
    return (hooks as readonly { readonly type: string }[]).some(({ type }) => type === 'visitor');
  });

const measureChanges = async (
  fleet: Fleet,
  { changes: count, isNotified }: FleetOptions,
): Promise<Changes> => {
  if (isNotified) await awaitWebhooks(fleet);
  const toHub: number[] = [];
  const toDevices: number[] = [];
  const fromHub: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    // A random wait, so that changes happen at any moment between two rounds.
    await delay(Math.random() * 5_000);
    const found = await changeOnce(fleet, `Change ${number}`);
    toHub.push(found.toHub);
    toDevices.push(...found.toDevices);
    // The hub is only sampled, so a device may seem to have the change before the hub.
    fromHub.push(...found.toDevices.map((ms) => Math.max(0, ms - found.toHub)));
  }
  return { toHub, toDevices, fromHub };
};

/** Runs a peak of taps, and measures the time until every device has its receipts. */
const measurePeak = async (fleet: Fleet, { each, peakMs }: FleetOptions): Promise<Peak> => {
  const { upstream, upstreamStore, callees, devices } = fleet;
  const badges = await badgesOf(upstream);
  const captured = each * devices.length;
  const before = await actionsOf(upstream);
  const found = { takenSeconds: 0, upstreamSeconds: 0, confirmedSeconds: 0 };
  const factsUpstream = async (): Promise<number> => {
    const row = await upstreamStore.db
      .selectFrom('fact')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  };
  const factsBefore = await factsUpstream();
  const cost = await costOf(fleet, async () => {
    await Promise.all(callees.map(({ ask }) => ask('capture', { each, withinMs: peakMs, badges })));
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1_000;
    const taken = async (): Promise<boolean> => (await tallyOf(fleet)).handedOver >= captured;
    const isUpstream = async (): Promise<boolean> => (await factsUpstream()) - factsBefore >= captured;
    const confirmed = async (): Promise<boolean> => {
      const tally = await tallyOf(fleet);
      return tally.confirmed + tally.parked >= captured;
    };
    const note = async (
      field: keyof typeof found,
      what: string,
      isSo: () => Promise<boolean>,
    ): Promise<void> => {
      await until(what, isSo, 1_000);
      found[field] = seconds();
    };
    await Promise.all([
      note('takenSeconds', 'the hub has everything', taken),
      note('upstreamSeconds', 'the platform has everything', isUpstream),
      note('confirmedSeconds', 'every device has its receipts', confirmed),
    ]);
  });
  const after = [...(await actionsOf(upstream))].filter(([id]) => !before.has(id));
  const tally = await tallyOf(fleet);
  return {
    ...{ ...found, cost, captured: tally.captured, parked: tally.parked },
    actions: after.length,
    facts: new Set(after.map(([, { clientID }]) => clientID)).size,
  };
};

/** Taps in the flood of one device: fewer than a hub accepts from a device in a minute. */
const FLOOD = 900;
/** The devices that tap once during each flood, and the duration of the flood. */
const BESIDE = { from: 10, to: 70, each: 1, withinMs: 3_000 } as const;

const mostFrequent = (all: readonly string[]): string => {
  const counts = Map.groupBy(all, (one) => one);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
};

/**
 * Taps of some devices, in turns without a flood and during a flood of another device, so that both are measured under
 * the same load of the machine.
 */
const measureFairness = async (fleet: Fleet, { floods }: FleetOptions): Promise<Fairness> => {
  const { upstream, callees, proxy } = fleet;
  const [modelled] = callees;
  if (modelled === undefined) return { alone: [], besideFlood: [] };
  const badges = await badgesOf(upstream);
  const settled = (): Promise<void> =>
    until('every device has its receipts', async () => {
      const { captured, confirmed, parked } = await tallyOf(fleet);
      return confirmed + parked >= captured;
    });
  const tap = async (flooder: number | null): Promise<readonly Delivery[]> => {
    await settled();
    proxy.takeDeliveries();
    const flood = { from: flooder ?? 0, to: (flooder ?? 0) + 1, each: FLOOD, withinMs: 0, badges };
    await Promise.all([
      modelled.ask('capture', { ...BESIDE, badges }),
      ...(flooder === null ? [] : [modelled.ask('capture', flood)]),
    ]);
    await settled();
    return proxy.takeDeliveries();
  };
  const alone: number[] = [];
  const besideFlood: number[] = [];
  for (let flooder = 0; flooder < floods; flooder += 1) {
    alone.push(...(await tap(null)).map(({ ms }) => ms));
    const all = await tap(flooder);
    const touchpoint = mostFrequent(all.map((one) => one.touchpoint));
    const [flood = [], others = []] = [true, false].map((isFlood) =>
      all.filter((one) => (one.touchpoint === touchpoint) === isFlood),
    );
    const end = Math.max(...flood.map(({ at, ms }) => at + ms));
    besideFlood.push(...others.filter(({ at }) => at < end).map(({ ms }) => ms));
  }
  return { alone, besideFlood };
};

/** The hub's memory per connected device. Disconnects the devices. */
const measureMemory = async (fleet: Fleet, { quietMs }: FleetOptions): Promise<Memory> => {
  const connected = await fleet.memory();
  await Promise.all(fleet.callees.map(({ ask }) => ask('stop')));
  // The hub closes the connections.
  await delay(quietMs);
  const left = await fleet.memory();
  const forEach = (field: keyof Memory): number => (connected[field] - left[field]) / fleet.devices.length;
  return { used: forEach('used'), resident: forEach('resident') };
};

const measure = async (fleet: Fleet, options: FleetOptions): Promise<FleetFound> => {
  const { hall, devices, callees, proxy } = fleet;
  const [modelled, kiosks] = callees;
  const start = performance.now();
  await Promise.all([
    modelled?.ask('start', { hall, devices: devices.slice(options.whole) }),
    kiosks?.ask('start', { hall, devices: devices.slice(0, options.whole) }),
  ]);
  await until('every device has its mirror', async () => (await tallyOf(fleet)).whole === devices.length);
  const copiedSeconds = (performance.now() - start) / 1_000;
  await until('every device is up to date', async () => {
    const { behind, open } = await tallyOf(fleet);
    return behind === 0 && open === devices.length;
  });
  const inStepSeconds = (performance.now() - start) / 1_000;
  // A complete device may still read what it missed before its stream opened.
  await delay(options.quietMs);
  for (const { ask } of callees) await ask('rounds');
  const quiet = await costOf(fleet, () => delay(options.quietMs));
  const rounds = (await Promise.all(callees.map(({ ask }) => ask('rounds')))).flat();
  const run = async <Found>(
    phase: Phase,
    work: (all: Fleet, given: FleetOptions) => Promise<Found>,
  ): Promise<Found | null> => (options.phases.includes(phase) ? work(fleet, options) : null);
  const changes = await run('changes', measureChanges);
  const peak = await run('peak', measurePeak);
  const fairness = await run('fairness', measureFairness);
  const memory = await run('memory', measureMemory);
  return {
    ...{ devices: devices.length, copiedSeconds, inStepSeconds, quiet, rounds },
    ...{ changes, peak, fairness, memory },
    mostAtOnceUpstream: proxy.counted().mostAtOnce,
  };
};

/** Runs a fleet and stops it. */
export const runFleet = async (options: FleetOptions): Promise<FleetFound> => {
  const hall = await startHall(options);
  const callees = ['modelled.ts', 'whole.ts'].map((file) =>
    startCallee<DeviceCalls>(new URL(file, import.meta.url).pathname),
  );
  try {
    const meters = { ...hall.meters };
    for (const [place, { pid }] of callees.entries())
      meters[place === 0 ? 'modelled devices' : 'whole devices'] = startMeter(pid);
    return await measure({ ...hall, meters, callees }, options);
  } finally {
    await Promise.all(callees.map(({ stop }) => stop()));
    await hall.stop();
  }
};
