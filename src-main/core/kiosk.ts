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
import { findPost, followNamed } from './device/assignment.ts';
import { createTicker, drawState } from './health/device-state.ts';
import { createReaderBook } from './health/reader-status.ts';
import { createStamper } from './journal/stamp.ts';
import { openMirror } from './mirror/mirror.ts';
import { createSender } from './outbox/sender.ts';
import type { Clock, Log, Random, ReaderDriver, ReaderEvent } from './ports.ts';
import { openLastingJournal } from './recovery/durable-journal.ts';
import { createCare } from './recovery/maintenance.ts';
import { StartRefusal } from './refusal.ts';
import { type Announcers, createRouter, type KioskRouter } from './router.ts';
import { plainSettings, type StandSettings } from './stand/settings.ts';
import { createStand, type StandParts } from './stand/stand.ts';
import { createKeeper } from './store/storage-guard.ts';
import { knownEvent } from './sync/event.ts';
import { createPuller } from './sync/puller.ts';
import { createDemoTray } from './taps/demo-tray.ts';
import { followVisitors, nameAtStart } from './taps/late-naming.ts';
import { createTaps } from './taps/taps.ts';
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
  readonly care?: 'off';
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
  const lasting = openLastingJournal({
    folder: ports.folder,
    stamper: createStamper(clock, random),
    clock,
    log,
  });
  const { journal } = lasting;
  refuseOtherEvent(journal.settings.get('expo'), expoId, journal.close);
  journal.settings.set('expo', expoId);
  const mirror = openMirror(join(ports.folder, 'mirror.db'), expoId);

  const announcers: Announcers = {
    states: new EventPublisher(),
    stands: new EventPublisher(),
    taps: new EventPublisher(),
  };
  const ticker = createTicker(clock, () => {
    if (announcers.states.size > 0) announcers.states.publish('state', state());
  });
  const standTicker = createTicker(clock, () => {
    if (announcers.stands.size > 0) announcers.stands.publish('stand', stand.desk.stand());
  });
  const client = (ports.connect ?? createClient)(ports.platform, clock);
  const connection = createConnection(ticker.touch);
  const readers = createReaderBook(ports.cardService === 'off' ? 'off' : 'starting');
  const settings = ports.stand ?? plainSettings();
  followNamed(journal.settings, settings.touchpoint);
  const post = () => findPost(journal.settings, mirror, settings.touchpoint);
  let storage: Storage = 'ok';

  const sender = createSender({
    client,
    expoId,
    journal,
    clock,
    random,
    log,
    connection,
    post,
    onChange: ticker.touch,
  });
  const puller = createPuller({
    client,
    expoId,
    mirror,
    clock,
    random,
    log,
    connection,
    partner: () => post()?.partner ?? null,
    onPage: (resource, changed) => {
      if (resource === 'visitors' && !journal.outbox.isEmpty()) followVisitors(journal, mirror, changed);
      if (resource === 'touchpoints') sender.wake();
      stand.follow(resource, changed);
      ticker.touch();
    },
    onRemoved: (resource, ids) => {
      if (resource === 'visitors') for (const id of ids) journal.erase(id);
      stand.forget(resource, ids);
      ticker.touch();
    },
    onCompared: () => {
      const rechecked = journal.outbox.recheck(clock.now());
      log.info('what the platform had confirmed is looked for again', { rechecked });
      sender.wake();
    },
    errands: (signal) => stand.errands(signal),
    onRound: ticker.touch,
  });
  const keeper = createKeeper({
    log,
    onRecorded: (fault) => {
      storage = fault ?? 'ok';
      if (fault === null) sender.wake();
      ticker.touch();
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
    keeper,
    post,
    discoverUrl: () => knownEvent(mirror)?.discoverUrl ?? null,
    isOffline: () => connection.state() === 'offline',
    attract: ports.attract ?? (() => []),
    demo: ports.demoBadges.length > 0,
    onChange: () => {
      ticker.touch();
      standTicker.touch();
    },
    again: puller.poke,
  });
  const taps = createTaps({
    journal,
    mirror,
    clock,
    log,
    place: () => {
      const { touchpoint = null, partner = null } = post() ?? {};
      return { touchpoint, partner, clockOffset: client.clockOffset(), staff: null };
    },
    badgeOfCard: (card) => badgeOfCard(card, openProfile),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    tell: (event) => announcers.taps.publish('tap', event),
    feedback: (reader, what) => {
      for (const driver of drivers) driver.feedback(reader, what);
    },
    guide: stand.guide,
    visits: stand.visits,
    keeper,
  });

  const care = createCare({
    lasting,
    folder: ports.folder,
    clock,
    log,
    onSalvaged: () => {
      nameAtStart(journal.leads, mirror);
      sender.wake();
      ticker.touch();
    },
  });

  const hear = (event: ReaderEvent): void => {
    if (readers.hear(event)) ticker.touch();
    taps.hear(event);
  };

  const state = (): DeviceState =>
    drawState({
      version: ports.version,
      demo: ports.demoBadges.length > 0,
      journal,
      mirror,
      sender,
      puller,
      connection,
      readers,
      post,
      event: () => knownEvent(mirror),
      clock,
      clockOffset: client.clockOffset,
      storage: () => storage,
    });

  const lookAgain = (): void => {
    puller.poke();
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
      tray: createDemoTray(ports.demoBadges, clock, hear),
      desk: stand.desk,
      journal,
      mirror,
      puller,
      announcers,
      state,
      now: clock.now,
      onReleased: sender.wake,
    }),
    state,
    start: () => {
      const named = nameAtStart(journal.leads, mirror);
      if (named > 0) log.info('leads were named at start', { named });
      for (const driver of drivers) driver.start(hear);
      receiver?.start().catch((error: unknown) => {
        log.error('the webhook listener could not start; polling goes on', { error: String(error) });
      });
      loops = Promise.all([
        puller.run(ended.signal),
        sender.run(ended.signal),
        watchForWake(clock, lookAgain, ended.signal),
        ports.care === 'off' ? null : care.run(ended.signal),
      ]);
    },
    stop: async () => {
      ended.abort();
      ticker.stop();
      standTicker.stop();
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
