/**
 * Real devices behind chaos proxies with one key. They tap, work, and are inspected at the end.
 *
 * Invariants:
 * - Real journals and mirrors on disk, real clients over real sockets.
 * - The clock runs faster, and the time limits of requests are shorter.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src-main/core/foundations/api/client.ts';
import type { Clock, Log, Random, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createStamper } from '../../src-main/core/journal/facts/stamp.ts';
import { createKiosk, type Kiosk } from '../../src-main/core/kiosk.ts';
import { cardReading } from '../card-reading.ts';
import type { PlatformProcess } from '../core/platform-process.ts';
import { openJournal, realRandom } from '../core/real-parts.ts';
import type { Certificate } from './certificate.ts';
import { type ChaosProxy, type Gauge, startProxy } from './proxy.ts';

export type FleetMember = {
  readonly folder: string;
  readonly partner: string;
  readonly proxy: ChaosProxy;
  readonly kiosk: Kiosk;
  readonly tap: (uid: string) => void;
};

export type FleetPorts = {
  readonly folder: string;
  readonly platform: PlatformProcess;
  readonly clock: Clock;
  readonly log: Log;
  readonly seed: number;
  readonly tls: { readonly good: Certificate; readonly bad: Certificate } | null;
  readonly gauge: Gauge;
  readonly elsewhere: string;
  /** The device's touchpoint. Before the device starts, its journal already has a backlog of facts. */
  readonly touchpoint: string;
  readonly partner: string;
};

/** Milliseconds of real time. */
const HEADERS_MS = 400;
const SHARE = 0.5;

/** Taps, ratings, notes and undos of known visitors, as after an afternoon without a network. */
const recordBacklog = (
  path: string,
  clock: Clock,
  random: Random,
  ports: FleetPorts,
  visitors: readonly string[],
) => {
  const journal = openJournal(path, createStamper(clock, random));
  journal.settings.set('touchpoint', ports.touchpoint);
  journal.settings.set('partner', ports.partner);
  const place = {
    source: 'nfc',
    reader: 'r',
    touchpoint: ports.touchpoint,
    partner: ports.partner,
    clockOffset: null,
    staff: null,
  } as const;
  for (const [index, visitor] of visitors.entries()) {
    const badge = `04CAFE${String(index).padStart(8, '0')}`;
    const { fact } = journal.record({ ...place, kind: 'tap', payload: { badge, visitor } }, null);
    const fields = { rating: index % 6, notes: `Note ${index}` };
    journal.record({ ...place, kind: 'qualify', payload: { badge, visitor, fields } }, null);
    if (index % 3 === 0)
      journal.record({ ...place, kind: 'note', payload: { badge, visitor, fields } }, null);
    if (index % 5 === 0) {
      journal.record({ ...place, kind: 'undo', payload: { badge, visitor, undoes: fact.id } }, null);
    }
  }
  journal.close();
};

/** Starts a kiosk with a backlog behind its own proxy. */
export const joinFleet = async (ports: FleetPorts, visitors: readonly string[]): Promise<FleetMember> => {
  const { folder, platform, clock } = ports;
  mkdirSync(folder, { recursive: true });
  recordBacklog(join(folder, 'journal.db'), clock, realRandom, ports, visitors);
  const proxy = await startProxy({
    upstream: platform.baseUrl,
    seed: ports.seed,
    now: clock.now,
    share: SHARE,
    tls: ports.tls,
    gauge: ports.gauge,
    elsewhere: ports.elsewhere,
  });
  let tell: (event: ReaderEvent) => void = () => undefined;
  const kiosk = createKiosk({
    clock,
    random: realRandom,
    log: ports.log,
    folder,
    platform: { baseUrl: proxy.baseUrl, key: platform.key, password: '', expoId: platform.expoId },
    connect: (access, time) =>
      createClient(access, time, {
        lookup: proxy.lookup,
        ...(ports.tls === null ? {} : { ca: ports.tls.good.cert }),
        limits: { connectMs: 1_000, headersMs: HEADERS_MS, bodyMs: HEADERS_MS, totalMs: 5_000 },
      }),
    drivers: [
      { start: (listener) => (tell = listener), feedback: () => undefined, stop: async () => undefined },
    ],
    demoBadges: [],
    version: 'chaos',
    cardService: 'on',
  });
  let stopped = false;
  onTestFinished(async () => {
    if (!stopped) await kiosk.stop();
    stopped = true;
    await proxy.close();
  });
  kiosk.start();
  let insertion = 0;
  return {
    folder,
    partner: ports.partner,
    proxy,
    kiosk: {
      ...kiosk,
      stop: async () => {
        stopped = true;
        await kiosk.stop();
      },
    },
    tap: (uid) => {
      insertion += 1;
      tell({ kind: 'inserted', reader: 'test', insertion });
      tell({ kind: 'card', reader: 'test', insertion, card: cardReading(uid) });
      tell({ kind: 'removed', reader: 'test' });
    },
  };
};
