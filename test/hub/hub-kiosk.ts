/**
 * A real kiosk at a hub, with its own journal and mirror and its own client over real sockets. Only the reader is
 * simulated.
 *
 * Invariant: it ends with the test.
 */
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { PlatformAccess } from '../../src-main/core/foundations/api/client.ts';
import type { Clock, ReaderDriver, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk, type Kiosk, type KioskPorts } from '../../src-main/core/kiosk.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { cardReading } from '../card-reading.ts';
import { rememberingLog } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import type { FileDevice } from './hub-process.ts';

export type HubKiosk = {
  readonly state: Kiosk['state'];
  readonly router: Kiosk['router'];
  readonly update: Kiosk['update'];
  readonly tap: (uid: string) => void;
  readonly stop: () => Promise<void>;
  /** Errors in the log. */
  readonly errors: () => readonly string[];
  /** Every line of the log, in order. */
  readonly said: () => readonly string[];
};

/** Waits are shortened, so that an hour of retries fits into a test. The clock is not changed. */
export const hurriedClock: Clock = {
  ...realClock,
  sleep: (ms, signal) => realClock.sleep(Math.min(ms, 400), signal),
};

/** A reader on which `tap` places and removes a badge. */
export const handReader = (): { readonly driver: ReaderDriver; readonly tap: (uid: string) => void } => {
  let tell: (event: ReaderEvent) => void = () => undefined;
  let insertion = 0;
  return {
    driver: {
      start: (listener) => {
        tell = listener;
      },
      feedback: () => undefined,
      stop: async () => undefined,
    },
    tap: (uid) => {
      insertion += 1;
      tell({ kind: 'inserted', reader: 'test', insertion });
      tell({ kind: 'card', reader: 'test', insertion, card: cardReading(uid) });
      tell({ kind: 'removed', reader: 'test' });
    },
  };
};

/** Starts a kiosk for the touchpoint of `device`. `more`: further parameters. */
export const startHubKiosk = (
  folder: string,
  { touchpoint }: FileDevice,
  platform: Omit<PlatformAccess, 'password'>,
  more: Partial<Pick<KioskPorts, 'clock' | 'atHub' | 'isFromHub' | 'connect'>> = {},
): HubKiosk => {
  mkdirSync(folder, { recursive: true });
  const log = rememberingLog();
  const { driver, tap } = handReader();
  const kiosk = createKiosk({
    ...{ clock: hurriedClock, random: realRandom, log, folder },
    platform: { ...platform, password: '' },
    drivers: [driver],
    stand: { ...plainSettings(), touchpoint },
    ...{ demoBadges: [], version: 'hub', cardService: 'on' },
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopped ??= kiosk.stop();
    return stopped;
  };
  onTestFinished(stop);
  kiosk.start();
  return {
    state: kiosk.state,
    router: kiosk.router,
    update: kiosk.update,
    stop,
    tap,
    said: () => log.said.map(({ what }) => what),
    errors: () => log.said.filter(({ level }) => level === 'error').map(({ what }) => what),
  };
};
