/**
 * The fleet of one hub: what its devices tell of themselves, the page that shows them, and what they are told.
 *
 * Invariant: composes and decides nothing.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { HubFacts } from '../../src-platform/hub/hub-operations.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { createCommander } from './commander.ts';
import { createEntry } from './entry.ts';
import { readFleet, readReport } from './reading.ts';
import { addFleet } from './routes.ts';

export type FleetMeans = {
  readonly store: Store;
  readonly expo: string;
  /** What the hub is called. */
  readonly hub: string;
  /** The key the hub signs with. */
  readonly privateKey: string;
  readonly upstream: HubFacts['upstream'];
  readonly timezone: () => string;
  /** In epoch milliseconds, as far as it is known. */
  readonly platformTime: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
};

export type Fleet = {
  /** What a device that told of itself is to know. */
  readonly onReport: NonNullable<HubFacts['onReport']>;
  /** Adds the page, before the server listens. */
  readonly mount: (app: FastifyInstance) => void;
};

/** The fleet of a hub. */
export function createFleet(means: FleetMeans): Fleet {
  const { store, expo, hub, privateKey, platformTime, clock } = means;
  const commander = createCommander({ store, privateKey, platformTime, now: clock.now });
  const picture = async () => ({
    hub,
    now: clock.now(),
    upstream: means.upstream(),
    devices: await readFleet(store, expo, clock.now()),
  });
  return {
    onReport: async (device, text) => {
      const report = readReport(text, clock.now());
      return { commands: await commander.waitingFor(device.id, report?.command ?? 0) };
    },
    mount: (app) => {
      const entry = createEntry(store, clock.monotonic);
      addFleet(app, { hub, entry, commander, picture, timezone: means.timezone });
    },
  };
}
