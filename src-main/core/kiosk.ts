/**
 * The kiosk: the map of the product. Everything is made here and handed what it needs; no logic.
 *
 *     drivers ─► taps ─► journal ★ ─► announcer ─► router ─► screens
 *                 ▲         │ ▲
 *               mirror   outbox └─ naming ◄─ mirror ◄─ puller ◄─ platform
 *                           └─► sender ─► platform
 *
 * Invariant: two kiosks can live in one process; nothing here is shared between them.
 */
import { join } from 'node:path';
import { EventPublisher } from '@orpc/server';
import type { DeviceState, Storage } from '../contract/device.ts';
import type { Stand } from '../contract/stand.ts';
import type { DemoBadge } from '../contract/tap.ts';
import { type ApiClient, createClient, type PlatformAccess } from './api/client.ts';
import { createConnection } from './api/connection.ts';
import { badgeOfCard, badgeOfText } from './badge/decode.ts';
import { openProfile } from './badge/profile.ts';
import { findAssignment, forgetReplacedTouchpoint } from './device/assignment.ts';
import { readDeviceState } from './health/device-state.ts';
import { createReaderStatus } from './health/reader-status.ts';
import { createStamper } from './journal/stamp.ts';
import { openMirror } from './mirror/mirror.ts';
import { createSender } from './outbox/sender.ts';
import type { Clock, Log, Random, ReaderDriver, ReaderEvent } from './ports.ts';
import { openDurableJournal } from './recovery/durable-journal.ts';
import { createMaintenance } from './recovery/maintenance.ts';
import { StartRefusal } from './refusal.ts';
import { createRouter, type KioskRouter, type Publishers } from './router.ts';
import { plainSettings, type StandSettings } from './stand/settings.ts';
import { createStand, type StandParts } from './stand/stand.ts';
import { createStorageGuard } from './store/storage-guard.ts';
import { knownEvent } from './sync/event.ts';
import { createPuller } from './sync/puller.ts';
import { createDemoTray } from './taps/demo-tray.ts';
import { nameAtStart, nameChangedVisitors } from './taps/late-naming.ts';
import { createTaps } from './taps/taps.ts';
import { createThrottle } from './time/throttle.ts';
import { watchForWake } from './time/wake-from-sleep.ts';
import { createWebhookReceiver, type ReceiverPorts } from './webhook/receiver.ts';

/** Where notifications of the platform are listened for (see `webhook/`). */
export type WebhookSettings = Omit<ReceiverPorts, 'expoId' | 'clock' | 'log' | 'poll'>;

export type KioskPorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Existing, writable folder that belongs to this kiosk alone. */
  readonly folder: string;
  readonly platform: PlatformAccess;
  /** How the platform is reached; HTTP unless a simulation stands in. */
  readonly connect?: (access: PlatformAccess, clock: Clock) => ApiClient;
  readonly drivers: readonly ReaderDriver[];
  /** Badges of the demo tray; empty outside the demo event. */
  readonly demoBadges: readonly DemoBadge[];
  readonly version: string;
  /** `off`: this start was told to use no card reader. */
  readonly cardService: 'on' | 'off';
  /** Null (or absent): no listener; polling alone. */
  readonly webhook?: WebhookSettings | null;
  /** What the stand offers and asks; null (or absent): nothing beyond the tap. */
  readonly stand?: StandSettings | null;
  /** What the attract loop shows; nothing when absent. */
  readonly attract?: () => Stand['attract'];
  /** `off`: no walk, no salvage and no backup in the background; for simulations whose clock is not the machine's. */
  readonly maintenance?: 'off';
};

export type Kiosk = {
  readonly router: KioskRouter;
  readonly state: () => DeviceState;
  /** Begins to read badges, mirror and deliver. */
  readonly start: () => void;
  /** Ends everything; what is undelivered stays for the next start. */
  readonly stop: () => Promise<void>;
};

