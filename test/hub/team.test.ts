/**
 * Two laptops of one stand and one of another, real kiosks at one box: the team sees, finds and qualifies the same leads on
 * both, field by field; the other stand sees nothing of it; and nothing of the others is sent or counted as one's own.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDevice } from '../../src-platform/keys/devices.ts';
import { findRecords } from '../../src-platform/store/records.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { leadsOn, staffScreen } from '../core/screen.ts';
import { startBoxKiosk } from './box-kiosk.ts';
import { expo, startBox } from './relay-box.ts';

it('gives the laptops of a stand one list of leads, and another stand none of it', async () => {
  const folder = ownFolder();
  const box = await startBox();
  const ids = Array.from({ length: 20 }, (_none, index) => `AD2026T${String(index + 1).padStart(2, '0')}`);
  const places = await findRecords(box.store.db, 'touchpoint', expo, ids);
  const partnerOf = (id: string) => String(places.find((place) => place.id === id)?.doc.partnerID);
  const foreign = places.find(
    ({ doc }) =>
      doc.purpose === 'lead' && doc.partnerID !== undefined && doc.partnerID !== partnerOf(ids[0] ?? ''),
  )?.id;
  if (foreign === undefined) throw new Error('Expected a stand of another partner');
  const joinBox = async (name: string, touchpointId: string) => {
    const about = { ...box.about, name, touchpointId, partnerId: partnerOf(touchpointId) };
    const device = await addDevice(box.store, about, new Date(), box.until);
    const key = name.slice(0, 1).repeat(43);
    await box.enrol(device, key);
    const file = { id: device.id, key, touchpoint: touchpointId, partner: about.partnerId };
    const kiosk = startBoxKiosk(join(folder, name), file, { baseUrl: box.baseUrl, key, expoId: expo });
    await until('it has its copy of the event', () => kiosk.state().mirror.complete, 60_000);
    return { kiosk, screen: await staffScreen(kiosk) };
  };
  const left = await joinBox('left', 'AD2026T01');
  const right = await joinBox('right', 'AD2026T01');
  const other = await joinBox('other', foreign);
  const listed = async ({ screen }: typeof left) => (await leadsOn(screen)).leads;

  left.kiosk.tap('04EE0000000001');
  left.kiosk.tap('04EE0000000002');
  await until('the right one sees both', async () => (await listed(right)).length === 2, 60_000);
  expect((await listed(right)).map(({ badgeTail }) => badgeTail).toSorted()).toEqual(['0001', '0002']);
  const tailOf = (tail: string) => async (at: typeof left) =>
    (await listed(at)).find(({ badgeTail }) => badgeTail === tail)?.id ?? '';
  const first = tailOf('0001');

  // Both say something of one person: fields merge, whoever said them.
  await right.screen.leads.edit({ lead: await first(right), change: { note: 'Wants a call' } });
  await left.screen.leads.edit({ lead: await first(left), change: { rating: 5 } });
  const merged = (at: typeof left) => async () => {
    const lead = await at.screen.leads.one({ lead: await first(at) });
    return lead?.rating === 5 && lead.note === 'Wants a call';
  };
  await until('the left one has both fields', merged(left), 60_000);
  await until('the right one has both fields', merged(right), 60_000);
  const there = await right.screen.leads.one({ lead: await first(right) });
  expect(there?.timeline.map(({ kind, device }) => [kind, device ?? null])).toEqual(
    expect.arrayContaining([
      ['tap', 'left'],
      ['qualify', 'left'],
      ['qualify', null],
    ]),
  );
  // What another laptop said is taken back there.
  expect(there?.timeline.filter(({ device }) => device != null).some(({ undoable }) => undoable)).toBe(false);

  const edit = there?.timeline.find(({ kind, device }) => kind === 'qualify' && device == null);
  await right.screen.leads.undo({ factId: edit?.factId ?? '' });
  await until(
    'what was taken back is gone on the other, too',
    async () => (await left.screen.leads.one({ lead: await first(left) }))?.note === null,
    60_000,
  );

  // A sum is of one device alone (docs/laws.md#law-2), and each fact came to the box once, from one device.
  const sums = [left, right, other].map(({ kiosk }) => kiosk.state().delivery);
  expect(sums.map(({ captured }) => captured)).toEqual([3, 2, 0]);
  for (const { captured, due, inFlight, uncertain, sent, confirmed, parked } of sums)
    expect(due + inFlight + uncertain + sent + confirmed + parked).toBe(captured);
  const rows = await box.store.db.selectFrom('relay_fact').select(['device_id', 'other_device_id']).execute();
  expect(rows).toHaveLength(5);
  expect(rows.filter(({ other_device_id }) => other_device_id !== null)).toEqual([]);
  expect(await listed(other)).toEqual([]);
  other.kiosk.tap('04EE0000000003');
  await until('the other stand has its own', async () => (await listed(other)).length === 1, 60_000);
  expect([left, right, other].flatMap(({ kiosk }) => kiosk.errors())).toEqual([]);
}, 240_000);
