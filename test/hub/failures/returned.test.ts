/**
 * A device returns after days. The hub has lost its store in the meantime, 1,100 facts of its team wait there, and
 * the device submits 1,100 of its own.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openDurableJournal } from '../../../src-main/core/journal/recovery/durable-journal.ts';
import { ownFolder, rememberingLog, tapOf, until } from '../../core/fixture.ts';
import { chainAt, realClock, stamperOf } from '../../core/real-parts.ts';
import { staffScreen } from '../../core/screen.ts';
import { startHubKiosk } from '../hub-kiosk.ts';
import { startLine } from '../line.ts';
import { expo, startHub } from '../serving/serving-hub.ts';
import { addLaptop, joinHub, leadPlaces } from '../team/laptop.ts';

const PATIENCE_MS = 150_000;
/** More than one page of each. One device may submit 1,000 per minute before it has to wait. */
const OWN = 1_100;
const OF_TEAM = 1_100;

it('a returned device submits each kept fact once, receives all facts of its team, and gets receipts for all its facts', async () => {
  const folder = ownFolder();
  const [first, second] = [await startHub(), await startHub({ hubStoreId: 'e2' })];
  const [place] = await leadPlaces(first);
  if (place === undefined) throw new Error('Expected a stand');
  const line = await startLine(first.baseUrl);
  const before = await joinHub(first, folder, 'away', place, { baseUrl: line.baseUrl });
  for (const badge of ['04D000000000A1', '04D000000000A2', '04D000000000A3']) before.kiosk.tap(badge);
  await until(
    'the first hub has the three taps',
    () => before.kiosk.state().delivery.sent === 3,
    PATIENCE_MS,
  );
  line.cut();
  await before.kiosk.stop();
  const { journal } = openDurableJournal({
    ...{ folder: before.folder, stamper: stamperOf(), clock: realClock, log: rememberingLog() },
  });
  const days = Array.from({ length: OWN - 3 }, (_none, index) => ({
    ...tapOf(`04D1${String(index).padStart(10, '0')}`),
    ...{ touchpoint: place.id, partner: place.partner, clockOffset: 0 },
  }));
  journal.recordAll(days, null);
  journal.close();

  await addLaptop(second, 'away', place);
  const busy = await addLaptop(second, 'busy', place);
  for (let from = 0; from < OF_TEAM; from += 100) {
    const items = Array.from({ length: 100 }, (_none, index) => ({
      ...{ id: randomUUID(), kind: 'tap', at: new Date().toISOString(), touchpointID: place.id },
      ...{ partnerID: place.partner, badge: `04D2${String(from + index).padStart(10, '0')}` },
    }));
    expect((await second.request('POST', `/actions/${expo}`, busy.key, items)).status).toBe(200);
  }
  line.leadTo(second.baseUrl);
  line.mend();
  const asked = line.counts().requests;
  const kiosk = startHubKiosk(before.folder, before, {
    ...{ baseUrl: line.baseUrl, key: before.key, expoId: expo },
  });
  const { delivery } = kiosk.state();
  expect(delivery.captured).toBe(OWN);
  const own = () =>
    second.store.db
      .selectFrom('relay_fact')
      .select(['id', 'state'])
      .where('device_id', '<>', busy.id)
      .execute();
  await until(
    'the second hub has every fact of the returned device',
    async () => (await own()).length >= OWN,
    PATIENCE_MS,
  );
  await until(
    'the device counts every fact as at the hub',
    () => kiosk.state().delivery.atHub === OWN,
    PATIENCE_MS,
  );
  const rows = await own();
  expect(rows).toHaveLength(OWN);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(OWN);
  // A fact that the previous hub accepted may be on the platform, so the hub looks it up before it sends it.
  expect(rows.filter(({ state }) => state === 'uncertain').length).toBeGreaterThanOrEqual(3);

  const screen = await staffScreen(kiosk);
  const people = async () => (await screen.leads.page({})).counts.people;
  await until(
    'the device lists the leads of its team',
    async () => (await people()) === OWN + OF_TEAM,
    PATIENCE_MS,
  );
  await second.store.transaction(async (db) => {
    await db.updateTable('relay_fact').set({ state: 'confirmed' }).execute();
  });
  await until(
    'the device has the receipts of all its facts',
    () => kiosk.state().delivery.confirmed === OWN,
    PATIENCE_MS,
  );
  const { captured, confirmed, due, uncertain, parked } = kiosk.state().delivery;
  expect({ captured, confirmed, due, uncertain, parked }).toEqual({
    ...{ captured: OWN, confirmed: OWN, due: 0, uncertain: 0, parked: 0 },
  });
  // The device uses batches of facts, pages of the team's facts, and receipts for two hundred facts each, not one
  // request per fact.
  expect(line.counts().requests - asked).toBeLessThan(OWN / 2);
  expect(chainAt(`${before.folder}/journal.db`).brokenAt).toBeNull();
  expect(kiosk.errors()).toEqual([]);
}, 400_000);
