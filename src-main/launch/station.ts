/**
 * The kiosk of this start, and what stands in its place until somebody said which event the device works for.
 *
 *   nothing chosen ─► first router (entry and set-up) ─saved─► kiosk ─saved─► kiosk ...
 *
 * Invariants: one kiosk at a time over the folder: the one before has ended before the next begins; every page is told by
 * losing its connection, and finds the next router when it comes back; the readers always belong to one of the two.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { Stand } from '../contract/stand.ts';
import type { DrawPicture } from '../core/event/pictures/pictures.ts';
import { checkAddress } from '../core/foundations/api/address.ts';
import { createClient } from '../core/foundations/api/client.ts';
import { createLazyClient } from '../core/foundations/api/lazy-client.ts';
import type { ReaderDriver } from '../core/foundations/ports.ts';
import { createKiosk, type Kiosk, type KioskPorts } from '../core/kiosk.ts';
import { plainSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { createStaff } from '../core/team/staff/staff.ts';
import { readStandSettings } from '../data-folder/stand-settings.ts';
import { keptKey } from '../device-key/device-key.ts';
import type { KeyPlace } from '../device-key/key-place.ts';
import { type CameraUse, createCameraUse } from '../device-setup/camera-use.ts';
import { createGivenFile } from '../device-setup/given-file.ts';
import { belongsToHub, openCommands } from '../device-setup/hub-commands.ts';
import { signedByHub } from '../device-setup/hub-file.ts';
import { readPlatformFile, replaceKeptKey } from '../device-setup/platform-file.ts';
import { createReaderTrial } from '../device-setup/reader-test.ts';
import { createSetup, type PresentAccess } from '../device-setup/setup.ts';
import { createFirstRouter, createSetupRouter, type SetupRouterParts } from '../device-setup/setup-router.ts';
import { createUploads } from '../device-setup/uploads.ts';
import type { OpenLog } from '../log/log.ts';
import { type AttractFiles, openAttractFiles } from '../page/attract-files.ts';
import { createRehearsal, type RehearsalService } from '../rehearsal/rehearsal.ts';
import { createRehearsalRouter } from '../rehearsal/rehearsal-router.ts';
import { runBefore } from '../rehearsal/run-before.ts';

/** What is the same for every kiosk of a start. */
export type StationPorts = Pick<
  KioskPorts,
  | 'clock'
  | 'random'
  | 'folder'
  | 'version'
  | 'cardService'
  | 'demoBadges'
  | 'demoStaff'
  | 'leadReader'
  | 'exportWriter'
  | 'machine'
  | 'places'
  | 'webhook'
> & {
  readonly log: OpenLog;
  readonly drawPicture: DrawPicture;
  /** Makes the drivers of the readers; none where this start uses none. */
  readonly drivers: () => readonly ReaderDriver[];
  /** The event this start was told to work for, or the demo; null: the one that was chosen on the screen. */
  readonly given: PresentAccess | null;
  /** Where keys are kept on this device. */
  readonly keyPlace: KeyPlace;
  /** Beside a given event's key. */
  readonly password: string;
  /** Where there is no `stand.json`. */
  readonly usualStand: StandSettings | null;
};

type Router = Kiosk['router'] | ReturnType<typeof createFirstRouter>;

