/**
 * What every start brings up, whichever shell shows it: data folder, log, event, readers, kiosk.
 *
 * Invariants: what was brought up is taken down in reverse order, also when a later part refuses to start; taking down
 * happens once and ends within two seconds, because everything precious is already on disk.
 */
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { demoBadgeSchema } from '../contract/tap.ts';
import type { ReaderDriver } from '../core/foundations/ports.ts';
import type { Kiosk } from '../core/kiosk.ts';
import { dataFolderPath, openDataFolder } from '../data-folder/data-folder.ts';
import { demoSettings, readStandSettings } from '../data-folder/stand-settings.ts';
import { readWebhookSettings } from '../data-folder/webhook-settings.ts';
import {
  type DemoPlatform,
  type PlatformProcess,
  startDemoPlatform,
} from '../demo-platform/demo-platform.ts';
import { givenKey } from '../device-key/device-key.ts';
import { createFilePlace, createKeychainPlace, type Keychain } from '../device-key/key-place.ts';
import { readPlatformFile } from '../device-setup/platform-file.ts';
import { provisionFolder } from '../device-setup/provisioned-start.ts';
import type { PresentAccess } from '../device-setup/setup.ts';
import { createSerialScanner } from '../devices/serial/serial-scanner.ts';
import type { ReaderProcess } from '../devices/supervisor/reader-run.ts';
import { createNfcDriver } from '../devices/supervisor/supervisor.ts';
import { createPictureDrawer, type DrawingProcess } from '../drawing/picture-drawer.ts';
import { type OpenLog, openLog } from '../log/log.ts';
import { readMachine } from '../machine/machine-state.ts';
import { findPlaces } from '../machine/places.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import type { Options } from './options.ts';
import { packedResources, refuseAltered } from './seal.ts';
import { createStation, type Station } from './station.ts';

/** A file of a hub is smaller, whatever it holds. */
const LARGEST_GIVEN = 20_000_000;

/** How this runtime starts processes, and what it carries. */
export type Host = {
  readonly version: string;
  readonly spawnPlatform: (args: readonly string[]) => PlatformProcess;
  readonly spawnReader: () => ReaderProcess;
  readonly spawnDrawing: () => DrawingProcess;
  /** The keychain of the system, where this runtime can speak to one. */
  readonly keychain?: Keychain;
  /** Program of the thread that reads leads, where it was bundled. */
  readonly leadReader?: URL;
  /** The same of the thread that writes exports. */
  readonly exportWriter?: URL;
};

/** Everything below the shell. */
export type Backend = {
  readonly station: Station;
  readonly folder: string;
  readonly log: OpenLog;
  /** Token for tools of this user. */
  readonly token: string;
  /** The demo platform's own line, null where a real event is worked for. */
  readonly demoLine: string | null;
  /** How to get to the demo event's staff pages; null elsewhere. */
  readonly staffLine: string | null;
  /** What the file of a hub made of this device; null where none did now. */
  readonly provisionLine: string | null;
  /** Hands a file that was given to the app to its pages. */
  readonly giveFile: (path: string) => Promise<void>;
  /** Has `end` done when the app is taken down, before everything that is up by now. */
  readonly onStop: (end: () => unknown) => void;
  readonly stop: () => Promise<void>;
};

