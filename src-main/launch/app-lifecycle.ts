/**
 * The kiosk of one start, and the set-up that takes its place until an event is chosen.
 *
 *   no event chosen ─► first router (entry and set-up) ─saved─► kiosk ─saved─► kiosk ...
 *
 * Invariants:
 * - one kiosk at a time uses the data folder: the previous one has ended before the next one starts;
 * - when the kiosk is replaced, every page loses its connection and gets the next router when it reconnects;
 * - either the kiosk or the set-up owns the readers.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { SetupState } from '../contract/setup.ts';
import type { Stand } from '../contract/stand.ts';
import type { DemoBadge } from '../contract/tap.ts';
import type { DrawPicture } from '../core/event/pictures/pictures.ts';
import type { WebhookSettings } from '../core/event/webhook/receiver.ts';
import { checkAddress } from '../core/foundations/api/address.ts';
import { createClient } from '../core/foundations/api/client.ts';
import { createLazyClient } from '../core/foundations/api/lazy-client.ts';
import type { Clock, MachineReading, Random, ReaderDriver } from '../core/foundations/ports.ts';
import { createUploads } from '../core/foundations/store/uploads.ts';
import { createKiosk, type Kiosk } from '../core/kiosk.ts';
import { plainSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import type { FilePlace } from '../core/team/exports/service.ts';
import type { ReadPicture } from '../core/team/recognition/read-line.ts';
import type { DemoStaff } from '../core/team/staff/pin-entry.ts';
import { createStaff, type Staff } from '../core/team/staff/staff.ts';
import { readStandSettings } from '../data-folder/stand-settings.ts';
import { keptKey } from '../device-key/device-key.ts';
import type { KeyPlace } from '../device-key/key-place.ts';
import { type CameraUse, createCameraUse } from '../device-setup/camera-use.ts';
import { createGivenFile } from '../device-setup/given-file.ts';
import { belongsToHub, openCommands } from '../device-setup/hub-commands.ts';
import { signedByHub } from '../device-setup/hub-file.ts';
import { keptSecrets } from '../device-setup/kept-secrets.ts';
import { readPlatformFile, replaceKeptKey } from '../device-setup/platform-file.ts';
import { createReaderTrial } from '../device-setup/reader-test.ts';
import { createSetup, type PresentAccess } from '../device-setup/setup.ts';
import { createFirstRouter, createSetupRouter } from '../device-setup/setup-router.ts';
import type { OpenLog } from '../log/log.ts';
import { ownNetworks } from '../machine/networks.ts';
import { type AttractFiles, createAttractLoop } from '../page/attract-files.ts';
import type { PageFiles } from '../page/page-files.ts';
import { createPhones, createPhonesRouter } from '../phones/phones.ts';
import { createRehearsal, createRehearsalRouter } from '../rehearsal/rehearsal.ts';
import { createSharing } from '../sharing/sharing.ts';
import type { SharingProcess } from '../sharing/sharing-child.ts';

/** The properties that all kiosks of a start share. */
export type AppOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: OpenLog;
  /** The data folder. Only this start uses it. */
  readonly folder: string;
  readonly version: string;
  /** The files of the page, for phones of the team. */
  readonly pageFiles: () => PageFiles;
  /** Creates the drivers of the readers; none when this start uses no reader. */
  readonly drivers: () => readonly ReaderDriver[];
  readonly cardService: 'on' | 'off';
  readonly drawPicture: DrawPicture;
  readonly readPicture?: ReadPicture | undefined;
  /** The event from the command line, or the demo event; null means the event that was chosen on the screen. */
  readonly given: PresentAccess | null;
  /** The password of the given event; empty without one. */
  readonly password: string;
  readonly keyPlace: KeyPlace;
  /** Used while there is no `stand.json`. */
  readonly usualStand: StandSettings | null;
  /** Badges of the demo tray; empty outside the demo event. */
  readonly demoBadges: readonly DemoBadge[];
  readonly demoStaff: DemoStaff | null;
  /** Null without a listener for notifications. */
  readonly webhook: WebhookSettings | null;
  readonly machine?: () => MachineReading;
  /** Where files can be exported to, besides the browser. */
  readonly places?: (() => readonly FilePlace[]) | undefined;
  /** The bundled programs of the core's threads; absent if they run from their sources. */
  readonly leadReader?: URL | undefined;
  readonly exportWriter?: URL | undefined;
  readonly snapshotReader?: URL | undefined;
  /** Starts a hub for the stand's other laptops; absent if this installation has none. */
  readonly spawnSharing?: (() => SharingProcess) | undefined;
};

