/**
 * `npm run bench -- push`: the time from a tap until the lead is seen in the CRM, with 200 ms of latency. Also the
 * latency of a tap with and without a destination.
 *
 * Invariants:
 * - It uses a real journal and the real destinations.
 * - HubSpot's double answers over HTTP in this process, so its work makes our figures worse.
 * - The latency of a tap runs from the moment it was due, so it includes work that blocks the event loop.
 * - The first figure includes the time during which the visitor can undo the tap.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { UNDO_GRACE_MS, UNDO_MS } from '../../src-main/core/foundations/time/windows.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { openKioskDestinations } from '../../src-main/core/team/destinations/kiosk-destinations.ts';
import { pageOf, realClock, realRandom } from '../core/real-parts.ts';
import { KIND } from '../core/team/destinations/double.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { quantile, quantileRows, type Row } from './figures.ts';
import { noLog, openTimedTaps, uidOf } from './timed-taps.ts';

const VISITORS = 1_000;
const TAPS = 200;
const LATENCY_MS = 200;
const TOKEN = 'bench-token-0123456789';

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  const double = await startHubspot(() => 0.99, TOKEN);
  double.mood = { ...KIND, latencyMs: LATENCY_MS };
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const page = Array.from({ length: VISITORS }, (_, index) => {
    const id = `v${index}`;
    const body = {
      id,
      revision: index,
      firstName: 'Ada',
      lastName: `Muster ${index}`,
      badges: [{ code: uidOf(index) }],
    };
    return { id, revision: BigInt(index), deleted: false, body };
  });
  mirror.applyPage('visitors', pageOf('visitors', page), BigInt(VISITORS));
  const captured: { readonly factId: string; readonly at: number }[] = [];
  const { durable, tapUntil } = openTimedTaps(folder, mirror, (factId) => {
    captured.push({ factId, at: performance.now() });
    destinations.wake();
  });
  let nextId = 0;
  const destinations = openKioskDestinations({
    path: join(folder, 'destinations.db'),
    secrets: {
      keep: () => Promise.resolve(true),
      read: () => Promise.resolve(JSON.stringify({ kind: 'token', token: TOKEN })),
      forget: () => Promise.resolve(),
      hide: () => undefined,
      keepOnly: () => 0,
    },
    hub: {
      offers: () => Promise.resolve([]),
      access: () => {
        throw new Error('the bench has no hub');
      },
    },
    ...{ clock: realClock, random: realRandom, log: noLog },
    newId: () => {
      nextId += 1;
      return `d${nextId}`;
    },
    partner: () => 'p1',
    expoId: 'E1',
    database: () => durable.current().database,
    undoMs: UNDO_MS,
    heldFrom: () => null,
    leads: {
      ask: () => Promise.reject(new Error('the bench asks for no list')),
      words: () => ({ labels: [], contents: [], touchpoints: [], questions: [], form: [], consents: [] }),
      hotRule: () => ({ rule: plainSettings().hot, changed: false }),
    },
    event: () => ({ name: 'Fair', timezone: 'UTC' }),
    addressOf: () => null,
    nameOf: () => 'Stand',
  });
  try {
    const idle = await tapUntil((made) => made === TAPS);
    captured.length = 0;
    destinations.start();
    const done = await destinations.connect({
      kind: 'hubspot',
      name: 'Bench',
      address: double.address,
      token: TOKEN,
    });
    if (done.kind !== 'connected') throw new Error(`Expected a connection, got ${JSON.stringify(done)}`);
    const settings = { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} } as const;
    destinations.save(done.id, settings);
    const seen = new Map<string, number>();
    const watching = watchSeen(destinations.ofLead, captured, seen);
    const busy = await tapUntil((made) => made === TAPS);
    await watching;
    yield* quantileRows('push', 'tap while leads are pushed, beside idle,', 'ms', busy, idle);
    const waits = [...seen.values()];
    const held = UNDO_MS + UNDO_GRACE_MS;
    for (const share of [0.5, 0.95]) {
      const value = Math.round(quantile(waits, share));
      const metric = `tap to seen in the CRM p${share * 100}, of which ${held} held`;
      yield {
        bench: 'push',
        metric,
        value,
        unit: 'ms',
        baseline: held,
        ratio: Number((value / held).toPrecision(4)),
      };
    }
    yield {
      bench: 'push',
      metric: 'records in the CRM for taps',
      value: double.records.size,
      unit: 'records',
      baseline: 2 * TAPS,
    };
  } finally {
    await destinations.stop();
    await double.close();
    durable.journal.close();
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records how long each lead took until it was seen. Resolves when all leads were seen. */
async function watchSeen(
  ofLead: (lead: string) => readonly { readonly state: string }[],
  captured: readonly { readonly factId: string; readonly at: number }[],
  seen: Map<string, number>,
): Promise<void> {
  for (let look = 0; look < 6_000 && seen.size < TAPS; look += 1) {
    await delay(25);
    for (const { factId, at } of captured) {
      // A lead has the id of its first fact. While the fact may be undone, the lead is not sent, and asking for its state
      // would slow the taps.
      const isHeld = performance.now() - at < UNDO_MS;
      if (seen.has(factId) || isHeld || ofLead(factId)[0]?.state !== 'confirmed') continue;
      seen.set(factId, performance.now() - at);
    }
  }
  if (seen.size < TAPS) throw new Error(`Expected ${TAPS} leads to be seen, got ${seen.size}`);
}
