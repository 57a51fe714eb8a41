/**
 * Requests through a hostile network, between real devices and the real platform. A thorough run has two storms of
 * 1,500 requests, one with two devices and one with three. An ordinary run has one of them, which its seed selects,
 * with half of the requests. A failure message contains the seed of the faults. CHAOS_SEED repeats it.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import demoBadges from '../../assets/demo/badges.json' with { type: 'json' };
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { RESOURCES } from '../../src-main/core/event/mirror/resources.ts';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { rememberingLog, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { staffScreen } from '../core/screen.ts';
import { inTurn, isThorough } from '../thoroughness.ts';
import { type Auditor, createAuditor } from './auditor.ts';
import { makeCertificate } from './certificate.ts';
import { ANSWER_FAULTS, CONNECT_FAULTS, type Fault, UNSEEN_FAULTS } from './faults.ts';
import { type FleetMember, joinFleet } from './fleet.ts';
import type { Gauge } from './proxy.ts';
import { scaledClock } from './scaled-clock.ts';

const SEED = Number(process.env.CHAOS_SEED ?? 20261121);
const FASTER = 300;
/** Storms by their number of devices. */
const STORMS = inTurn([2, 3], 0);
/** Requests of a storm. */
const REQUESTS = isThorough() ? 1_500 : 750;
/** The share of the requests and faults of a thorough run that this run makes. */
const SHARE = (STORMS.length * REQUESTS) / 3_000;
/**
 * Number of requests between two taps, and between two changes of a visitor. The number of requests serves as the
 * clock of a chaos run.
 */
const REQUESTS_PER_TAP = 4;
const REQUESTS_PER_CHANGE = 8;
const BACKLOG_VISITORS = 60;
/** The first taps after a start, whose clock offset may come from only one or two answers. */
const FIRST_ANSWERS = 30;
const HOUR_MS = 3_600_000;
/** Time limit. A quiet machine needs a tenth of it. */
const PATIENCE_MS = 300_000;
const KINDS = [...CONNECT_FAULTS, ...UNSEEN_FAULTS, ...ANSWER_FAULTS];
const KNOWN = demoBadges.filter((badge) => badge.kind === 'visitor').map((badge) => badge.code);

/** A folder in memory where available: the devices share this disk, and other tests cover the cost of a commit. */
const quickFolder = (): string => {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'touchpoint-chaos-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A server that no request may reach: the target of redirects. */
const forbiddenPlace = async () => {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, visits: () => visits };
};

/** Differences between a device's mirror and the platform, as text. */
const differences = async (auditor: Auditor, expoId: string, member: FleetMember) => {
  const mirror = openMirror(join(member.folder, 'mirror.db'), expoId);
  try {
    const different: string[] = [];
    for (const resource of RESOURCES) {
      const there = await auditor.living(resource, member.partner);
      const here = new Map(mirror.records(resource.name).map((row) => [row.id, row.revision]));
      const ids = new Set([...there.keys(), ...here.keys()]);
      for (const id of ids) if (there.get(id) !== here.get(id)) different.push(`${resource.name} ${id}`);
    }
    return different;
  } finally {
    mirror.close();
  }
};

/**
 * `kiosks` devices with one key tap and sync until `requests` requests have gone through their proxies. Then the
 * faults end.
 */
