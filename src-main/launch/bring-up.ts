/**
 * Starts everything below the shell, in this order: data folder, log, event, app.
 *
 * Invariants:
 * - parts stop in reverse order, even when a later part refuses to start;
 * - `stop` runs once and is quick, because all facts are already on disk.
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
import { readDiskEncryption, watchDiskEncryption } from '../machine/disk-encryption.ts';
import { readMachine } from '../machine/machine-state.ts';
import { findPlaces } from '../machine/places.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import { readPageFiles } from '../page/page-files.ts';
import { createTextReader } from '../reading/text-reader.ts';
import type { SharingProcess } from '../sharing/sharing-child.ts';
import { type AppLifecycle, createAppLifecycle } from './app-lifecycle.ts';
import { loggedOptions, type Options } from './options.ts';
import { packedResources, refuseAltered } from './seal.ts';

/** Files of a hub are smaller than this. */
const MAX_GIVEN_BYTES = 20_000_000;

/** The parts that the runtime provides: starting processes, and the bundled programs. */
export type Host = {
  readonly version: string;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly spawnPlatform: (args: readonly string[]) => PlatformProcess;
  readonly spawnReader: () => ReaderProcess;
  readonly spawnDrawing: () => DrawingProcess;
  /** Starts the process that reads text in pictures. */
  readonly spawnReading: () => DrawingProcess;
  /** Starts a hub for the stand's other laptops. */
  readonly spawnSharing: () => SharingProcess;
  /** The system's keychain; absent if the runtime has no access to one. */
  readonly keychain?: Keychain;
  /** The bundled programs of the core's threads; absent if they run from their sources. */
  readonly leadReader?: URL;
  readonly exportWriter?: URL;
  readonly snapshotReader?: URL;
};

/** Everything below the shell. */
export type Backend = {
  readonly app: AppLifecycle;
  readonly folder: string;
  readonly log: OpenLog;
  /** Token for tools of this user. */
  readonly token: string;
  /** The announcement of the demo platform; null for a real event. */
  readonly demoLine: string | null;
  /** How to open the demo event's staff pages; null for a real event. */
  readonly staffLine: string | null;
  /** The result of the set-up with a hub's file; null if this start has no such file. */
  readonly provisionLine: string | null;
  /** Offers a file that was opened with the app to its pages. */
  readonly giveFile: (path: string) => Promise<void>;
  /** Calls `end` when the app stops, before the parts that already run are stopped. */
  readonly onStop: (end: () => unknown) => void;
  readonly stop: () => Promise<void>;
};

/** Starts everything below the shell. The shell calls `app.start()`. @throws {StartRefusal} */
export async function bringUp(options: Options, host: Host): Promise<Backend> {
  const ends: (() => unknown)[] = [];
  const stop = once(() => endAll(ends));
  try {
    const packed = packedResources();
    if (packed !== null) refuseAltered(packed);
    const folder = await openDataFolder(dataFolderPath(options));
    ends.push(folder.release);
    // Refuses a faulty `stand.json` before anything else is opened.
    readStandSettings(folder.path);
    const provisionLine =
      options.provision && (await provisionFolder(folder.path, realClock, realRandom, options.provision));
    const token = Buffer.from(realRandom.bytes(32)).toString('base64url');
    const kept = readPlatformFile(folder.path);
    const keptText = kept?.key.place === 'file' ? kept.key.text : '';
    const secrets = [token, options.platform?.key ?? '', options.platform?.password ?? '', keptText];
    const log = openLog(folder.path, secrets, realClock.now);
    ends.push(log.flush);
    log.info('start', {
      version: host.version,
      node: process.versions.node,
      options: loggedOptions(options),
    });

    // Without an event and without `--set-up`, the demo event runs.
    const isDemo = options.platform === null && !options.setUp && kept === null;
    const demo = isDemo
      ? await startDemoPlatform({ clock: realClock, log, folder: folder.path, spawn: host.spawnPlatform })
      : null;
    if (demo !== null) ends.push(demo.stop);
    const encryption = watchDiskEncryption(() => readDiskEncryption(folder.path), realClock.monotonic);
    const app = createAppLifecycle({
      clock: realClock,
      random: realRandom,
      log,
      folder: folder.path,
      version: host.version,
      pageFiles: () => readPageFiles(host.pageFolder),
      drivers: () => openDrivers(options, log, host),
      cardService: options.reader === 'none' ? 'off' : 'on',
      drawPicture: createPictureDrawer(host.spawnDrawing, realClock),
      readPicture: createTextReader(host.spawnReading, realClock),
      given: givenAccess(options, demo),
      password: options.platform?.password ?? '',
      keyPlace: host.keychain === undefined ? createFilePlace() : createKeychainPlace(host.keychain),
      usualStand: demo === null ? null : demoSettings(),
      demoBadges: demo === null ? [] : z.array(demoBadgeSchema).parse(badges),
      demoStaff: demo === null ? null : demoStaff,
      webhook: readWebhookSettings(folder.path),
      machine: () => readMachine(folder.path, encryption()),
      places: findPlaces,
      leadReader: host.leadReader,
      exportWriter: host.exportWriter,
      snapshotReader: host.snapshotReader,
      spawnSharing: host.spawnSharing,
    });
    ends.push(app.stop);
    return {
      app,
      folder: folder.path,
      log,
      token,
      demoLine: demo?.line ?? null,
      staffLine: staffLineOf(app.kiosk()),
      provisionLine,
      giveFile: (path) => giveFile(app, log, path),
      onStop: (end) => void ends.push(end),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An unreadable file is passed on as an empty one, and the page reports that it is not ours. */
async function giveFile(app: AppLifecycle, log: OpenLog, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const isLikely = found?.isFile() === true && found.size <= MAX_GIVEN_BYTES;
  const bytes = isLikely ? await readFile(path).catch(() => null) : null;
  if (bytes === null) log.warn('a file that was opened with the app could not be read');
  app.give(bytes ?? new Uint8Array());
}

/** PINs of the demo event. A real event asks for a PIN at the first start. */
const demoStaff = { pin: '2580', technicianPin: '8520', name: 'Jonas W.' };

function staffLineOf(kiosk: Kiosk | null): string | null {
  const pins = kiosk?.staff.state({}).demo ?? null;
  return pins && `Staff pages: press F2 there; PIN ${pins.pin}, the technician's ${pins.technicianPin}`;
}

/** The event from the command line, or the demo event; null means the event chosen on the screen. */
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

/** Ends the parts in reverse order. A failure does not prevent the others from ending. */
async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some parts failed to shut down');
}

/** The first call runs `work`; later calls return the same promise. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
