/**
 * The fleet of one hub: the reports of its devices, the page that shows them, and the commands for them.
 *
 * Invariant: it only connects the parts and contains no rules.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { HubFacts } from '../../src-platform/hub/hub-operations.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { createCommander } from './commander.ts';
import { createEntry } from './entry.ts';
import { readFleet, readReport } from './reading.ts';
import { addFleet } from './routes.ts';

type Fleet = {
  /** The answer to a device's report. */
  readonly onReport: NonNullable<HubFacts['onReport']>;
  /** The signed commands that wait for a device. */
  readonly commandsFor: (device: string) => Promise<readonly string[]>;
  /** Adds the page, before the server listens. */
  readonly mount: (app: FastifyInstance) => void;
};

/**
 * The fleet of the hub with the name `hub`, which signs with `privateKey`. `platformTime`: the platform's time in epoch
 * milliseconds, or the hub's while that is unknown.
 */
export function createFleet({
  store,
  expo,
  hub,
  privateKey,
  upstream,
  timezone,
  platformTime,
  receiptFingerprint,
  clock,
}: {
  readonly store: Store;
  readonly expo: string;
  readonly hub: string;
  readonly privateKey: string;
  readonly upstream: HubFacts['upstream'];
  readonly timezone: () => string;
  readonly platformTime: () => number;
  /** Fingerprint of the key with which the hub countersigns receipts. */
  readonly receiptFingerprint: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}): Fleet {
  const commander = createCommander({ store, privateKey, platformTime, now: clock.now });
  const picture = async () => ({
    hub,
    now: clock.now(),
    upstream: upstream(),
    receiptFingerprint,
    devices: await readFleet(store, expo, clock.now()),
  });
  return {
    onReport: async (device, text) => {
      const report = readReport(text, clock.now());
      return { commands: await commander.waitingFor(device.id, report?.command ?? 0) };
    },
    commandsFor: (device) => commander.waitingFor(device, 0),
    mount: (app) => {
      const entry = createEntry(store, clock.monotonic);
      addFleet(app, { hub, entry, commander, picture, timezone });
    },
  };
}
