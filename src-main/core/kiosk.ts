/**
 * The kiosk: creates all parts in order and connects them. It contains no rules.
 *
 *     readers ─► taps ─► journal ★ ─► publishers ─► router ─► screens
 *                 ▲         │ ▲
 *               mirror   outbox └─ naming ◄─ mirror ◄─ puller ◄─ platform, or a hub in its place
 *                           └─► sender ─► platform
 *
 * ★: a commit that is on disk before the next step.
 *
 * Invariants:
 * - Two kiosks can run in one process; they share nothing.
 * - Nothing reads, polls or delivers before `start`.
 * - A data folder holds one event. A folder of another event is refused before a fact or setting is written, unless
 *   this device captured no fact in it.
 */
import { join } from 'node:path';
import type { MediaUse } from '../contract/attachments.ts';
import type { DeviceState } from '../contract/device.ts';
import type { Health, KeyState } from '../contract/health.ts';
import type { Stand } from '../contract/stand.ts';
import type { DemoBadge, TapEvent } from '../contract/tap.ts';
import { askToCountersign, signerOf } from './delivery/hub/countersign.ts';
import { createManagement, type HubMembership } from './delivery/hub/management.ts';
import { createHubStream } from './delivery/hub/stream.ts';
import { createContactDetails } from './delivery/outbox/contact-details.ts';
import { createHub } from './delivery/outbox/hub.ts';
import { createSender } from './delivery/outbox/sender.ts';
import { type Mirror, openMirror } from './event/mirror/mirror.ts';
import type { DrawPicture } from './event/pictures/pictures.ts';
import { knownEvent } from './event/sync/event.ts';
import { createNews, TEAM_NEWS } from './event/sync/news.ts';
import { createPuller } from './event/sync/puller.ts';
import { createPushed } from './event/sync/pushed.ts';
import { createSnapshotTaker } from './event/sync/snapshot.ts';
import type { IsFromHub } from './event/sync/snapshot-manifest.ts';
import { createWebhookReceiver, type WebhookSettings } from './event/webhook/receiver.ts';
import { type ApiClient, createClient, type PlatformAccess } from './foundations/api/client.ts';
import { createConnection } from './foundations/api/connection.ts';
import type { Limits } from './foundations/api/exchange.ts';
import { createLazyClient } from './foundations/api/lazy-client.ts';
import { createAddressChoice } from './foundations/api/several-addresses.ts';
import { badgeOfText } from './foundations/badge/decode.ts';
import { openProfile } from './foundations/badge/profile.ts';
import type { Clock, Log, MachineReading, Random, ReaderDriver, ReaderEvent } from './foundations/ports.ts';
import { StartRefusal } from './foundations/refusal.ts';
import { storageFault } from './foundations/store/database.ts';
import { schemaVersion } from './foundations/store/migrations.ts';
import { createStorageGuard, type StorageGuardPorts } from './foundations/store/storage-guard.ts';
import { createUploads } from './foundations/store/uploads.ts';
import { createTrustedOffset, type EventTime } from './foundations/time/clock-trust.ts';
import { keepRunning, watchForWake } from './foundations/time/loops.ts';
import { createThrottle } from './foundations/time/throttle.ts';
import { whyOf } from './foundations/trace.ts';
import type { Journal } from './journal/facts/journal.ts';
import { keepSealed } from './journal/facts/settings.ts';
import { createStamper, uuidV7 } from './journal/facts/stamp.ts';
import { openDurableJournal } from './journal/recovery/durable-journal.ts';
import { createMaintenance } from './journal/recovery/maintenance.ts';
import { openVersionNote } from './journal/recovery/version-note.ts';
import { createRouter, type KioskRouter } from './router.ts';
import { createScreens } from './screens.ts';
import { findAssignment, forgetReplacedTouchpoint, partnerNow } from './stand/device/assignment.ts';
import { PURPOSES } from './stand/device/purposes.ts';
import { createHeartbeat } from './stand/health/heartbeat.ts';
import { createReaderStatus } from './stand/health/reader-status.ts';
import { createReading, readUpdateMoment, type UpdateMoment } from './stand/health/reading.ts';
import { createDemoTray } from './stand/taps/demo-tray.ts';
import { createMirrorChanges, keepRemovedErased, nameAtStart } from './stand/taps/mirror-changes.ts';
import { createOutcomePublisher } from './stand/taps/outcome-publisher.ts';
import { createTaps } from './stand/taps/taps.ts';
import { plainSettings, type StandSettings } from './stand/visit/settings.ts';
import { createStand } from './stand/visit/stand.ts';
import { createTeamFacts } from './team/colleagues/team-facts.ts';
import type { SecretStore } from './team/destinations/access.ts';
import { createHubDestinations } from './team/destinations/hub-access.ts';
import { openKioskDestinations } from './team/destinations/kiosk-destinations.ts';
import { createLeadFacts } from './team/erasure/lead-facts.ts';
import { createErasureService, keepRetention, type LastExport, type OwnHub } from './team/erasure/service.ts';
import { createImportService } from './team/exports/import-service.ts';
import { createExportService, type FilePlace } from './team/exports/service.ts';
import { createLeadService } from './team/leads/service.ts';
import type { ReadPicture } from './team/recognition/read-line.ts';
import { createRecognition } from './team/recognition/recognition.ts';
import type { DemoStaff } from './team/staff/pin-entry.ts';
import { createStaff, type Staff } from './team/staff/staff.ts';

