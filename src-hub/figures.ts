/**
 * The metrics of a hub, for `/metrics` and `hub health`.
 *
 * Invariants
 * - No metric contains a key, or the name of a person or a device.
 * - Times are measured by the hub's clock.
 */
import type { Figure } from '../src-platform/health/health.ts';
import type { UpstreamStanding } from '../src-platform/hub/hub-operations.ts';
import type { EventStreams } from '../src-platform/hub/stream.ts';
import type { Store } from '../src-platform/store/store.ts';
import { needsOf, toneOf } from './fleet/judgement.ts';
import { countsOfDevices, type FleetDevice, readFleet } from './fleet/reading.ts';

/** The state of a device for its organiser: the first state that applies. */
const DEVICE_STATES = ['revoked', 'toEnrol', 'silent', 'stopped', 'needsLook', 'working'] as const;
type DeviceState = (typeof DEVICE_STATES)[number];

export type HubFigures = {
  /**
   * Facts by state. `waiting`: to be delivered. `sent`: not yet read back from upstream. `parked`: refused by upstream,
   * or erased before they were sent.
   */
  readonly facts: Readonly<Record<'waiting' | 'sent' | 'confirmed' | 'parked', number>>;
  /** When the oldest waiting fact was accepted, in epoch milliseconds; null if none waits. */
  readonly oldestWaitingAt: number | null;
  readonly devices: Readonly<Record<DeviceState, number>>;
};

const WAITING = ['due', 'in_flight', 'uncertain'] as const;

/** The figures of one event now (epoch milliseconds). */
export async function readFigures(store: Store, expo: string, now: number): Promise<HubFigures> {
  const [devices, counts, oldest] = await Promise.all([
    readFleet(store, expo, now),
    countsOfDevices(store.db, expo).execute(),
    Promise.all(WAITING.map((state) => oldestIn(store, state))),
  ]);
  const facts = { waiting: 0, sent: 0, confirmed: 0, parked: 0 };
  for (const { state, count } of counts) {
    const place = state === 'sent' || state === 'confirmed' || state === 'parked' ? state : 'waiting';
    facts[place] += Number(count);
  }
  const times = oldest.flat().map(({ received }) => Date.parse(received));
  const states = Object.fromEntries(DEVICE_STATES.map((state) => [state, 0])) as Record<DeviceState, number>;
  for (const device of devices) states[stateOf(device, now)] += 1;
  return { facts, oldestWaitingAt: times.length === 0 ? null : Math.min(...times), devices: states };
}

/** Numbers are assigned in the order of acceptance, so the lowest number in a state belongs to the oldest fact. */
function oldestIn({ db }: Store, state: string): Promise<readonly { readonly received: string }[]> {
  return db
    .selectFrom('relay_fact')
    .select('received')
    .where('state', '=', state)
    .orderBy('seq')
    .limit(1)
    .execute();
}

function stateOf(device: FleetDevice, now: number): DeviceState {
  if (device.revoked) return 'revoked';
  if (!device.enrolled) return 'toEnrol';
  const [worst] = needsOf(device, now);
  if (worst === undefined) return 'working';
  if (worst === 'silent') return 'silent';
  return toneOf(worst) === 'stop' ? 'stopped' : 'needsLook';
}

/**
 * The figures as `/metrics` shows them. `requests`: to the platform, in flight or waiting for one of the key's slots;
 * `streams`: those of this process.
 */
export function figuresForMetrics(
  { facts, oldestWaitingAt, devices }: HubFigures,
  upstream: UpstreamStanding,
  requests: number,
  streams: Pick<EventStreams, 'count' | 'lagMs'>,
  now: number,
): readonly Figure[] {
  const waited = oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt) / 1_000;
  return [
    { name: 'hub_facts', help: 'Facts by state', label: 'state', values: facts },
    {
      name: 'hub_oldest_waiting_fact_seconds',
      help: 'Age of the oldest fact that the platform does not have',
      values: waited,
    },
    { name: 'hub_devices', help: 'Devices by state', label: 'state', values: devices },
    {
      name: 'hub_upstream',
      help: 'Whether the platform is in this state',
      label: 'state',
      values: Object.fromEntries(
        ['online', 'offline', 'refused'].map((state) => [state, Number(state === upstream.state)]),
      ),
    },
    {
      name: 'hub_upstream_requests',
      help: 'Requests to the platform in flight or waiting for a slot of the key',
      values: requests,
    },
    { name: 'hub_streams', help: 'Open event streams of this process', values: streams.count() },
    {
      name: 'hub_stream_lag_seconds',
      help: 'Age of the oldest change that a device with an open stream does not have',
      values: streams.lagMs() / 1_000,
    },
  ];
}
