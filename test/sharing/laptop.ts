/**
 * A laptop of a stand as its team uses it: the whole app below the page, with its own data folder and a reader that
 * the test controls. It starts real hubs.
 *
 * Invariant: it ends with the test.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { onTestFinished } from 'vitest';
import type { Kiosk } from '../../src-main/core/kiosk.ts';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import type { createSetupRouter } from '../../src-main/device-setup/setup-router.ts';
import { createAppLifecycle } from '../../src-main/launch/app-lifecycle.ts';
import { forkSharing, type SharingProcess } from '../../src-main/sharing/sharing-child.ts';
import { rememberingLog } from '../core/fixture.ts';
import { realRandom } from '../core/real-parts.ts';
import { TECHNICIAN } from '../core/screen.ts';
import { drawHere } from '../drawing/draw-here.ts';
import { handReader, hurriedClock } from '../hub/hub-kiosk.ts';

const HUB = join(import.meta.dirname, '../../src-hub/sharing/sharing-process.ts');

type Router = Kiosk['router'] & { readonly setup: ReturnType<typeof createSetupRouter> };

/** The access of a laptop that was set up, and its touchpoint. */
export type Place = {
  readonly address: string;
  readonly expo: string;
  readonly key: string;
  readonly touchpoint: string;
};

export const startLaptop = (folder: string, place: Place | null) => {
  mkdirSync(folder, { recursive: true });
  if (place !== null) {
    const { address, expo, key, touchpoint } = place;
    writePlatformFile(folder, { address, expo, privateHttp: false, key: { place: 'file', text: key } });
    writeFileSync(join(folder, 'stand.json'), JSON.stringify({ touchpoint }));
  }
  const { driver, tap } = handReader();
  const log = { ...rememberingLog(), hide: () => undefined, flush: () => undefined };
  let hub: SharingProcess | null = null;
  const app = createAppLifecycle({
    ...{ clock: hurriedClock, random: realRandom, log, folder, version: '1', drivers: () => [driver] },
    ...{ cardService: 'on', drawPicture: drawHere, given: null, password: '', usualStand: null },
    ...{ demoBadges: [], demoStaff: TECHNICIAN, webhook: null, keyPlace: createFilePlace() },
    pageFiles: () => ({ find: () => null }),
    spawnSharing: () => {
      hub = forkSharing(HUB);
      return hub;
    },
  });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= app.stop();
    return stopped;
  };
  onTestFinished(stop);
  app.start();
  const kiosk = (): Kiosk => {
    const found = app.kiosk();
    if (found === null) throw new Error('This laptop is not set up');
    return found;
  };
  /** A page of the technician. Before a set-up: a page of any user. */
  const page = async () => {
    const client = createRouterClient(app.router() as Router, { context: { page: {} } });
    if (app.kiosk() !== null) await client.staff.signIn({ pin: TECHNICIAN.technicianPin });
    return client;
  };
  return {
    ...{ folder, tap, stop, page, kiosk },
    state: () => app.kiosk()?.state() ?? null,
    /** Errors in the log, except the one about a state that was read while a kiosk was being replaced. */
    errors: () =>
      log.said
        .filter(({ level, what }) => level === 'error' && what !== 'the state of the device cannot be read')
        .map(({ what }) => what),
    /** Kills the hub of this laptop. */
    killHub: () => hub?.end(true),
  };
};

export type Laptop = ReturnType<typeof startLaptop>;
