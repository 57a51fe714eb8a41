/**
 * The kiosk: the map of the product. Everything is made here and handed what it needs; it decides nothing.
 *
 *     drivers ─► taps ─► journal ★ ─► publishers ─► router ─► screens
 *                 ▲         │ ▲
 *               mirror   outbox └─ naming ◄─ mirror ◄─ puller ◄─ platform
 *                           └─► sender ─► platform
 *
 * Invariant: two kiosks can live in one process; nothing here is shared between them.
 */
import { join } from 'node:path';
import type { DeviceState } from '../contract/device.ts';
import type { Health, KeyState } from '../contract/health.ts';
import type { Stand } from '../contract/stand.ts';
import type { DemoBadge } from '../contract/tap.ts';
import type { Hub } from './delivery/outbox/hub.ts';
import type { DrawPicture } from './event/pictures/pictures.ts';
import { knownEvent } from './event/sync/event.ts';
import type { News } from './event/sync/news.ts';
import { createWebhookReceiver, type ReceiverPorts } from './event/webhook/receiver.ts';
import type { ApiClient } from './foundations/api/client.ts';
import type { Clock, Random, ReaderEvent } from './foundations/ports.ts';
import { storageFault } from './foundations/store/database.ts';
import { schemaVersion } from './foundations/store/migrations.ts';
import { createStorageGuard, type StorageGuardPorts } from './foundations/store/storage-guard.ts';
import { keepRunning } from './foundations/time/keep-running.ts';
import { watchForWake } from './foundations/time/wake-from-sleep.ts';
import { createHandover, type Handover, type HandoverMeans } from './handover.ts';
import { uuidV7 } from './journal/facts/stamp.ts';
import { createMaintenance } from './journal/recovery/maintenance.ts';
import { openVersionNote, type VersionNote } from './journal/recovery/version-note.ts';
import { connectPlatform, type Platform, type PlatformPorts, readMachine } from './platform.ts';
import { createRouter, type KioskRouter } from './router.ts';
import { createScreens, type Screens } from './screens.ts';
import { findAssignment, forgetReplacedTouchpoint } from './stand/device/assignment.ts';
import { PURPOSES } from './stand/device/purposes.ts';
import type { StateSources } from './stand/health/device-state.ts';
import { createHeartbeat } from './stand/health/heartbeat.ts';
import { createReaderStatus } from './stand/health/reader-status.ts';
import { createReading } from './stand/health/reading.ts';
import { createStorageStatus, type StorageStatus } from './stand/health/storage-status.ts';
import { readUpdateMoment, type UpdateMoment } from './stand/health/update-moment.ts';
import { createDemoTray } from './stand/taps/demo-tray.ts';
import { nameAtStart } from './stand/taps/late-naming.ts';
import type { OutcomePublisher } from './stand/taps/outcome-publisher.ts';
import { plainSettings, type StandSettings } from './stand/visit/settings.ts';
import { createStand, type StandParts } from './stand/visit/stand.ts';
import { openStores, type Stores } from './stores.ts';
import { createTapping, type TappingPorts } from './tapping.ts';
import { createTeamFacts, type TeamFacts } from './team/colleagues/team-facts.ts';
import { createLeadService, type LeadService, type LeadServicePorts } from './team/leads/service.ts';
import type { DemoStaff } from './team/staff/pin-entry.ts';
import { createStaff, type Staff } from './team/staff/staff.ts';

/** Where notifications of the platform are listened for (see `webhook/`). */
export type WebhookSettings = Omit<ReceiverPorts, 'expoId' | 'clock' | 'log' | 'poll'>;

