/**
 * A kiosk that is set up with a hub's file: signature, enrolment, the data folder, and the app that runs in it.
 *
 * Invariant: the kiosk ends with the test.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Kiosk } from '../../../src-main/core/kiosk.ts';
import { createFilePlace } from '../../../src-main/device-key/key-place.ts';
import { provisionFolder } from '../../../src-main/device-setup/provisioned-start.ts';
import { createAppLifecycle } from '../../../src-main/launch/app-lifecycle.ts';
import { ownFolder, rememberingLog, until } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { drawHere } from '../../drawing/draw-here.ts';
import { handReader, hurriedClock } from '../hub-kiosk.ts';
import { runHub } from '../hub-process.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
export const PATIENCE_MS = 90_000;

export type ProvisionedKiosk = {
  readonly kiosk: Kiosk;
  readonly folder: string;
  readonly tap: (uid: string) => void;
};

/** Sets a device up with a file that contains `text`. Returns the line that the start prints. @throws StartRefusal */
export const provision = (folder: string, text: string): Promise<string | null> => {
  const file = join(ownFolder(), 'device.json');
  writeFileSync(file, text);
  return provisionFolder(folder, realClock, realRandom, { file, device: null });
};

/** A running kiosk that was set up by a file, with counted taps. */
export type CountedKiosk = ProvisionedKiosk & {
  /** Taps this many badges that were not tapped before. */
  readonly tapAll: (count: number) => void;
  /** Whether every tap is confirmed. */
  readonly isConfirmed: () => boolean;
};

/**
 * Adds a device for the demo event's first touchpoint to a running hub, with `options` of `devices add`, sets it up
 * in `folder`, and waits until it has its mirror of the event. Its badge codes begin with `prefix`.
 */
export const addProvisioned = async (
  folder: string,
  prefix: string,
  options: readonly string[],
): Promise<CountedKiosk> => {
  const file = join(ownFolder(), 'device.json');
  const add = ['devices', 'add', '--touchpoint', 'AD2026T01', ...options, '--out', file];
  await until('the hub has its touchpoints', async () => (await runHub(...add)).code === 0, PATIENCE_MS);
  mkdirSync(folder);
  await provision(folder, readFileSync(file, 'utf8'));
  const started = startProvisioned(folder);
  await until('the device has mirrored the event', () => started.kiosk.state().mirror.complete, PATIENCE_MS);
  let taps = 0;
  return {
    ...started,
    tapAll: (count) => {
      for (let left = count; left > 0; left -= 1) started.tap(`${prefix}${String(++taps).padStart(10, '0')}`);
    },
    isConfirmed: () => {
      const { delivery } = started.kiosk.state();
      return delivery.captured === taps && delivery.confirmed === taps;
    },
  };
};

/** The kiosk of a folder that was set up. */
export const startProvisioned = (folder: string): ProvisionedKiosk => {
  const { driver, tap } = handReader();
  const log = { ...rememberingLog(), hide: () => undefined, flush: () => undefined };
  const app = createAppLifecycle({
    clock: hurriedClock,
    random: realRandom,
    log,
    folder,
    version: '1',
    pageFiles: () => ({ find: () => null }),
    drivers: () => [driver],
    cardService: 'on',
    drawPicture: drawHere,
    given: null,
    password: '',
    keyPlace: createFilePlace(),
    usualStand: null,
    demoBadges: [],
    demoStaff: null,
    webhook: null,
  });
  onTestFinished(app.stop);
  app.start();
  const kiosk = app.kiosk();
  if (kiosk === null) throw new Error('There is no kiosk');
  return { kiosk, folder, tap };
};
