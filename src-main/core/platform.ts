/**
 * The kiosk's way to the platform, or to a hub in its place: delivery, the mirror, and what a hub is told.
 *
 * Invariant: composes and decides nothing; nothing runs before it is begun.
 */
import type { DeviceState } from '../contract/device.ts';
import { createManagement, type HubMeans } from './delivery/hub/management.ts';
import { createHub } from './delivery/outbox/hub.ts';
import { createSender } from './delivery/outbox/sender.ts';
import { createNews } from './event/sync/news.ts';
import { createPuller } from './event/sync/puller.ts';
import { createSnapshotTaker, type SnapshotPorts } from './event/sync/snapshot.ts';
import { type ApiClient, createClient, type PlatformAccess } from './foundations/api/client.ts';
import { createConnection } from './foundations/api/connection.ts';
import { createLazyClient } from './foundations/api/lazy-client.ts';
import { createAddressChoice } from './foundations/api/server/several.ts';
import type { Clock, Log, MachineReading, Random } from './foundations/ports.ts';
import type { DeviceAssignment } from './stand/device/assignment.ts';
import {
  followPage,
  followRemoval,
  followSnapshot,
  type MirrorChangesPorts,
} from './stand/taps/mirror-changes.ts';
import type { StandParts } from './stand/visit/stand.ts';
import type { Stores } from './stores.ts';
import type { TeamFacts } from './team/colleagues/team-facts.ts';

export type PlatformPorts = Pick<SnapshotPorts, 'isFromHub' | 'folder'> & {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly platform: PlatformAccess;
  /** How the platform is reached; HTTP unless a simulation stands in. */
  readonly connect?: (access: PlatformAccess, clock: Clock) => ApiClient;
  /** What the hub in the hall may do here; null (or absent): it is told of the device and may do nothing. */
  readonly atHub?: HubMeans | null;
  /** What the machine tells of itself; nothing when absent. */
  readonly machine?: () => MachineReading;
};

export type Platform = ReturnType<typeof connectPlatform>;

/** Delivery to the platform and the mirror of it, not running yet. */
export function connectPlatform(
  ports: PlatformPorts,
  { journal, mirror }: Stores,
  kiosk: {
    readonly assignment: () => DeviceAssignment | null;
    readonly stand: () => StandParts;
    readonly team: () => TeamFacts;
    readonly state: () => DeviceState;
    readonly heldFrom: () => number | null;
    readonly onChange: () => void;
    /** The mirror has other records than before. */
    readonly onRecords: () => void;
  },
) {
  const { clock, random, log } = ports;
  const { assignment, heldFrom, onChange, onRecords } = kiosk;
  const { expoId } = ports.platform;
  const addresses = [ports.platform.baseUrl, ...(ports.platform.others ?? [])];
  const choice = createAddressChoice(addresses.length);
  const inUse = (): URL => new URL(addresses[choice.now()] ?? ports.platform.baseUrl);
  const access = { ...ports.platform, choice };
  const client = (ports.connect ?? createClient)(access, clock);
  const connection = createConnection(onChange);
  const common = { client, expoId, clock, random, log, connection };
  const hub = createHub({ client, expoId, journal, clock, onChange });
  const news = createNews(client, expoId, hub);
  const sender = createSender({ ...common, journal, hub, owner: assignment, heldFrom, onChange });
  const changes = (): MirrorChangesPorts => ({
    ...{ journal, mirror, stand: kiosk.stand() },
    onTouchpoints: sender.wake,
  });
  const puller = createPuller({
    ...{ ...common, mirror, news },
    partner: () => assignment()?.partner ?? null,
    onPage: (resource, changed) => {
      followPage(changes(), resource, changed);
      if (changed.length > 0) onRecords();
      onChange();
    },
    onRemoved: (resource, ids) => {
      followRemoval(changes(), resource, ids);
      onRecords();
      onChange();
    },
    onCompared: ({ wentBack }) => {
      const rechecked = journal.outbox.recheck(wentBack, clock.now());
      log.info('what the platform had confirmed is looked for again', { rechecked });
      sender.wake();
    },
    backgroundJobs: async (signal) => {
      await kiosk.team().follow(signal);
      await kiosk.stand().backgroundJobs(signal);
    },
    onRound: onChange,
    onPause: onChange,
    snapshot: createSnapshotTaker({
      ...{ ...ports, ...common, mirror, onChange, hubEpoch: hub.askEpoch },
      onTaken: (signal) => {
        onRecords();
        return followSnapshot(changes(), signal);
      },
    }),
  });
  const management = createManagement({
    ...{ ...ports, journal, onChange, state: kiosk.state },
    means: ports.atHub ?? null,
    client: createLazyClient(
      async () => ports.platform.key,
      () => (ports.connect ?? createClient)(access, clock),
    ),
    hub,
    machine: () => readMachine(ports),
  });
  /** Host and port of the address in use. */
  const host = (): string => inUse().host;
  return { expoId, client, connection, hub, news, sender, puller, management, host };
}

/** What the machine tells of itself, as far as it is asked. */
export function readMachine({ machine }: Pick<PlatformPorts, 'machine'>): MachineReading {
  return machine?.() ?? { freeBytes: null, power: null };
}