/** A kiosk over `folder`. @throws StartRefusal when its databases cannot serve */
export function createKiosk(ports: KioskPorts): Kiosk {
  const { clock, random, log, drivers } = ports;
  const { expoId } = ports.platform;
  const durable = openDurableJournal({
    folder: ports.folder,
    stamper: createStamper(clock, random),
    clock,
    log,
  });
  const { journal } = durable;
  refuseOtherEvent(journal.settings.get('expo'), expoId, journal.close);
  journal.settings.set('expo', expoId);
  const mirror = openMirror(join(ports.folder, 'mirror.db'), expoId);

  const publishers: Publishers = {
    states: new EventPublisher(),
    stands: new EventPublisher(),
    taps: new EventPublisher(),
  };
  const stateThrottle = createThrottle(clock, () => {
    if (publishers.states.size > 0) publishers.states.publish('state', state());
  });
  const standThrottle = createThrottle(clock, () => {
    if (publishers.stands.size > 0) publishers.stands.publish('stand', stand.service.stand());
  });
  const client = (ports.connect ?? createClient)(ports.platform, clock);
  const connection = createConnection(stateThrottle.trigger);
  const readers = createReaderStatus(ports.cardService === 'off' ? 'off' : 'starting');
  const settings = ports.stand ?? plainSettings();
  forgetReplacedTouchpoint(journal.settings, settings.touchpoint);
  const assignment = () => findAssignment(journal.settings, mirror, settings.touchpoint);
  let storage: Storage = 'ok';

  const sender = createSender({
    client,
    expoId,
    journal,
    clock,
    random,
    log,
    connection,
    owner: assignment,
    onChange: stateThrottle.trigger,
  });
  const puller = createPuller({
    client,
    expoId,
    mirror,
    clock,
    random,
    log,
    connection,
    partner: () => assignment()?.partner ?? null,
    onPage: (resource, changed) => {
      if (resource === 'visitors' && !journal.outbox.isEmpty()) nameChangedVisitors(journal, mirror, changed);
      if (resource === 'touchpoints') sender.wake();
      stand.follow(resource, changed);
      stateThrottle.trigger();
    },
    onRemoved: (resource, ids) => {
      if (resource === 'visitors') for (const id of ids) journal.erase(id);
      stand.forget(resource, ids);
      stateThrottle.trigger();
    },
    onCompared: () => {
      const rechecked = journal.outbox.recheck(clock.now());
      log.info('what the platform had confirmed is looked for again', { rechecked });
      sender.wake();
    },
    backgroundJobs: (signal) => stand.backgroundJobs(signal),
    onRound: stateThrottle.trigger,
  });
  const storageGuard = createStorageGuard({
    log,
    onRecorded: (fault) => {
      storage = fault ?? 'ok';
      if (fault === null) sender.wake();
      stateThrottle.trigger();
    },
  });
  const stand: StandParts = createStand({
    client,
    expoId,
    journal,
    mirror,
    clock,
    log,
    folder: ports.folder,
    settings,
    storageGuard,
    assignment,
    discoverUrl: () => knownEvent(mirror)?.discoverUrl ?? null,
    isOffline: () => connection.state() === 'offline',
    attract: ports.attract ?? (() => []),
    demo: ports.demoBadges.length > 0,
    onChange: () => {
      stateThrottle.trigger();
      standThrottle.trigger();
    },
    again: puller.wake,
  });
  const taps = createTaps({
    journal,
    mirror,
    clock,
    log,
    place: () => {
      const { touchpoint = null, partner = null } = assignment() ?? {};
      return { touchpoint, partner, clockOffset: client.clockOffset(), staff: null };
    },
    badgeOfCard: (card) => badgeOfCard(card, openProfile),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    publish: (event) => publishers.taps.publish('tap', event),
    feedback: (reader, what) => {
      for (const driver of drivers) driver.feedback(reader, what);
    },
    tapPolicy: stand.tapPolicy,
    tapSessions: stand.tapSessions,
    storageGuard,
  });

  const maintenance = createMaintenance({
    durable,
    folder: ports.folder,
    clock,
    log,
    onSalvaged: () => {
      nameAtStart(journal.leads, mirror);
      sender.wake();
      stateThrottle.trigger();
    },
  });

  const handle = (event: ReaderEvent): void => {
    if (readers.handle(event)) stateThrottle.trigger();
    taps.handle(event);
  };

  const state = (): DeviceState =>
    readDeviceState({
      version: ports.version,
      demo: ports.demoBadges.length > 0,
      journal,
      mirror,
      sender,
      puller,
      connection,
      readers,
      assignment,
      event: () => knownEvent(mirror),
      clock,
      clockOffset: client.clockOffset,
      storage: () => storage,
    });

  const lookAgain = (): void => {
    puller.wake();
    sender.wake();
  };

  const receiver =
    ports.webhook == null
      ? null
      : createWebhookReceiver({ ...ports.webhook, expoId, clock, log, poll: puller.pullNow });

  const ended = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();

  return {
    router: createRouter({
      taps,
      tray: createDemoTray(ports.demoBadges, clock, handle),
      standService: stand.service,
      journal,
      mirror,
      puller,
      publishers,
      state,
      now: clock.now,
      onRequeued: sender.wake,
    }),
    state,
    start: () => {
      const named = nameAtStart(journal.leads, mirror);
      if (named > 0) log.info('leads were named at start', { named });
      for (const driver of drivers) driver.start(handle);
      receiver?.start().catch((error: unknown) => {
        log.error('the webhook listener could not start; polling goes on', { error: String(error) });
      });
      loops = Promise.all([
        puller.run(ended.signal),
        sender.run(ended.signal),
        watchForWake(clock, lookAgain, ended.signal),
        ports.maintenance === 'off' ? null : maintenance.run(ended.signal),
      ]);
    },
    stop: async () => {
      ended.abort();
      stateThrottle.stop();
      standThrottle.stop();
      await stand.stop();
      await receiver?.stop();
      await Promise.all(drivers.map((driver) => driver.stop()));
      await client.close();
      await loops;
      mirror.close();
      journal.close();
    },
  };
}

function refuseOtherEvent(kept: string | null, expoId: string, close: () => void): void {
  if (kept === null || kept === expoId) return;
  close();
  throw new StartRefusal(
    'otherEvent',
    `This data folder holds the leads of event ${kept}, not of ${expoId}. ` +
      'Choose another folder with --data, so that no lead goes to the wrong event. Nothing was changed.',
  );
}