const storm = async (kiosks: number, requests: number, seed: number) => {
  const folder = quickFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const auditor = await createAuditor(join(folder, 'platform'), platform);
  const clock = scaledClock(FASTER);
  const log = rememberingLog();
  const gauge: Gauge = { now: 0, most: 0 };
  const elsewhere = await forbiddenPlace();
  const tls = { good: makeCertificate('good'), bad: makeCertificate('bad') };
  const touchpoints = (await auditor.list('touchpoints')).filter((row) => row.purpose === 'lead');
  const visitors = (await auditor.list('visitors')).map((row) => String(row.id));

  const fleet: FleetMember[] = [];
  for (const [index, touchpoint] of touchpoints.slice(0, kiosks).entries()) {
    fleet.push(
      await joinFleet(
        {
          folder: join(folder, `kiosk${index}`),
          platform,
          clock,
          log,
          seed: seed + index,
          tls: index === 0 ? tls : null,
          gauge,
          elsewhere: elsewhere.url,
          touchpoint: String(touchpoint.id),
          partner: String(touchpoint.partnerID),
        },
        visitors.slice(index * BACKLOG_VISITORS, (index + 1) * BACKLOG_VISITORS),
      ),
    );
  }
  expect(fleet).toHaveLength(kiosks);
  const total = () => fleet.reduce((sum, member) => sum + member.proxy.requests(), 0);
  let calm = false;
  const moreRequests = async (count: number): Promise<void> => {
    const enough = total() + count;
    await until(`${enough} requests went through`, () => calm || total() >= enough, PATIENCE_MS);
  };
  const changes = auditor.keepChanging(async () => {
    await moreRequests(REQUESTS_PER_CHANGE);
    return !calm;
  });
  const begun = performance.now();
  for (let tap = 0; total() < requests; tap += 1) {
    const unknown = `04BEEF${String(tap).padStart(8, '0')}`;
    fleet[tap % kiosks]?.tap(tap % 4 === 0 ? (KNOWN[tap % KNOWN.length] ?? '') : unknown);
    await moreRequests(REQUESTS_PER_TAP);
  }
  calm = true;
  for (const { proxy } of fleet) proxy.calm();
  const stormy = { requests: total(), seconds: (performance.now() - begun) / 1_000 };
  await changes;
  return { platform, auditor, fleet, gauge, elsewhere, log, ...stormy };
};

type Storm = Awaited<ReturnType<typeof storm>>;

const pendingOf = (fleet: readonly FleetMember[]): number =>
  fleet.reduce((sum, { kiosk }) => {
    const { captured, confirmed, parked } = kiosk.state().delivery;
    return sum + captured - confirmed - parked;
  }, 0);

const linesOf = ({ folder }: FleetMember) => [...(readFactLines(join(folder, 'journal.db')) ?? [])];

/** Waits until every device has finished this many rounds of all resources. */
const rounds = async (fleet: readonly FleetMember[], times: number): Promise<void> => {
  for (const { kiosk } of fleet) {
    for (let round = 0; round < times; round += 1) {
      const before = kiosk.state().mirror.lastPassAt;
      await until('a round has ended', () => kiosk.state().mirror.lastPassAt !== before, 120_000);
    }
  }
};

/**
 * After the storm: checks that every fact is settled, sends parked facts again as staff would, and checks that every
 * mirror equals the platform.
 */