export type KioskPorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Existing, writable folder that only this kiosk uses. */
  readonly folder: string;
  readonly version: string;
  readonly drivers: readonly ReaderDriver[];
  /** `off`: this start uses no card reader. */
  readonly cardService: 'on' | 'off';
  readonly platform: PlatformAccess;
  /** How the platform is reached; HTTP when absent. */
  readonly connect?: (access: PlatformAccess, clock: Clock, limits?: Partial<Limits>) => ApiClient;
  /** Where the platform key is; given at the start when absent. */
  readonly key?: () => KeyState;
  /** The hub's connection for managing this device. Null (or absent) if the hub only receives reports. */
  readonly atHub?: HubMembership | null;
  /** The hub that this device can run for the stand's other laptops. Null (or absent) if it cannot run one. */
  readonly ownHub?: OwnHub | null;
  /** Whether the hub of this device signed a snapshot. Absent if the device belongs to no hub. */
  readonly isFromHub?: IsFromHub | undefined;
  /** Settings of the listener for notifications. Null (or absent) if the device only polls. */
  readonly webhook?: WebhookSettings | null;
  /** The settings of the stand. Null (or absent) if the stand offers only taps. */
  readonly stand?: StandSettings | null;
  /** The content of the attract loop. Absent if it is empty. */
  readonly attract?: () => Stand['attract'];
  /**
   * Nothing is captured until staff choose the touchpoint of this device. If absent, the first lead touchpoint is
   * used.
   */
  readonly asksForTouchpoint?: boolean;
  /** Badges of the demo tray; empty outside the demo event. */
  readonly demoBadges: readonly DemoBadge[];
  /** PINs of the staff pages before one is set. Null (or absent) outside the demo event. */
  readonly demoStaff?: DemoStaff | null;
  /** Reports the state of the machine. Absent without such a report. */
  readonly machine?: (() => MachineReading) | undefined;
  /** Draws a picture in both sizes. Absent if pictures of the stand are not shown. */
  readonly drawPicture?: DrawPicture;
  /** Reads text in pictures. Absent if this installation has no text recognition. */
  readonly readPicture?: ReadPicture | undefined;
  /** Program of the thread that reads leads; its source file, unless it was bundled. */
  readonly leadReader?: URL | undefined;
  /** Program of the thread that writes exports; its source file, unless it was bundled. */
  readonly exportWriter?: URL | undefined;
  /** Program of the thread that prepares a snapshot; its source file, unless it was bundled. */
  readonly snapshotReader?: URL | undefined;
  /** The places for exports. If absent, exports go only to a browser. */
  readonly places?: (() => readonly FilePlace[]) | undefined;
  /** Counts a page that uses the camera or the microphone, until the returned function is called. */
  readonly useDevice?: ((device: MediaUse) => () => void) | undefined;
  /** Receives every reader event first. If it returns true, the taps do not receive the event. */
  readonly takeReaderEvent?: (event: ReaderEvent) => boolean;
  /** Receives the outcome of every tap first. If it returns true, the pages do not receive the outcome. */
  readonly takeOutcome?: (event: TapEvent) => boolean;
  /** A disk fault to simulate in a rehearsal. */
  readonly rehearsedFault?: StorageGuardPorts['rehearsed'];
  /** The store for the tokens of destinations. Absent if no destination can be connected. */
  readonly secrets?: SecretStore;
  /**
   * `off`: no integrity check, salvage or backup in the background; for simulations that do not use the machine's
   * clock.
   */
  readonly maintenance?: 'off';
};