type Router = Kiosk['router'] | ReturnType<typeof createFirstRouter>;

export type AppLifecycle = {
  /** The router that answers pages now. */
  readonly router: () => Router;
  /** Calls `listener` with each new router. */
  readonly onRouter: (listener: (router: Router) => void) => void;
  /** Null until an event is chosen. */
  readonly kiosk: () => Kiosk | null;
  /** The state of the device; null until an event is chosen. */
  readonly state: () => DeviceState | null;
  /** Pictures and films of the attract loop. */
  readonly attract: AttractFiles;
  /** Whether a page reads codes for the set-up. */
  readonly camera: Pick<CameraUse, 'isUsed' | 'onChange'>;
  /** Offers a file to the pages; a user who may set this device up can accept it. */
  readonly give: (file: Uint8Array) => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** How long pages stay connected after `save`, so that its answer reaches them. */
const ANSWERED_MS = 150;

/** A kiosk, or the set-up that takes its place. */
type Running = {
  readonly kiosk: Kiosk | null;
  readonly router: Router;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** The app of one start. @throws StartRefusal when the data folder cannot be used */
export function createAppLifecycle(options: AppOptions): AppLifecycle {
  const { clock, random, log, folder, version, keyPlace } = options;
  const listeners: ((router: Router) => void)[] = [];
  const attract = createAttractLoop();
  let chosen = chosenAccess(options);
  let changing: Promise<void> = Promise.resolve();
  let ended = false;

  // The set-up, which outlives each kiosk.
  const readerTrial = createReaderTrial(clock, options.cardService === 'off' ? 'off' : 'starting');
  const uploads = createUploads(random);
  const camera = createCameraUse();
  const givenFile = createGivenFile(uploads);
  const setup = createSetup({
    folder,
    clock,
    random,
    log,
    uploads,
    keyPlace,
    draw: options.drawPicture,
    encryption: () => options.machine?.().encryption ?? 'unknown',
    access: () => chosen,
    usualStand: () => options.usualStand ?? plainSettings(),
    heldEvent: () => {
      const state = running.kiosk?.state();
      return state !== undefined && state.delivery.captured > 0 ? (chosen?.expo ?? null) : null;
    },
    hide: log.hide,
  });
  const replaceKiosk = (): void => {
    givenFile.clear();
    changing = changing
      .then(() => clock.sleep(ANSWERED_MS))
      .then(change)
      .catch((error: unknown) => {
        log.error('the new set-up could not be applied', { error: String(error) });
      });
  };
  const sharing = createSharing({
    folder,
    clock,
    random,
    log,
    keyPlace,
    hide: log.hide,
    spawn: options.spawnSharing,
    access: () => chosen,
    writeSetup: async () => (await setup.write({ withKey: false, withPins: false }))?.text ?? null,
    onChanged: replaceKiosk,
  });
  const setupRouter = (state: Omit<SetupState, 'given'>, staff: Pick<Staff, 'state' | 'session'>) =>
    createSetupRouter({
      state,
      given: givenFile,
      setup,
      sharing,
      trial: readerTrial,
      uploads,
      camera,
      clock,
      staff,
      onSaved: replaceKiosk,
    });

  const rehearsal = createRehearsal({
    folder,
    clock,
    log,
    version,
    run: Buffer.from(random.bytes(8)).toString('hex'),
    kiosk: () => running.kiosk,
  });

  /** The set-up with its entry page and reader test. `failed`: why the chosen event could not be used, or null. */
  const runSetup = (failed: string | null): Running => {
    const publishers = { staff: new EventPublisher<{ change: null }>() };
    const staff = createStaff({
      clock,
      random,
      log,
      folder,
      demo: null,
      badgeOpens: () => false,
      onChange: () => void publishers.staff.publish('change', null),
    });
    const drivers = options.drivers();
    return {
      kiosk: null,
      router: createFirstRouter(setupRouter({ mode: 'needed', failed }, staff), staff, publishers),
      start: () => {
        for (const driver of drivers) driver.start((event) => void readerTrial.take(event));
      },
      stop: async () => {
        await Promise.all(drivers.map((driver) => driver.stop()));
      },
    };
  };

  /** @throws StartRefusal when the data folder cannot be used for this event */
  const runKiosk = (access: PresentAccess): Running => {
    const address = checkAddress(access.address, access.privateHttp);
    if (address.kind === 'refused') throw new TypeError(address.sentence);
    const stand = readStandSettings(folder) ?? options.usualStand;
    attract.show(stand?.attract ?? null);
    const kiosk = createKiosk({
      clock: {
        now: () => clock.now() + rehearsal.clockOff(),
        monotonic: clock.monotonic,
        sleep: clock.sleep,
      },
      random,
      log,
      folder,
      version,
      drivers: options.drivers(),
      cardService: options.cardService,
      platform: {
        baseUrl: access.address,
        key: '',
        password: options.given === null ? '' : options.password,
        expoId: access.expo,
        pin: access.pin,
        others: access.others,
      },
      connect: (to, kioskClock, limits = {}) =>
        createLazyClient(access.key.read, (key) =>
          createClient({ ...to, key }, kioskClock, { privateHttp: access.privateHttp, limits }),
        ),
      key: access.key.state,
      atHub: { open: openCommands(folder), belongs: () => belongsToHub(folder), reload: replaceKiosk },
      ownHub: {
        isOn: () => sharing.state().mode === 'sharing',
        end: async () => (await sharing.leave()) === null,
      },
      isFromHub: signedByHub(folder).isFromHub,
      webhook: options.webhook,
      stand,
      attract: (): Stand['attract'] => [...attract.list()],
      asksForTouchpoint: access.origin !== 'demo',
      demoBadges: options.demoBadges,
      demoStaff: options.demoStaff,
      machine: options.machine,
      drawPicture: options.drawPicture,
      readPicture: options.readPicture,
      leadReader: options.leadReader,
      exportWriter: options.exportWriter,
      snapshotReader: options.snapshotReader,
      places: options.places,
      takeReaderEvent: readerTrial.take,
      takeOutcome: rehearsal.take,
      rehearsedFault: rehearsal.diskFault,
      useDevice: camera.begin,
      secrets: keptSecrets(folder, keyPlace, log),
    });
    const phones = createPhones({
      clock,
      random,
      log,
      folder,
      kiosk,
      files: options.pageFiles,
      networks: ownNetworks,
    });
    const router = {
      ...kiosk.router,
      setup: setupRouter({ mode: 'running', failed: null }, kiosk.staff),
      rehearsal: createRehearsalRouter(rehearsal, kiosk.staff),
      phones: createPhonesRouter(phones, kiosk.staff),
    };
    return {
      kiosk,
      router,
      start: () => {
        kiosk.start();
        phones.start();
      },
      stop: async () => {
        await phones.stop();
        await kiosk.stop();
      },
    };
  };

  let running = chosen === null ? runSetup(null) : runKiosk(chosen);
  const change = async (): Promise<void> => {
    if (ended) return;
    await running.stop();
    try {
      chosen = chosenAccess(options);
      running = chosen === null ? runSetup(null) : runKiosk(chosen);
    } catch (error) {
      // The saved set-up cannot be used. The set-up page shows why, and the user chooses again there.
      const failed = error instanceof Error ? error.message : String(error);
      log.error('the new set-up could not be applied', { error: failed });
      chosen = null;
      running = runSetup(failed);
    }
    running.start();
    for (const listener of listeners) listener(running.router);
  };

  return {
    router: () => running.router,
    onRouter: (listener) => void listeners.push(listener),
    kiosk: () => running.kiosk,
    state: () => running.kiosk?.state() ?? null,
    attract,
    camera,
    give: givenFile.give,
    start: () => {
      running.start();
      sharing.resume();
    },
    stop: async () => {
      ended = true;
      await changing;
      await Promise.all([running.stop(), sharing.close()]);
    },
  };
}

/** The event to work for; null if none is chosen yet. */
function chosenAccess({ given, folder, keyPlace, log }: AppOptions): PresentAccess | null {
  if (given !== null) return given;
  const kept = readPlatformFile(folder);
  if (kept === null) return null;
  const key = keptKey({
    kept: kept.key,
    place: keyPlace,
    hide: log.hide,
    replace: (before, now) => replaceKeptKey(folder, before, now),
    said: ({ place, missing }) => {
      if (missing === null) log.info('the key to the platform was read', { place });
      else log.error('The key to the platform cannot be read; taps are kept until it can', { missing });
    },
  });
  return { ...kept, key, origin: 'screen' };
}