const settle = async ({ platform, auditor, fleet }: Storm): Promise<{ parked: number }> => {
  await until('every fact is confirmed or parked', () => pendingOf(fleet) === 0, 120_000);
  // Before a comparison reads everything again, every confirmed fact must be at the platform.
  const seen = new Set((await auditor.list('actions')).map((action) => action.clientID));
  for (const line of fleet.flatMap(linesOf)) {
    if (line.kind !== 'tap' || line.delivery?.state !== 'confirmed') continue;
    expect(seen.has(line.id), `the platform has tap ${line.id}`).toBe(true);
  }
  let parked = 0;
  for (const { kiosk } of fleet) {
    const screen = await staffScreen(kiosk);
    parked += kiosk.state().delivery.parked;
    expect(await screen.delivery.deadLetters()).toHaveLength(kiosk.state().delivery.parked);
    await screen.delivery.retry({});
    await screen.mirror.reconcile();
  }
  const all = () => fleet.every(({ kiosk }) => kiosk.state().delivery.parked === 0) && pendingOf(fleet) === 0;
  await until('what invented refusals had parked is confirmed too', all, 120_000);
  await rounds(fleet, 3);
  for (const member of fleet) {
    let different: readonly string[] = [];
    const isEqual = async () => {
      different = await differences(auditor, platform.expoId, member);
      return different.length === 0;
    };
    await until('the mirror equals the platform', isEqual, 120_000).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${different.length} differ, ${different.slice(0, 5).join(', ')}`);
    });
  }
  // A comparison reads confirmed facts back, so they settle once more.
  await until('every fact is confirmed in the end', () => pendingOf(fleet) === 0, 120_000);
  for (const { kiosk } of fleet) await kiosk.stop();
  return { parked };
};

/** Compares the devices' facts with the platform: each tap has one action, each connection its taps. */
const compareBooks = async ({ auditor, fleet, elsewhere, log }: Storm): Promise<{ facts: number }> => {
  const actions = await auditor.list('actions');
  const byClient = Map.groupBy(actions, (action) => String(action.clientID));
  const lines = fleet.flatMap(linesOf);
  for (const line of lines) {
    expect(line.delivery?.state, `${line.kind} ${line.id}: ${line.delivery?.reason ?? ''}`).toBe('confirmed');
    const effects = byClient.get(line.id)?.length ?? 0;
    expect(effects, `effects of ${line.kind} ${line.id}`).toBe(line.kind === 'tap' ? 1 : 0);
  }
  // Headers that are wrong by up to a day must not change the recorded offset once a few answers have arrived after a
  // start. The limit is an hour, because the clock runs fast and a slow answer takes minutes on it.
  for (const member of fleet) {
    const measured = linesOf(member).filter((line) => line.clockOffset !== null);
    const misled = measured
      .slice(FIRST_ANSWERS)
      .filter(({ clockOffset }) => Math.abs(clockOffset ?? 0) > HOUR_MS);
    expect(misled.length, 'taps with a wrong clock offset').toBe(0);
  }
  for (const connection of await auditor.list('connections', '&type=partner')) {
    const counted = actions.filter(
      ({ visitorID, partnerID, deleted }) =>
        visitorID === connection.visitorID && partnerID === connection.partnerID && deleted !== true,
    );
    expect(connection.count, 'taps counted in a connection').toBe(counted.length);
  }
  expect(elsewhere.visits(), 'visits where a redirect led').toBe(0);
  expect(log.said.filter((entry) => entry.level === 'error')).toEqual([]);
  return { facts: lines.length };
};

const countFaults = (storms: readonly Storm[]): ReadonlyMap<Fault, number> => {
  const faults = new Map<Fault, number>();
  for (const { proxy } of storms.flatMap(({ fleet }) => fleet)) {
    for (const [kind, n] of proxy.faults) faults.set(kind, (faults.get(kind) ?? 0) + n);
  }
  return faults;
};

describe('kiosks behind a hostile network', () => {
  it(`deliver every fact once and end with the same state as the platform`, async () => {
    try {
      const storms = await Promise.all(
        STORMS.map((kiosks) => storm(kiosks, REQUESTS, SEED + 100 * (kiosks - 2))),
      );
      const faults = countFaults(storms);
      const injected = [...faults.values()].reduce((sum, n) => sum + n, 0);
      const requests = storms.reduce((sum, each) => sum + each.requests, 0);
      expect(requests).toBeGreaterThanOrEqual(3_000 * SHARE);
      expect(injected).toBeGreaterThanOrEqual(1_200 * SHARE);
      for (const kind of KINDS) {
        expect(faults.get(kind) ?? 0, `faults of the kind ${kind}`).toBeGreaterThanOrEqual(10 * SHARE);
      }

      let parked = 0;
      let facts = 0;
      for (const each of storms) {
        parked += (await settle(each)).parked;
        facts += (await compareBooks(each)).facts;
        // Each device has one request at a time. Two devices therefore never exceed the platform's limit per key.
        // With three devices the platform may refuse a request, which counts as load.
        expect(each.gauge.most).toBeLessThanOrEqual(each.fleet.length);
        for (const { proxy } of each.fleet) expect(proxy.most()).toBe(1);
      }
      const seconds = Math.max(...storms.map((each) => each.seconds));
      process.stdout.write(
        `chaos: ${requests} requests and ${injected} faults of ${faults.size} kinds in ${seconds.toFixed(0)} s; ` +
          `${facts} facts confirmed once each, ${parked} of them parked by invented refusals before\n`,
      );
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(`CHAOS_SEED=${SEED}: ${words}`, { cause: error });
    }
  }, 600_000);
});