export type Kiosk = {
  readonly router: KioskRouter;
  readonly state: () => DeviceState;
  /** Who is signed in on which page. */
  readonly staff: Pick<Staff, 'state' | 'session' | 'team' | 'admit' | 'unlock' | 'lock'>;
  /** The partner that the device works for now. */
  readonly partner: () => string;
  /** Whether the device can work at the stand now. */
  readonly health: () => Health;
  /** Undoes a tap of the last seconds. Returns true when it did. */
  readonly undo: (factId: string) => boolean;
  /** Polls the platform and retries delivery now. */
  readonly lookAgain: () => void;
  /** The state of the stand for an update of the app, and the backup before it. */
  readonly update: {
    readonly moment: () => UpdateMoment;
    /** Makes a backup now; false if there is nothing to back up. */
    readonly backUp: () => Promise<boolean>;
  };
  /** Starts to read badges, mirror and deliver. */
  readonly start: () => void;
  /** Shuts down. Undelivered facts stay for the next start. */
  readonly stop: () => Promise<void>;
};

/** The hub answers within a minute, with the destination's answer or without one. */
const CRM_LIMITS: Partial<Limits> = { headersMs: 70_000, totalMs: 90_000 };

/** If the clock offset is larger, the age of a fact is not computed from the clock. */
const CLOCK_TRUSTED_WITHIN_MS = 3_600_000;