/** Brings up all but the shell; `station.start()` is left to the shell. @throws {StartRefusal} */
export async function bringUp(options: Options, host: Host): Promise<Backend> {
  const ends: (() => unknown)[] = [];
  const stop = once(() => endAll(ends));
  try {
    const packed = packedResources();
    if (packed !== null) refuseAltered(packed);
    const folder = await openDataFolder(dataFolderPath(options));
    ends.push(folder.release);
    // A fault of it is told before anything is opened.
    readStandSettings(folder.path);
    const ports = { folder: folder.path, clock: realClock, random: realRandom };
    const provisionLine = options.provision && (await provisionFolder(ports, options.provision));
    const token = Buffer.from(realRandom.bytes(32)).toString('base64url');
    const kept = readPlatformFile(folder.path);
    const keptText = kept?.key.place === 'file' ? kept.key.text : '';
    const secrets = [token, options.platform?.key ?? '', options.platform?.password ?? '', keptText];
    const log = openLog(folder.path, secrets, realClock.now);
    ends.push(log.flush);
    log.info('start', {
      version: host.version,
      node: process.versions.node,
      // Neither key nor path: a path may carry what is nobody's business.
      options: {
        ...options,
        platform: options.platform === null ? null : new URL(options.platform.url).origin,
        provision: options.provision !== null,
        file: options.file !== null,
      },
    });

    // A folder that was set up on the screen works for the event chosen there.
    const isDemo = options.platform === null && !options.setUp && kept === null;
    const demo = isDemo ? await demoEvent(folder.path, log, host) : null;
    if (demo !== null) ends.push(demo.stop);
    const station = createStation({
      ...{ clock: realClock, random: realRandom, log, folder: folder.path },
      given: givenAccess(options, demo),
      keyPlace: host.keychain === undefined ? createFilePlace() : createKeychainPlace(host.keychain),
      password: options.platform?.password ?? '',
      usualStand: demo === null ? null : demoSettings(),
      drivers: () => openDrivers(options, log, host),
      drawPicture: createPictureDrawer(host.spawnDrawing, realClock),
      demoBadges: demo === null ? [] : z.array(demoBadgeSchema).parse(badges),
      demoStaff: demo === null ? null : demoStaff,
      version: host.version,
      ...(host.leadReader === undefined ? {} : { leadReader: host.leadReader }),
      exportWriter: host.exportWriter,
      machine: () => readMachine(folder.path),
      cardService: options.reader === 'none' ? 'off' : 'on',
      webhook: readWebhookSettings(folder.path),
      places: findPlaces,
    });
    ends.push(station.stop);
    const onStop = (end: () => unknown) => void ends.push(end);
    const demoLine = demo?.line ?? null;
    return {
      station,
      folder: folder.path,
      log,
      token,
      demoLine,
      staffLine: staffLineOf(station.kiosk()),
      provisionLine,
      giveFile: (path) => giveFile(station, log, path),
      onStop,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One that cannot be read is none of ours; the page says so, where somebody looks. */
async function giveFile(station: Station, log: OpenLog, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const isLikely = found?.isFile() === true && found.size <= LARGEST_GIVEN;
  const bytes = isLikely ? await readFile(path).catch(() => null) : null;
  if (bytes === null) log.warn('a file that was given could not be read');
  station.give(bytes ?? new Uint8Array());
}

/** For trying it out; whoever works for a real event chooses a PIN at the first start. */
const demoStaff = { pin: '2580', technicianPin: '8520', name: 'Jonas W.' };

function staffLineOf(kiosk: Kiosk | null): string | null {
  const pins = kiosk?.staff.state({}).demo ?? null;
  return pins && `Staff pages: press F2 there; PIN ${pins.pin}, the technician's ${pins.technicianPin}`;
}

function demoEvent(folder: string, log: OpenLog, host: Host): Promise<DemoPlatform> {
  return startDemoPlatform({ clock: realClock, log, folder, spawn: host.spawnPlatform });
}

/** The event this start works for whatever was chosen on the screen; null: what was, or will be. */
function givenAccess({ platform }: Options, demo: DemoPlatform | null): PresentAccess | null {
  if (platform !== null) {
    const { url, key, expo, privateHttp } = platform;
    return { address: url, key: givenKey('start', key), expo, privateHttp, origin: 'start' };
  }
  if (demo === null) return null;
  const { baseUrl: address, key, expoId: expo } = demo;
  return { address, key: givenKey('demo', key), expo, privateHttp: false, origin: 'demo' };
}

/** The readers of this start: cards, and a scanner on a serial port. */
function openDrivers({ reader, scanner }: Options, log: OpenLog, host: Host): readonly ReaderDriver[] {
  const drivers: ReaderDriver[] = [];
  if (reader !== 'none')
    drivers.push(createNfcDriver({ clock: realClock, log, spawnProcess: host.spawnReader }));
  if (scanner !== null)
    drivers.push(createSerialScanner({ clock: realClock, log, path: scanner.path, baud: scanner.baud }));
  return drivers;
}

/** In reverse order; one that fails does not keep the others from ending. */
async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some parts did not end in order');
}

/** The first call does the work, later ones wait for the same. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
