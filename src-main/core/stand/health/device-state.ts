/**
 * The state of the device for every screen, published at most ten times a second.
 *
 * Invariant: each call reads the current values; nothing is cached here.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { Hub } from '../../delivery/outbox/hub.ts';
import { countPossiblyTwice } from '../../delivery/outbox/id-knowledge.ts';
import type { Sender } from '../../delivery/outbox/sender.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { RESOURCES } from '../../event/mirror/resources.ts';
import type { KnownEvent } from '../../event/sync/event.ts';
import type { Puller } from '../../event/sync/puller.ts';
import type { Connection } from '../../foundations/api/connection.ts';
import type { Clock } from '../../foundations/ports.ts';
import { isClockSuspect } from '../../foundations/time/clock-trust.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { NOBODYS, NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import { sealedKept } from '../../journal/facts/settings.ts';
import { type DeviceAssignment, partnerNow } from '../device/assignment.ts';
import type { NoticeFault } from '../visit/notice-owner.ts';
import type { ReaderStatus } from './reader-status.ts';

/** Sources of the state. */
export type StateSources = {
  readonly version: string;
  readonly demo: boolean;
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly sender: Pick<Sender, 'pause'>;
  readonly puller: Pick<Puller, 'lastRoundAt' | 'remaining' | 'waitsForTurn' | 'pause'>;
  readonly connection: Connection;
  readonly hub: Pick<Hub, 'state'>;
  /** The effect of the hub's commands. */
  readonly commanded: () => Pick<DeviceState, 'outOfOrder' | 'staffMessage'>;
  readonly readers: ReaderStatus;
  readonly assignment: () => DeviceAssignment | null;
  readonly assignmentFault: () => NoticeFault | null;
  readonly event: () => KnownEvent | null;
  readonly clock: Clock;
  /** Platform time minus the device's in milliseconds as measured, or null. */
  readonly clockOffset: () => number | null;
  /** Whether the platform's time is implausible, so that the device uses its own clock. */
  readonly isPlatformClockDoubted: () => boolean;
  readonly storage: () => DeviceState['storage'];
};

/** The device as it is now. */
export function readDeviceState(sources: StateSources): DeviceState {
  const { journal, mirror } = sources;
  const here = sources.assignment();
  const counts = journal.outbox.counts();
  const event = sources.event();
  const offsetMs = sources.clockOffset();
  const platformDoubted = sources.isPlatformClockDoubted();
  const resources = RESOURCES.map(({ name }) => ({
    name,
    count: mirror.count(name),
    complete: mirror.progress(name).complete,
    refused: mirror.isRefused(name),
  }));
  const awaited = resources.filter((_one, index) => RESOURCES[index]?.awaited === true);
  return {
    version: sources.version,
    demo: sources.demo,
    deviceName: here?.deviceName ?? 'Touchpoint',
    event: event === null ? null : { id: event.id, name: event.name, timezone: event.timezone },
    partner: partnerOf(mirror, here),
    purpose: here?.purpose ?? 'lead',
    assignmentFault: sources.assignmentFault(),
    codePad: mirror.codeForms().pad,
    cardService: sources.readers.cardService(),
    readers: sources.readers.readers(),
    lostNdef: sources.readers.lostNdef(),
    mirror: {
      complete: awaited.every(({ complete, refused }) => complete || refused),
      resources,
      remaining: sources.puller.remaining(),
      ...(sources.puller.waitsForTurn() ? { waitsForTurn: true } : {}),
      asks: RESOURCES.map(({ name }) => ({ name, wouldRemove: mirror.progress(name).asks })).filter(
        ({ wouldRemove }) => wouldRemove > 0,
      ),
      lastPassAt: sources.puller.lastRoundAt(),
    },
    delivery: {
      captured: counts.captured,
      due: counts.due,
      inFlight: counts.in_flight,
      uncertain: counts.uncertain,
      sent: counts.sent,
      atHub: journal.outbox.atHub(),
      confirmed: counts.confirmed,
      parked: counts.parked,
      possiblyTwice: countPossiblyTwice(journal),
      pause: sources.sender.pause() ?? sources.puller.pause(),
    },
    hub: sources.hub.state(),
    ...sources.commanded(),
    network: sources.connection.state(),
    storage: sources.storage(),
    clock: {
      offsetMs,
      suspect: isClockSuspect(
        sources.clock.now(),
        platformDoubted ? null : offsetMs,
        event ?? { start: null, end: null },
      ),
      platformDoubted,
    },
    busyShare: sources.connection.busyShare(),
    leads: journal.leads.count(partnerNow(here)),
    sealed: sealedLeads(journal, mirror, here),
  };
}

/** Leads of partners other than the current one. Empty while the device's partner is unknown. */
function sealedLeads(
  journal: Journal,
  mirror: Mirror,
  here: DeviceAssignment | null,
): NonNullable<DeviceState['sealed']> {
  const now = partnerNow(here);
  if (now === NOT_KNOWN_YET) return [];
  const others = journal.leads
    .byPartner()
    .filter(({ partner }) => partner !== now && partner !== NOT_KNOWN_YET);
  const kept = sealedKept(journal.settings);
  return others.map(({ partner, leads }) => {
    const name = partner === NOBODYS ? null : mirror.record('partners', partner)?.body.name;
    return {
      partner: partner === NOBODYS ? null : partner,
      name: typeof name === 'string' ? name : null,
      leads,
      asks: !kept.includes(partner),
    };
  });
}

function partnerOf(mirror: Mirror, here: DeviceAssignment | null): DeviceState['partner'] {
  const partner = here?.partner == null ? null : mirror.record('partners', here.partner);
  if (partner === null) return null;
  const { name, stand } = partner.body;
  return {
    id: partner.id,
    name: typeof name === 'string' ? name : '',
    stand: typeof stand === 'string' && stand !== '' ? stand : null,
  };
}