export type KioskPorts = HandoverMeans &
  PlatformPorts &
  TappingPorts & {
    readonly clock: Clock;
    readonly random: Random;
    /** Existing, writable folder that belongs to this kiosk alone. */
    readonly folder: string;
    /** Badges of the demo tray; empty outside the demo event. */
    readonly demoBadges: readonly DemoBadge[];
    /** PINs of the staff pages where none was set yet; null (or absent) outside the demo event. */
    readonly demoStaff?: DemoStaff | null;
    readonly version: string;
    /** `off`: this start was told to use no card reader. */
    readonly cardService: 'on' | 'off';
    /** Null (or absent): no listener; polling alone. */
    readonly webhook?: WebhookSettings | null;
    /** What the stand offers and asks; null (or absent): nothing beyond the tap. */
    readonly stand?: StandSettings | null;
    /** What the attract loop shows; nothing when absent. */
    readonly attract?: () => Stand['attract'];
    /** Where the key to the platform is; said at the start when absent. */
    readonly key?: () => KeyState;
    /** Program of the thread that reads leads; its source unless it was bundled elsewhere. */
    readonly leadReader?: URL;
    /** Absent: pictures of the stand are not shown. */
    readonly drawPicture?: DrawPicture;
    /** Nothing is captured until somebody says which touchpoint this device is; absent: the first lead touchpoint is taken. */
    readonly asksForTouchpoint?: boolean;
    /** A fault the disk is to have for a rehearsal. */
    readonly rehearsedFault?: StorageGuardPorts['rehearsed'];
    /** `off`: no walk, no salvage and no backup in the background; for simulations whose clock is not the machine's. */
    readonly maintenance?: 'off';
  };

export type Kiosk = {
  readonly router: KioskRouter;
  readonly state: () => DeviceState;
  /** Who is signed in on which page. */
  readonly staff: Pick<Staff, 'state' | 'session'>;
  /** Whether the device can work at the stand now. */
  readonly health: () => Health;
  /** Takes back a tap of the last seconds; true when it was. */
  readonly undo: (factId: string) => boolean;
  /** Asks the platform anew, now. */
  readonly lookAgain: () => void;
  /** What an update of the app has to know and to have before. */
  readonly update: {
    readonly moment: () => UpdateMoment;
    /** Makes a backup now; false where there is none. */
    readonly backUp: () => Promise<boolean>;
  };
  /** Begins to read badges, mirror and deliver. */
  readonly start: () => void;
  /** Ends everything; what is undelivered stays for the next start. */
  readonly stop: () => Promise<void>;
};

