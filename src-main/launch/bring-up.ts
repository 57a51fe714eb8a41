/**
 * What every start brings up, whichever shell shows it: data folder, log, event, readers, kiosk.
 *
 * Invariants: what was brought up is taken down in reverse order, also when a later part refuses to start; taking down
 * happens once and ends within two seconds, because everything precious is already on disk.
 */
import { z } from 'zod';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { demoBadgeSchema } from '../contract/tap.ts';
import { createClient, type PlatformAccess } from '../core/api/client.ts';
import { createKiosk, type Kiosk } from '../core/kiosk.ts';
import type { ReaderDriver } from '../core/ports.ts';
import { dataFolderPath, openDataFolder } from '../data-folder/data-folder.ts';
import { demoSettings, readStandSettings } from '../data-folder/stand-settings.ts';
import { readWebhookSettings } from '../data-folder/webhook-settings.ts';
import {
  type DemoPlatform,
  type PlatformProcess,
  startDemoPlatform,
} from '../demo-platform/demo-platform.ts';
import type { ReaderProcess } from '../devices/supervisor/reader-run.ts';
import { createNfcDriver } from '../devices/supervisor/supervisor.ts';
import { type OpenLog, openLog } from '../log/log.ts';
import { readMachine } from '../machine/machine-state.ts';
import { findPlaces } from '../machine/places.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import { type AttractFiles, openAttractFiles } from '../page/attract-files.ts';
import type { Options } from './options.ts';

/** How this runtime starts processes, and what it carries. */
export type Host = {
  readonly version: string;
  readonly spawnPlatform: (args: readonly string[]) => PlatformProcess;
  readonly spawnReader: () => ReaderProcess;
  /** Program of the thread that reads leads, where it was bundled. */
  readonly leadReader?: URL;
  /** The same of the thread that writes exports. */
  readonly exportWriter?: URL;
};

/** Everything below the shell. */
export type Backend = {
  readonly kiosk: Kiosk;
  readonly folder: string;
  readonly log: OpenLog;
  /** Token for tools of this user. */
  readonly token: string;
  /** Pictures and films of the attract loop. */
  readonly attract: AttractFiles;
  /** The demo platform's own line, null where a real event is worked for. */
  readonly demoLine: string | null;
  /** How to get to the demo event's staff pages; null elsewhere. */
  readonly staffLine: string | null;
  /** Has `end` done when the app is taken down, before everything that is up by now. */
  readonly onStop: (end: () => unknown) => void;
  readonly stop: () => Promise<void>;
};

/** Brings up all but the shell; `kiosk.start()` is left to the shell. @throws {StartRefusal} */
export async function bringUp(options: Options, host: Host): Promise<Backend> {
  const ends: (() => unknown)[] = [];
  const stop = once(() => endAll(ends));
  try {
    const folder = await openDataFolder(dataFolderPath(options));
    ends.push(folder.release);
    const ownStand = readStandSettings(folder.path);
    const token = Buffer.from(realRandom.bytes(32)).toString('base64url');
    const secrets = [token, options.platform?.key ?? '', options.platform?.password ?? ''];
    const log = openLog(folder.path, secrets, realClock.now);
    ends.push(log.flush);
    log.info('start', {
      version: host.version,
      node: process.versions.node,
      // Neither key nor path: a path may carry what is nobody's business.
      options: {
        ...options,
        platform: options.platform === null ? 'demo' : new URL(options.platform.url).origin,
      },
    });

    const demo = options.platform === null ? await demoEvent(folder.path, log, host) : null;
    if (demo !== null) ends.push(demo.stop);
    const stand = ownStand ?? (demo === null ? null : demoSettings());
    const attract = openAttractFiles(stand?.attract ?? null);
    const drivers: ReaderDriver[] =
      options.reader === 'none'
        ? []
        : [createNfcDriver({ clock: realClock, log, spawnProcess: host.spawnReader })];
    const kiosk = createKiosk({
      clock: realClock,
      random: realRandom,
      log,
      folder: folder.path,
      platform: accessOf(options, demo),
      connect: (access, clock) =>
        createClient(access, clock, { privateHttp: options.platform?.privateHttp === true }),
      drivers,
      asksForTouchpoint: demo === null,
      demoBadges: demo === null ? [] : z.array(demoBadgeSchema).parse(badges),
      demoStaff: demo === null ? null : demoStaff,
      version: host.version,
      ...(host.leadReader === undefined ? {} : { leadReader: host.leadReader }),
      exportWriter: host.exportWriter,
      machine: () => readMachine(folder.path),
      cardService: options.reader === 'none' ? 'off' : 'on',
      webhook: readWebhookSettings(folder.path),
      stand,
      attract: () => [...attract.list()],
      places: findPlaces,
    });
    ends.push(kiosk.stop);
    const onStop = (end: () => unknown) => void ends.push(end);
    const demoLine = demo?.line ?? null;
    return {
      kiosk,
      folder: folder.path,
      log,
      token,
      attract,
      demoLine,
      staffLine: staffLineOf(kiosk),
      onStop,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For trying it out; whoever works for a real event chooses a PIN at the first start. */
const demoStaff = { pin: '2580', technicianPin: '8520', name: 'Jonas W.' };

function staffLineOf(kiosk: Kiosk): string | null {
  const pins = kiosk.demoPins();
  return pins && `Staff pages: press F2 there; PIN ${pins.pin}, the technician's ${pins.technicianPin}`;
}

function demoEvent(folder: string, log: OpenLog, host: Host): Promise<DemoPlatform> {
  return startDemoPlatform({ clock: realClock, log, folder, spawn: host.spawnPlatform });
}

function accessOf({ platform }: Options, demo: DemoPlatform | null): PlatformAccess {
  if (platform !== null) {
    return { baseUrl: platform.url, key: platform.key, password: platform.password, expoId: platform.expo };
  }
  if (demo === null) throw new Error('Neither a platform nor the demo event');
  return { baseUrl: demo.baseUrl, key: demo.key, password: '', expoId: demo.expoId };
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
