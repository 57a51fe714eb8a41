/**
 * A slow network in the hall: every packet takes a second in each direction, and one of twenty is lost together with
 * its connection. The waits are real.
 */
import { expect, it } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { realClock } from '../../core/real-parts.ts';
import { startLine } from '../line.ts';
import { startHub } from '../serving/serving-hub.ts';
import { joinHub, type Laptop, leadPlaces } from '../team/laptop.ts';

const PATIENCE_MS = 150_000;
const TAPS = 20;

it('a device on a slow network loses and duplicates no fact, confirms every tap at once, and sends few requests', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const [place] = await leadPlaces(hub);
  if (place === undefined) throw new Error('Expected a stand');
  const line = await startLine(hub.baseUrl);
  const kiosks: Laptop[] = [];
  for (const name of ['left', 'right'])
    kiosks.push(await joinHub(hub, folder, name, place, { baseUrl: line.baseUrl, clock: realClock }));
  line.worsen(1_000, 0.05);
  const before = line.counts();
  const began = realClock.monotonic();

  for (const [index, { kiosk, screen }] of kiosks.entries()) {
    const told: string[] = [];
    const watching = (async () => {
      for await (const event of await screen.taps.watch()) {
        if (event.kind === 'captured') told.push(event.factId);
        if (told.length === TAPS) return;
      }
    })();
    const delivered = () => kiosk.state().delivery.sent + kiosk.state().delivery.confirmed;
    const had = delivered();
    for (let tap = 1; tap <= TAPS; tap += 1) kiosk.tap(`04E${index}${String(tap).padStart(10, '0')}`);
    await watching;
    // The screen confirmed before the last tap could have reached the hub and returned.
    expect(delivered() - had).toBeLessThan(TAPS);
    expect(told).toHaveLength(TAPS);
  }
  await until(
    'every fact is at the hub',
    () =>
      kiosks.every(({ kiosk }) => kiosk.state().delivery.sent + kiosk.state().delivery.confirmed === TAPS),
    PATIENCE_MS,
  );
  await until('the network lost a packet', () => line.counts().lost > 0, PATIENCE_MS);
  const rows = await hub.store.db.selectFrom('relay_fact').select(['id', 'device_id']).execute();
  expect(rows).toHaveLength(2 * TAPS);
  expect(rows.filter(({ device_id }) => device_id === kiosks[0]?.id)).toHaveLength(TAPS);

  // Two loops and the reports of each device, each with two seconds of latency. More requests would be a storm.
  const seconds = (realClock.monotonic() - began) / 1_000;
  const { requests } = line.counts();
  expect(requests - before.requests).toBeLessThanOrEqual(10 + kiosks.length * 2 * seconds);
  for (const { kiosk } of kiosks) {
    const { due, uncertain, parked } = kiosk.state().delivery;
    expect({ due, uncertain, parked }).toEqual({ due: 0, uncertain: 0, parked: 0 });
    expect(kiosk.errors()).toEqual([]);
  }
}, 300_000);