/** A kiosk over `folder`. @throws StartRefusal when its databases cannot serve */
export function createKiosk(ports: KioskPorts): Kiosk {
  const { clock, log, asksForTouchpoint: isAsked = false } = ports;
  const stores = openStores(ports);
  const { journal, mirror } = stores;
  const note = noteVersion(ports, stores);
  const storage = createStorageStatus();
  const readers = createReaderStatus(ports.cardService === 'off' ? 'off' : 'starting');
  const settings = ports.stand ?? plainSettings();
  forgetReplacedTouchpoint(journal.settings, settings.touchpoint);
  const assignment = () => findAssignment(journal.settings, mirror, settings.touchpoint, isAsked);

  const screens = createScreens(clock, log, {
    state: () => reading.state(),
    stand: () => reading.stand(),
    ...{ leadsReady: () => leads.isReady(), leadsMark: journal.mark },
    changed: () => platform.management.changed(),
  });
  const platform = connectPlatform(ports, stores, {
    ...{ assignment, stand: () => stand, team: () => team, state: () => reading.state() },
    heldFrom: () => taps.heldFrom(),
    ...{ onChange: screens.stateChanged, onRecords: screens.leadsChanged },
  });
  const { connection, sender, puller } = platform;
  const storageGuard = createStorageGuard({
    log,
    isInPlace: stores.isInPlace,
    ...(ports.rehearsedFault ? { rehearsed: ports.rehearsedFault } : {}),
    onRecorded: (fault) => {
      storage.set(fault);
      if (fault === null) sender.wake();
      screens.stateChanged();
    },
  });
  const stand = createStand({
    ...{ ...platform, journal, mirror, clock, log, settings, storageGuard, assignment },
    folder: ports.folder,
    draw: ports.drawPicture ?? (() => Promise.resolve('unavailable')),
    discoverUrl: () => knownEvent(mirror)?.discoverUrl ?? null,
    isOffline: () => connection.state() === 'offline',
    attract: ports.attract ?? (() => []),
    ...{ asksForTouchpoint: isAsked, demo: ports.demoBadges.length > 0 },
    onChange: screens.everythingChanged,
    again: () => void puller.poll(),
  });
  const { staff, place, leads, handover, team } = createTeam(ports, {
    ...{ ...stores, ...platform, settings, storageGuard, assignment, screens },
  });
  const { taps, outcomes, handle } = createTapping(ports, {
    ...{ ...stores, storageGuard, stand, staff, leads, screens, place, readers },
    onReleased: sender.wake,
  });
  const reading = createReading({
    sources: stateSources(ports, { ...stores, ...platform, readers, assignment, storage, stand }),
    ...{ stand: stand.service.stand, machine: () => readMachine(ports) },
    host: platform.host,
    key: ports.key ?? (() => ({ place: 'start', why: null, missing: null })),
    versionChange: note.change,
    ...{ folder: ports.folder, log },
  });

  return {
    router: createRouter({
      ...{ taps, unseen: outcomes.unseen, journal, leads, staff, handover, assignment, mirror, puller },
      publishers: screens.publishers,
      ...{ state: reading.state, health: reading.health, hub: platform.management.commands },
      tray: createDemoTray(ports.demoBadges, clock, handle),
      standService: { ...stand.service, stand: reading.stand },
      now: clock.now,
      onRequeued: sender.wake,
    }),
    state: reading.state,
    staff,
    health: reading.health,
    undo: taps.undo,
    ...createLife(ports, {
      ...{ ...stores, ...platform, storage, screens, stand, team, leads, handover, handle, outcomes, note },
      health: reading.health,
    }),
  };
}

function noteVersion(ports: KioskPorts, { durable, journal }: Stores): VersionNote {
  const facts = () => journal.outbox.counts().captured;
  return openVersionNote({ ...ports, facts, schema: () => schemaVersion(durable.current().database) });
}

type TeamParts = Stores &
  Pick<LeadServicePorts, 'settings' | 'storageGuard' | 'assignment'> & {
    readonly client: ApiClient;
    readonly hub: Hub;
    readonly news: News;
    readonly screens: Screens;
  };

/** Who of the team is at work, what facts record of it, and the leads it works, hands over and forgets. */
function createTeam(ports: KioskPorts, { client, hub, screens, ...parts }: TeamParts) {
  const { clockOffset } = client;
  const { folder, clock, random, log } = ports;
  const { assignment, mirror } = parts;
  const staff = createStaff({
    ...{ clock, log, random, folder, demo: ports.demoStaff ?? null },
    badgeOpens: () => PURPOSES[assignment()?.purpose ?? 'lead'].staffBadgeOpens,
    onChange: () => void screens.publishers.staff.publish('change', null),
  });
  const place = () => {
    const { touchpoint = null, partner = null } = assignment() ?? {};
    return { touchpoint, partner, clockOffset: clockOffset(), staff: staff.onDuty() };
  };
  const leads = createLeadService({
    ...{ ...parts, place, log },
    program: ports.leadReader ?? new URL('./team/leads/worker.ts', import.meta.url),
    files: { journal: join(folder, 'journal.db'), mirror: join(folder, 'mirror.db') },
    timezone: () => knownEvent(mirror)?.timezone ?? 'UTC',
    now: clock.now,
    newId: () => uuidV7(clock.now(), random.bytes(10)),
    onReady: screens.leadsChanged,
  });
  const event = ports.platform.expoId;
  const handover = createHandover({
    ...{ ...ports, ...parts, leads, staff, screens, clockOffset, event },
    isAtHub: hub.isThere,
  });
  const team = createTeamFacts({
    ...{ ...parts, client, hub, clock, expoId: event, erasure: handover.erasure },
    partner: () => assignment()?.partner ?? null,
    onTaken: screens.everythingChanged,
  });
  return { staff, place, leads, handover, team };
}

