/**
 * The fleet of one box: what its devices tell of themselves, the page that shows them, and what they are told.
 *
 * Invariant: composes and decides nothing.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../src-main/core/ports.ts';
import type { BoxFacts } from '../../src-platform/relay/box-operations.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { createCommander } from './commander.ts';
import { createEntry } from './entry.ts';
import { readFleet, readReport } from './reading.ts';
import { addFleet } from './routes.ts';

export type FleetMeans = {
  readonly store: Store;
  readonly expo: string;
  /** What the box is called. */
  readonly box: string;
  /** The key the box signs with. */
  readonly privateKey: string;
  readonly upstream: BoxFacts['upstream'];
  readonly timezone: () => string;
  /** In epoch milliseconds, as far as it is known. */
  readonly platformTime: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
};

export type Fleet = {
  /** What a device that told of itself is to know. */
  readonly onReport: NonNullable<BoxFacts['onReport']>;
  /** Adds the page, before the server listens. */
  readonly mount: (app: FastifyInstance) => void;
};

/** The fleet of a box. */
export function createFleet(means: FleetMeans): Fleet {
  const { store, expo, box, privateKey, platformTime, clock } = means;
  const commander = createCommander({ store, privateKey, platformTime, now: clock.now });
  const picture = async () => ({
    box,
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
      addFleet(app, { box, entry, commander, picture, timezone: means.timezone });
    },
  };
}
