/**
 * The tasks of the real kiosk in the sync bench: a first sync, a start with a full mirror, emptying a full outbox.
 *
 * Invariant: the kiosk is the complete kiosk of the product, from `createKiosk`, without reader and screen.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import type { ReaderDriver } from '../../../src-main/core/foundations/ports.ts';
import { createKiosk, type Kiosk } from '../../../src-main/core/kiosk.ts';
import { signerOf } from '../../../src-main/provision/signed-text.ts';
import { cardReading } from '../../card-reading.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { cpuSeconds } from './cpu.ts';
import type { Access } from './processes.ts';

export type KioskPlace = Access & {
  /** Data folder of the device. */
  readonly folder: string;
  /** The fingerprint of the hub's signing key, for a device that downloads snapshots from the hub. */
  readonly fingerprint?: string;
};

export type Download = {
  readonly seconds: number;
  /** The processor time that the process used. Other programs on the machine affect it less. */
  readonly cpuSeconds: number;
  /** Number of page requests, without requests for single records. */
  readonly pages: number;
};

const complain = (what: string, details: unknown = ''): void => {
  process.stderr.write(`${what} ${JSON.stringify(details)}\n`);
};

const secondsSince = (start: number): number => (performance.now() - start) / 1000;

const rssMb = (): number => process.memoryUsage.rss() / 1024 / 1024;
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

const until = async (isSo: () => boolean, everyMs: number): Promise<void> => {
  while (!isSo()) await realClock.sleep(everyMs);
};

type Extras = {
  readonly onList?: (path: string) => void;
  readonly drivers?: readonly ReaderDriver[];
};

const kioskAt = (place: KioskPlace, { onList = () => undefined, drivers = [] }: Extras = {}): Kiosk =>
  createKiosk({
    clock: realClock,
    random: realRandom,
    log: { error: complain, warn: complain, info: () => undefined },
    folder: place.folder,
    platform: { ...place, password: '' },
    connect: (access, clock) => {
      const client = createClient(access, clock);
      return {
        ...client,
        getBytes: (path, query, ...rest) => {
          onList(path);
          return client.getBytes(path, query, ...rest);
        },
      };
    },
    drivers,
    ...(place.fingerprint === undefined
      ? {}
      : { isFromHub: (signed) => signerOf(signed) === place.fingerprint }),
    demoBadges: [],
    version: 'bench',
    cardService: 'off',
    maintenance: 'off',
  });

const roundIsOver = (kiosk: Kiosk) => (): boolean => kiosk.state().mirror.lastPassAt !== null;

/**
 * From an empty folder until every visitor is in the mirror and the pass over them has ended; with
 * `wholeRound` it continues to the end of the round, which is not timed. `heldUpMs`: the longest time that
 * a tap would have waited for the thread.
 */
export const firstSync = async (
  place: KioskPlace & { readonly wholeRound: boolean },
): Promise<Download & { readonly peakMb: number; readonly heldUpMs: number; readonly visitors: number }> => {
  let seconds: number | null = null;
  let cpu = 0;
  let pages = 0;
  let start = 0;
  let startCpu = 0;
  const kiosk = kioskAt(place, {
    onList: (path) => {
      // Participants come after visitors: a request for them shows that the pass over visitors has ended.
      if (seconds === null && path.startsWith('/participants/')) {
        seconds = secondsSince(start);
        cpu = cpuSeconds() - startCpu;
      }
      if (seconds === null) pages += 1;
    },
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  startCpu = cpuSeconds();
  start = performance.now();
  kiosk.start();
  await until(() => seconds !== null, 5);
  delay.disable();
  const heldUpMs = delay.max / 1e6;
  const visitors = kiosk.state().mirror.resources.find(({ name }) => name === 'visitors')?.count ?? 0;
  const measured = { cpuSeconds: cpu, pages, peakMb: peakMb(), heldUpMs, visitors };
  const found = { seconds: seconds ?? Number.NaN, ...measured };
  if (place.wholeRound) await until(roundIsOver(kiosk), 200);
  await kiosk.stop();
  return found;
};

/**
 * A simulated reader: lays cards with these UIDs, one after another, and reports when each was captured.
 */
const layingDriver = (uids: readonly string[], onCaptured: () => void): ReaderDriver => ({
  start: (tell) => {
    void (async () => {
      for (const [insertion, uid] of uids.entries()) {
        await realClock.sleep(0);
        tell({ kind: 'inserted', reader: 'bench', insertion });
        tell({
          kind: 'card',
          reader: 'bench',
          insertion,
          card: cardReading(uid),
        });
      }
    })();
  },
  feedback: (_reader, what) => {
    if (what === 'captured') onCaptured();
  },
  stop: () => Promise.resolve(),
});

/**
 * A start with a full mirror. `capturedMs`: the time from the start of the process, including Node and all modules,
 * until a card that already lay on the reader was captured. Memory is measured after the first round, and after all
 * `uids` were captured.
 */
export const begin = async (
  place: KioskPlace & { readonly uids: readonly string[] },
): Promise<{ readonly capturedMs: number; readonly rssMb: number; readonly peakMb: number }> => {
  let captured = 0;
  let capturedMs = Number.NaN;
  const driver = layingDriver(place.uids, () => {
    captured += 1;
    if (captured === 1) capturedMs = performance.now();
  });
  const kiosk = kioskAt(place, { drivers: [driver] });
  kiosk.start();
  await until(() => captured >= place.uids.length && roundIsOver(kiosk)(), 100);
  const found = { capturedMs, rssMb: rssMb(), peakMb: peakMb() };
  await kiosk.stop();
  return found;
};

/**
 * From the start of a kiosk with a full outbox until the platform has accepted everything, and until everything is
 * confirmed.
 */
export const drain = async (
  place: KioskPlace,
): Promise<{ readonly sentSeconds: number; readonly confirmedSeconds: number; readonly facts: number }> => {
  const kiosk = kioskAt(place);
  const start = performance.now();
  kiosk.start();
  const delivery = () => kiosk.state().delivery;
  // As often as a screen polls.
  await until(() => {
    const { due, inFlight, uncertain } = delivery();
    return due + inFlight + uncertain === 0;
  }, 100);
  const sentSeconds = secondsSince(start);
  await until(() => delivery().confirmed === delivery().captured, 100);
  const found = { sentSeconds, confirmedSeconds: secondsSince(start), facts: delivery().captured };
  await kiosk.stop();
  return found;
};