/** A kiosk over `folder`. @throws StartRefusal when its databases cannot be used */
export function createKiosk(ports: KioskPorts): Kiosk {
  const { clock, random, log, folder, version, drivers, platform } = ports;
  const { expoId } = platform;
  const isDemo = ports.demoBadges.length > 0;
  const asksForTouchpoint = ports.asksForTouchpoint ?? false;
  const machine = ports.machine ?? (() => ({ freeBytes: null, encryption: 'unknown' as const, power: null }));
  const draw: DrawPicture = ports.drawPicture ?? (() => Promise.resolve('unavailable'));
  const newId = () => uuidV7(clock.now(), random.bytes(10));

  // The two databases, and the check of their content.
  const { durable, mirror } = openStores(folder, expoId, clock, random, log);
  const { journal } = durable;
  const isInPlace = () => durable.current().isInPlace();
  const versionNote = openVersionNote({
    folder,
    log,
    version,
    facts: () => journal.outbox.counts().captured,
    schema: () => schemaVersion(durable.current().database),
  });

  // The data for screens.
  const screens = createScreens(clock, log, {
    state: () => reading.state(),
    stand: () => reading.stand(),
    leadsReady: () => leads.isReady(),
    leadsMark: journal.mark,
    changed: () => {
      management.changed();
      destinations.wake();
    },
  });
  // Delivery starts a moment after a tap, because it would delay the painting of the result.
  const delivery = createThrottle(clock, log, () => sender.wake());
  const storageGuard = createStorageGuard({
    log,
    isInPlace,
    rehearsed: ports.rehearsedFault,
    onRecorded: (fault) => {
      if (fault === null) delivery.trigger();
      screens.stateChanged();
    },
  });

  // The platform, or a hub in its place.
  const { client, reportClient, crmClient, host } = reachPlatform(
    platform,
    clock,
    ports.connect ?? ((to, time, limits = {}) => createClient(to, time, { limits })),
    () => knownEvent(mirror),
  );
  const connection = createConnection(() => {
    if (connection.state() === 'online') stream.reconnect();
    screens.stateChanged();
  });
  const partner = () => partnerNow(assignment());
  const hub = createHub({
    client,
    expoId,
    journal,
    details: createContactDetails({
      leads: journal.leads,
      partner,
      clock,
      random,
      onKept: () => screens.leadsChanged(),
    }),
    clock,
    isStreaming: () => stream.isLive(),
    onChange: screens.stateChanged,
  });

  // The touchpoint of this device, and the steps around a tap.
  const settings = ports.stand ?? plainSettings();
  forgetReplacedTouchpoint(journal.settings, settings.touchpoint);
  const assignment = () => findAssignment(journal.settings, mirror, settings.touchpoint, asksForTouchpoint);
  const stand = createStand({
    client,
    expoId,
    journal,
    mirror,
    clock,
    log,
    folder,
    settings,
    storageGuard,
    assignment,
    discoverUrl: () => knownEvent(mirror)?.discoverUrl ?? null,
    bagUrl: () => knownEvent(mirror)?.bagUrl ?? null,
    isOffline: () => connection.state() === 'offline',
    draw,
    attract: ports.attract ?? (() => []),
    asksForTouchpoint,
    demo: isDemo,
    onChange: screens.everythingChanged,
    again: () => void puller.poll(),
  });

  // Delivery.
  const sender = createSender({
    client,
    expoId,
    journal,
    clock,
    random,
    log,
    connection,
    hub,
    owner: assignment,
    heldFrom: () => taps.heldFrom(),
    onChange: screens.stateChanged,
  });

  // The stand team and its leads.
  const staff = createStaff({
    clock,
    random,
    log,
    folder,
    demo: ports.demoStaff ?? null,
    badgeOpens: () => PURPOSES[assignment()?.purpose ?? 'lead'].staffBadgeOpens,
    onChange: () => void screens.publishers.staff.publish('change', null),
  });
  const place = () => {
    const here = assignment();
    return {
      touchpoint: here?.touchpoint ?? null,
      partner: here?.partner ?? null,
      clockOffset: client.clockOffset(),
      staff: staff.onDuty(),
    };
  };
  const leads = createLeadService({
    journal,
    mirror,
    storageGuard,
    settings,
    assignment,
    place,
    log,
    program: ports.leadReader ?? new URL('./team/leads/worker.ts', import.meta.url),
    databases: { journal: join(folder, 'journal.db'), mirror: join(folder, 'mirror.db') },
    files: durable.attachments,
    database: () => durable.current().database,
    draw,
    freeBytes: () => machine().freeBytes,
    timezone: () => knownEvent(mirror)?.timezone ?? 'UTC',
    now: clock.now,
    newId,
    onReady: screens.leadsChanged,
  });
  const exports = createExportService({
    folder,
    clock,
    log,
    settings,
    event: expoId,
    partner,
    newId,
    program: ports.exportWriter ?? new URL('./team/exports/export-worker.ts', import.meta.url),
    places: ports.places ?? (() => []),
    nameOf: (of) => nameOfPartner(mirror, of),
    timezone: () => knownEvent(mirror)?.timezone ?? null,
    rule: (of) => leads.hotRule(of).rule,
    hub: () => signerOf(hub),
    countersign: (sha256) => askToCountersign(reportClient, sha256),
    lastSeq: (of) => createLeadFacts(durable.current().database).sum(of).lastSeq,
    onChange: (job) => screens.publishers.exports.publish(job.id, job),
    onAllExported: (of, last) => journal.settings.set('lastExport', JSON.stringify({ partner: of, ...last })),
  });
  const imports = createImportService({
    durable,
    storageGuard,
    folder,
    event: expoId,
    partner,
    newId,
    onImported: () => {
      nameAtStart(journal.leads, mirror);
      leads.readAnew();
      screens.everythingChanged();
    },
  });
  const erasure = createErasureService({
    journal,
    durable,
    storageGuard,
    clock,
    folder,
    event: expoId,
    newId,
    partner,
    staff: staff.onDuty,
    retentionDays: settings.retentionDays,
    isClockSure: () => Math.abs(client.clockOffset() ?? Number.POSITIVE_INFINITY) < CLOCK_TRUSTED_WITHIN_MS,
    lastExport: (of) => lastExportOf(journal, of),
    dropExports: exports.drop,
    clockOffset: client.clockOffset,
    ownHub: ports.ownHub ?? null,
    isAtHub: hub.isThere,
    onErased: (protocol) => {
      if (protocol !== null) destinations.erased(protocol);
      leads.readAnew();
      screens.everythingChanged();
    },
  });
  const destinations = openKioskDestinations({
    path: join(folder, 'destinations.db'),
    expoId,
    secrets: ports.secrets ?? null,
    hub: createHubDestinations(crmClient, expoId, hub.isThere),
    clock,
    random,
    log,
    newId,
    partner,
    database: () => durable.current().database,
    heldFrom: () => taps.heldFrom(),
    undoMs: stand.visits.undoMs,
    leads,
    event: () => knownEvent(mirror),
    nameOf: (of) => nameOfPartner(mirror, of),
    addressOf: staff.addressOf,
  });
  const news = createNews(client, expoId, hub, () => stream.isInStep());
  const colleagues = createTeamFacts({
    client,
    expoId,
    hub,
    news,
    journal,
    durable,
    mirror,
    storageGuard,
    erasure,
    clock,
    partner: () => assignment()?.partner ?? null,
    onTaken: screens.everythingChanged,
  });

  // The mirror of the event, and the effects of its changes.
  const mirrorChanges = createMirrorChanges({ journal, mirror, stand, onTouchpoints: sender.wake });
  const followPage: Parameters<typeof createPushed>[0]['onPage'] = (resource, changed) => {
    mirrorChanges.followPage(resource, changed);
    if (changed.length > 0) screens.leadsChanged();
    screens.stateChanged();
  };
  const onRemoved = (): void => {
    screens.leadsChanged();
    screens.stateChanged();
  };
  const mirrorPartner = () => assignment()?.partner ?? null;
  const pushed = createPushed({
    mirror,
    partner: mirrorPartner,
    onPage: followPage,
    onOther: news.noteChanged,
    onBehind: () => stream.fallBehind(),
  });
  const puller = createPuller({
    client,
    expoId,
    mirror,
    clock,
    random,
    log,
    connection,
    news,
    pushed,
    partner: mirrorPartner,
    onPage: followPage,
    onRemoved: (resource, ids) => {
      mirrorChanges.followRemoval(resource, ids);
      onRemoved();
    },
    onCompared: ({ wentBack }) => {
      const rechecked = journal.outbox.recheck(wentBack, clock.now());
      log.info('confirmed facts are read back again after a full comparison', { rechecked });
      sender.wake();
    },
    backgroundJobs: async (signal) => {
      await colleagues.follow(signal);
      await hub.followDetails(signal);
      await stand.backgroundJobs(signal);
    },
    onRound: screens.stateChanged,
    onPause: screens.stateChanged,
    snapshot: createSnapshotTaker({
      client,
      expoId,
      mirror,
      clock,
      log,
      folder,
      program: ports.snapshotReader ?? new URL('./event/sync/snapshot-worker.ts', import.meta.url),
      isFromHub: ports.isFromHub,
      hubEpoch: hub.askEpoch,
      onChange: screens.stateChanged,
      onTaken: (signal) => {
        screens.leadsChanged();
        return mirrorChanges.followSnapshot(signal);
      },
    }),
  });
  const management = createManagement({
    membership: ports.atHub ?? null,
    journal,
    client: reportClient,
    hub,
    state: () => reading.state(),
    machine,
    clock,
    random,
    log,
    onChange: screens.stateChanged,
  });
  const stream = createHubStream({
    client,
    expoId,
    hub,
    pushed,
    poll: puller.poll,
    onConnected: sender.wake,
    onTeam: () => news.noteChanged(TEAM_NEWS),
    onCommands: management.commands.take,
    clock,
    random,
    log,
  });
  const receiver =
    ports.webhook == null
      ? null
      : createWebhookReceiver({ settings: ports.webhook, expoId, clock, log, poll: puller.poll });

  // From a badge on a reader to the pages.
  const readers = createReaderStatus(ports.cardService === 'off' ? 'off' : 'starting');
  const outcomes = createOutcomePublisher({
    journal,
    mirror,
    clock,
    log,
    pages: screens.publishers.taps,
    undoMs: stand.visits.undoMs,
    isActedOn: stand.visits.isActedOn,
    onShown: stand.visits.touch,
  });
  const taps = createTaps({
    journal,
    mirror,
    clock,
    log,
    storageGuard,
    place,
    visits: stand.visits,
    isChosen: stand.isChosen,
    badgeOfText: (text) => badgeOfText(text, openProfile),
    staffBadge: staff.badge,
    isStaffBadge: staff.isBadge,
    onRefused: leads.keepRefused,
    publish: (event) => {
      if (ports.takeOutcome?.(event) !== true) outcomes.publish(event);
    },
    isLate: outcomes.unseen.isLate,
    onLostNdef: () => {
      readers.countLostNdef();
      screens.stateChanged();
    },
    onReleased: delivery.trigger,
    feedback: (reader, what) => {
      for (const driver of drivers) driver.feedback(reader, what);
    },
  });
  taps.publishUnshown(outcomes.shown());
  const handleReader = (event: ReaderEvent): void => {
    if (readers.handle(event)) screens.stateChanged();
    if (ports.takeReaderEvent?.(event) !== true) taps.handle(event);
  };

  // State and health of the device.
  const reading = createReading({
    sources: {
      version,
      demo: isDemo,
      journal,
      mirror,
      sender,
      puller,
      connection,
      hub,
      commanded: management.commands.state,
      readers,
      assignment,
      assignmentFault: stand.fault,
      event: () => knownEvent(mirror),
      clock,
      clockOffset: client.measuredOffset,
      isPlatformClockDoubted: client.isDoubted,
      storage: storageGuard.status,
    },
    stand: stand.service.stand,
    host,
    machine,
    attachmentBytes: durable.attachments.bytes,
    key: ports.key ?? (() => ({ place: 'start', why: null, missing: null })),
    versionChange: versionNote.change,
    elsewhere: destinations.concerns,
    folder,
    log,
  });

  // The loops that run until the kiosk shuts down.
  const lookAgain = (): void => {
    stream.restart();
    void puller.poll();
    sender.wake();
    destinations.wake();
  };
  const maintenance = createMaintenance({
    durable,
    folder,
    clock,
    log,
    onSalvaged: () => {
      nameAtStart(journal.leads, mirror);
      leads.readAnew();
      colleagues.readAnew();
      sender.wake();
      screens.stateChanged();
    },
  });
  const loops = [
    puller.run,
    sender.run,
    management.run,
    stream.run,
    (signal: AbortSignal) => keepRetention(clock, erasure, signal),
    (signal: AbortSignal) => keepRemovedErased(clock, mirrorChanges, onRemoved, signal),
    (signal: AbortSignal) => watchForWake(clock, lookAgain, signal),
    createHeartbeat({ clock, log, folder, read: reading.health }),
    ...(ports.maintenance === 'off' ? [] : [maintenance.run]),
  ];
  const onLoopFault = (error: unknown): void => {
    log.error('a loop failed and restarts', { error: whyOf(error) });
    storageGuard.report(storageFault(error) ?? 'failing');
  };
  const ended = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  return {
    router: createRouter({
      taps,
      unseen: outcomes.unseen,
      tray: createDemoTray(ports.demoBadges, clock, handleReader),
      standService: stand.service,
      stand: reading.stand,
      journal,
      mirror,
      puller,
      leads,
      uploads: createUploads(random),
      recognise: createRecognition({
        draw,
        readPicture: ports.readPicture ?? (() => Promise.resolve('unavailable')),
        mirror: join(folder, 'mirror.db'),
        isComplete: () => mirror.progress('visitors').complete,
      }),
      useDevice: ports.useDevice ?? (() => () => undefined),
      exports,
      imports,
      erasure,
      destinations,
      keepSealed: (of) => {
        const kept = storageGuard.attempt(() => keepSealed(journal.settings, of, partner()));
        screens.stateChanged();
        return kept.kind === 'kept';
      },
      staff,
      assignment,
      hub: management.commands,
      publishers: screens.publishers,
      state: reading.state,
      health: reading.health,
      now: clock.now,
      onRequeued: sender.wake,
    }),
    state: reading.state,
    staff,
    partner,
    health: reading.health,
    undo: taps.undo,
    lookAgain,
    update: {
      moment: () => readUpdateMoment(journal, mirror),
      backUp: () => maintenance.backUp(ended.signal),
    },
    start: () => {
      const named = nameAtStart(journal.leads, mirror);
      if (named > 0) log.info('leads were named at start', { named });
      for (const driver of drivers) driver.start(handleReader);
      receiver?.start().catch((error: unknown) => {
        log.error('the webhook listener could not start; polling continues', { error: String(error) });
      });
      destinations.start();
      running = Promise.all(
        loops.map((loop) => keepRunning({ clock, random }, loop, onLoopFault, ended.signal)),
      );
    },
    stop: async () => {
      ended.abort();
      screens.stop();
      delivery.stop();
      outcomes.stop();
      await stand.stop();
      await leads.stop();
      await exports.stop();
      await destinations.stop();
      await receiver?.stop();
      await Promise.all(drivers.map((driver) => driver.stop()));
      await Promise.all([client.close(), management.close(), crmClient.close()]);
      await running;
      mirror.close();
      versionNote.leave();
      if (ports.maintenance !== 'off') await maintenance.backUpAtEnd();
      journal.close();
    },
  };
}