export type Station = {
  /** What pages are answered by now. */
  readonly router: () => Router;
  /** Calls `listener` whenever that is another one. */
  readonly onRouter: (listener: (router: Router) => void) => void;
  /** Null while nobody said which event this is. */
  readonly kiosk: () => Kiosk | null;
  /** The device as it is now; null as above. */
  readonly state: () => DeviceState | null;
  /** Pictures and films of the attract loop. */
  readonly attract: AttractFiles;
  /** Whether a page reads codes for the set-up. */
  readonly camera: Pick<CameraUse, 'isUsed' | 'onChange'>;
  /** Hands a file to the pages, for whoever may set this device up. */
  readonly give: (file: Uint8Array) => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** Whoever answered `save` has to be heard before the pages are cut off. */
const ANSWERED_MS = 150;

/** What runs: a kiosk, or what stands in its place. */
type Running = {
  readonly kiosk: Kiosk | null;
  readonly router: Router;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** The station of one start; what it shows begins with `start`. @throws StartRefusal when the folder cannot serve */
export function createStation(ports: StationPorts): Station {
  const { clock, log, folder, keyPlace } = ports;
  const listeners: ((router: Router) => void)[] = [];
  let attract = openAttractFiles(null);
  let chosen = chosenAccess(ports);
  let changing: Promise<void> = Promise.resolve();
  let ended = false;
  let failed: string | null = null;

  const trial = createReaderTrial(clock, ports.cardService === 'off' ? 'off' : 'starting');
  const uploads = createUploads(ports.random);
  const camera = createCameraUse();
  const given = createGivenFile(uploads);
  const setup = createSetup({
    ...{ folder, clock, log, uploads, keyPlace },
    draw: ports.drawPicture,
    random: ports.random,
    access: () => chosen,
    usualStand: () => ports.usualStand ?? plainSettings(),
    heldEvent: () => {
      const state = running.kiosk?.state();
      return state !== undefined && state.delivery.captured > 0 ? (chosen?.expo ?? null) : null;
    },
    hide: log.hide,
  });
  const rehearsal = openRehearsal(ports, () => running.kiosk);
  const parts: Omit<SetupRouterParts, 'state' | 'staff'> = {
    ...{ setup, trial, uploads, camera, given, clock },
    onSaved: () => {
      given.clear();
      changing = changing
        .then(() => clock.sleep(ANSWERED_MS))
        .then(change)
        .catch((error: unknown) => {
          log.error('the new set-up could not be begun with', { error: String(error) });
        });
    },
  };
  const run = (): Running =>
    chosen === null
      ? runFirst(ports, parts, trial.take, failed)
      : runKiosk(ports, chosen, { parts, take: trial.take, rehearsal, attract: show });
  const show = (next: StandSettings['attract']): (() => Stand['attract']) => {
    attract = openAttractFiles(next);
    return () => [...attract.list()];
  };
  let running = run();
  const change = async (): Promise<void> => {
    if (ended) return;
    await running.stop();
    failed = null;
    try {
      chosen = chosenAccess(ports);
      running = run();
    } catch (error) {
      // What was saved cannot be begun with: it is said where it was chosen, and can be chosen again there.
      failed = error instanceof Error ? error.message : String(error);
      log.error('the new set-up could not be begun with', { error: failed });
      chosen = null;
      running = run();
    }
    running.start();
    for (const listener of listeners) listener(running.router);
  };

  return {
    router: () => running.router,
    onRouter: (listener) => void listeners.push(listener),
    kiosk: () => running.kiosk,
    state: () => running.kiosk?.state() ?? null,
    attract: { list: () => attract.list(), answer: (path, range) => attract.answer(path, range) },
    camera,
    give: given.give,
    start: () => running.start(),
    stop: async () => {
      ended = true;
      await changing;
      await running.stop();
    },
  };
}

function openRehearsal(
  { folder, clock, log, random, version }: StationPorts,
  kiosk: () => Kiosk | null,
): RehearsalService {
  return createRehearsal({
    ...{ folder, clock, log, version, kiosk },
    run: Buffer.from(random.bytes(8)).toString('hex'),
    before: runBefore(folder, clock.now()),
  });
}

function chosenAccess({ given, folder, keyPlace, log }: StationPorts): PresentAccess | null {
  if (given !== null) return given;
  const kept = readPlatformFile(folder);
  if (kept === null) return null;
  const key = keptKey({
    ...{ kept: kept.key, place: keyPlace, hide: log.hide },
    replace: (before, now) => replaceKeptKey(folder, before, now),
    said: ({ place, missing }) => {
      if (missing === null) log.info('the key to the platform was read', { place });
      else log.error('The key to the platform cannot be read; taps are kept until it can', { missing });
    },
  });
  return { ...kept, key, origin: 'screen' };
}

/** Until somebody said which event this is: the entry, the set-up, and readers to try. */
function runFirst(
  ports: StationPorts,
  parts: Omit<SetupRouterParts, 'state' | 'staff'>,
  take: SetupRouterParts['trial']['take'],
  failed: string | null,
): Running {
  const { clock, log, random, folder } = ports;
  const publishers = { staff: new EventPublisher<{ change: null }>() };
  const staff = createStaff({
    ...{ clock, log, random, folder, demo: null },
    badgeOpens: () => false,
    onChange: () => void publishers.staff.publish('change', null),
  });
  const drivers = ports.drivers();
  return {
    kiosk: null,
    router: createFirstRouter({ ...parts, state: { mode: 'needed', failed }, staff }, staff, publishers),
    start: () => {
      for (const driver of drivers) driver.start((event) => void take(event));
    },
    stop: async () => {
      await Promise.all(drivers.map((driver) => driver.stop()));
    },
  };
}

type KioskMeans = {
  readonly parts: Omit<SetupRouterParts, 'state' | 'staff'>;
  readonly take: SetupRouterParts['trial']['take'];
  readonly rehearsal: RehearsalService;
  readonly attract: (folder: StandSettings['attract']) => () => Stand['attract'];
};

/** @throws StartRefusal when the folder cannot serve this event */
function runKiosk(
  ports: StationPorts,
  access: PresentAccess,
  { parts, take, rehearsal, attract }: KioskMeans,
): Running {
  const address = checkAddress(access.address, access.privateHttp);
  if (address.kind === 'refused') throw new TypeError(address.sentence);
  const stand = readStandSettings(ports.folder) ?? ports.usualStand;
  const { drivers, given, password, usualStand: _usual, keyPlace: _place, ...means } = ports;
  const kiosk = createKiosk({
    ...means,
    clock: { ...ports.clock, now: () => ports.clock.now() + rehearsal.clockOff() },
    takeOutcome: rehearsal.take,
    rehearsedFault: rehearsal.diskFault,
    platform: {
      baseUrl: access.address,
      key: '',
      password: given === null ? '' : password,
      expoId: access.expo,
      pin: access.pin,
      others: access.others,
    },
    connect: (to, clock) =>
      createLazyClient(access.key.read, (key) =>
        createClient({ ...to, key }, clock, { privateHttp: access.privateHttp }),
      ),
    key: access.key.state,
    ...signedByHub(ports.folder),
    drivers: drivers(),
    takeReaderEvent: take,
    asksForTouchpoint: access.origin !== 'demo',
    stand,
    attract: attract(stand?.attract ?? null),
    atHub: {
      open: openCommands(ports.folder),
      belongs: () => belongsToHub(ports.folder),
      reload: parts.onSaved,
    },
  });
  const router = {
    ...kiosk.router,
    setup: createSetupRouter({ ...parts, state: { mode: 'running', failed: null }, staff: kiosk.staff }),
    rehearsal: createRehearsalRouter(rehearsal, kiosk.staff),
  };
  return { kiosk, router, start: kiosk.start, stop: kiosk.stop };
}