type SourceParts = Stores &
  Platform &
  Pick<StateSources, 'readers' | 'assignment'> & {
    readonly storage: StorageStatus;
    readonly stand: Pick<StandParts, 'fault'>;
  };

/** Where the picture of the device comes from. */
function stateSources(ports: KioskPorts, parts: SourceParts): StateSources {
  const { mirror, storage, isInPlace } = parts;
  return {
    ...{ ...ports, ...parts },
    demo: ports.demoBadges.length > 0,
    assignmentFault: parts.stand.fault,
    event: () => knownEvent(mirror),
    commanded: parts.management.commands.state,
    clockOffset: parts.client.clockOffset,
    storage: () => (isInPlace() ? storage.now() : 'failing'),
  };
}

type LifeParts = Stores &
  Platform & {
    readonly storage: StorageStatus;
    readonly screens: Screens;
    readonly stand: StandParts;
    readonly team: TeamFacts;
    readonly leads: LeadService;
    readonly handover: Handover;
    readonly handle: (event: ReaderEvent) => void;
    readonly health: () => Health;
    readonly outcomes: OutcomePublisher;
    readonly note: VersionNote;
  };

/** Beginning and end: in which order everything starts and stops. */
function createLife(
  ports: KioskPorts,
  parts: LifeParts,
): Pick<Kiosk, 'start' | 'stop' | 'lookAgain' | 'update'> {
  const { clock, log, drivers } = ports;
  const { durable, journal, mirror, client, sender, puller, screens, stand, expoId } = parts;
  const maintenance = createMaintenance({
    ...{ durable, clock, log, folder: ports.folder },
    onSalvaged: () => {
      nameAtStart(journal.leads, mirror);
      parts.leads.readAnew();
      parts.team.readAnew();
      sender.wake();
      screens.stateChanged();
    },
  });
  const receiver =
    ports.webhook == null
      ? null
      : createWebhookReceiver({ ...ports.webhook, expoId, clock, log, poll: puller.poll });
  const onLoopFault = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : 'unknown';
    log.error('a loop was ended by a fault; it is begun again', { error: reason });
    parts.storage.set(storageFault(error) ?? 'failing');
    screens.stateChanged();
  };
  const lookAgain = (): void => {
    void puller.poll();
    sender.wake();
  };
  const ended = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();

  return {
    lookAgain,
    update: {
      moment: () => readUpdateMoment(parts),
      backUp: () => maintenance.backUp(ended.signal),
    },
    start: () => {
      const named = nameAtStart(journal.leads, mirror);
      if (named > 0) log.info('leads were named at start', { named });
      for (const driver of drivers) driver.start(parts.handle);
      receiver?.start().catch((error: unknown) => {
        log.error('the webhook listener could not start; polling goes on', { error: String(error) });
      });
      const running = [
        puller.run,
        sender.run,
        parts.management.run,
        parts.handover.keepRetention,
        (signal: AbortSignal) => watchForWake(clock, lookAgain, signal),
        createHeartbeat({ clock, log, folder: ports.folder, read: parts.health }),
        ...(ports.maintenance === 'off' ? [] : [maintenance.run]),
      ];
      loops = Promise.all(running.map((loop) => keepRunning(ports, loop, onLoopFault, ended.signal)));
    },
    stop: async () => {
      ended.abort();
      screens.stop();
      parts.outcomes.stop();
      await stand.stop();
      await parts.leads.stop();
      await parts.handover.exports.stop();
      await receiver?.stop();
      await Promise.all(drivers.map((driver) => driver.stop()));
      await Promise.all([client.close(), parts.management.close()]);
      await loops;
      mirror.close();
      parts.note.leave();
      journal.close();
    },
  };
}