/** The two databases. @throws StartRefusal when they cannot be used, or hold another event */
function openStores(folder: string, expoId: string, clock: Clock, random: Random, log: Log) {
  const durable = openDurableJournal({ folder, stamper: createStamper(clock, random), clock, log });
  const { outbox, settings, close } = durable.journal;
  const kept = settings.get('expo');
  if (kept !== expoId && outbox.counts().captured === 0) {
    settings.set('touchpoint', '');
  } else if (kept !== null && kept !== expoId) {
    close();
    throw new StartRefusal(
      'otherEvent',
      `This data folder holds the leads of event ${kept}, not of ${expoId}. ` +
        'Choose another folder with --data, so that no lead goes to the wrong event. Nothing was changed.',
    );
  }
  settings.set('expo', expoId);
  const mirror = openMirror(join(folder, 'mirror.db'), expoId, (why) =>
    log.warn('the mirror could not be used and is fetched again', { why }),
  );
  return { durable, mirror };
}

/**
 * One client for data, one for reports, and one for a CRM behind the hub, so that no fact waits for the others.
 * `host`: of the address in use.
 */
function reachPlatform(
  platform: PlatformAccess,
  clock: Clock,
  connect: NonNullable<KioskPorts['connect']>,
  event: () => EventTime | null,
) {
  const addresses = [platform.baseUrl, ...(platform.others ?? [])];
  const choice = createAddressChoice(addresses.length);
  const access = { ...platform, choice };
  const client = connect(access, clock);
  const { clockOffset, isDoubted } = createTrustedOffset(clock, client.clockOffset, event);
  return {
    client: { ...client, clockOffset, isDoubted, measuredOffset: client.clockOffset },
    reportClient: createLazyClient(
      async () => platform.key,
      () => connect(access, clock),
    ),
    crmClient: createLazyClient(
      async () => platform.key,
      () => connect(access, clock, CRM_LIMITS),
    ),
    host: () => new URL(addresses[choice.now()] ?? platform.baseUrl).host,
  };
}

/** The last export with all leads of a partner, so that the page for the end of the fair can show whether it exists. */
function lastExportOf(journal: Journal, partner: string): LastExport | null {
  const kept = journal.settings.get('lastExport');
  if (kept === null) return null;
  const last = JSON.parse(kept) as LastExport & { readonly partner: string };
  return last.partner === partner ? last : null;
}

function nameOfPartner(mirror: Mirror, partner: string): string | null {
  const name = mirror.record('partners', partner)?.body.name;
  return typeof name === 'string' ? name : null;
}
