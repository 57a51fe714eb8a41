/** What devices of a hub see of the event: in a list, in a single read and with a receipt. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { markOf } from '../../../src-platform/hub/forgotten.ts';
import { type DeviceView, formOf, nameOfView, shownTo } from '../../../src-platform/hub/narrowing.ts';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { participants, touchpoints } from '../../../src-platform/resources/derived.ts';
import { shapeOf } from '../../../src-platform/resources/resource.ts';
import { findRecord, putRecord } from '../../../src-platform/store/records.ts';
import { expo, startHub } from './serving-hub.ts';

const key = 'k'.repeat(43);
const otherKey = 'o'.repeat(43);
const V1 = 'AD2026V000001';
const V2 = 'AD2026V000002';

const tap = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'tap', at: '2026-11-24T10:00:00.000Z', seq: 1, source: 'nfc' },
  ...{ touchpointID: 'AD2026T01', partnerID: 'AD2026P001', badge: '04AABBCCDDEEFF', visitorID: V1 },
  ...more,
});

test('a device sees no contact details of a visitor, in the list and in the single read', async () => {
  const { store, request, device, enrol } = await startHub();
  await enrol(device, key);
  const list = (await request('GET', `/visitors/${expo}?limit=100`, key)).json as readonly object[];
  const open = ['id', 'expoID', 'registrationState', 'firstName', 'lastName', 'company', 'language'];
  const allowed = new Set([...open, 'labels', 'badges', 'withheld', 'revision', 'deleted']);
  expect(list.flatMap((one) => Object.keys(one)).filter((field) => !allowed.has(field))).toEqual([]);
  const whole = await findRecord(store.db, 'visitor', expo, V1);
  expect(whole?.doc).toMatchObject({ email: expect.any(String) });
  const one = (await request('GET', `/visitors/${expo}/${V1}`, key)).json as { withheld: readonly string[] };
  expect(one).toMatchObject({ id: V1, firstName: whole?.doc.firstName, badges: whole?.doc.badges });
  expect(one).not.toHaveProperty('email');
  expect(one.withheld).toContain('email');
  expect(list.find((each) => (each as { id: string }).id === V1)).toEqual(one);
  const text = (await request('GET', `/visitors/${expo}?showDeleted=true`, key)).json;
  expect(JSON.stringify(text)).not.toContain(String(whole?.doc.email));
});

test('a check-in device sees attendance, but only the stays at its own activity', async () => {
  const { store, request, device, enrol, about, until } = await startHub();
  await enrol(device, key);
  const ask = async (path: string, who: string) => request('GET', path, who);
  expect((await ask(`/participants/${expo}`, key)).status).toBe(403);
  expect((await ask(`/participants/${expo}/${V1}`, key)).status).toBe(403);
  const marks = async () =>
    ((await ask(`/hub/news/${expo}`, key)).json as { news: Record<string, string> }).news;
  const before = await marks();
  const door = { id: 'DOOR1', expoID: expo, name: 'Door', purpose: 'checkin', activityID: 'A1' };
  const stay = (activityID: string) => ({ activityID, entered: '2026-11-24T10:00:00.000Z' });
  const person = {
    ...{ visitorID: V1, expoID: expo, present: true, actions: 7, connections: 2 },
    activities: [stay('A1'), stay('A2')],
  };
  await store.write(async (write) => {
    await putRecord(write, shapeOf(touchpoints), expo, door);
    await putRecord(write, shapeOf(participants), expo, person);
  });
  expect((await marks()).participants).toBe(before.participants);
  const added = await addDevice(
    store,
    { ...about, touchpointId: 'DOOR1', partnerId: null },
    new Date(),
    until,
  );
  await enrol(added, otherKey);
  const shown = (await ask(`/participants/${expo}/${V1}`, otherKey)).json as object;
  expect(shown).toEqual({
    ...{ visitorID: V1, expoID: expo, activities: [stay('A1')] },
    revision: expect.any(Number),
  });
  const { revision } = shown as { readonly revision: number };
  const since = `?fromRevision=${revision}`;
  expect((await ask(`/participants/${expo}${since}`, otherKey)).json).toEqual([shown]);
  const list = (await ask(`/participants/${expo}?limit=100`, otherKey)).json as readonly object[];
  expect(list.every((one) => !('actions' in one))).toBe(true);
});

test('a partner gets contact details of its visitors, unless the tap was undone or the visitor forgotten', async () => {
  const { store, request, device, enrol, about, until } = await startHub();
  await enrol(device, key);
  const elsewhere = { ...about, name: 'Other', touchpointId: 'AD2026T02', partnerId: 'AD2026P002' };
  await enrol(await addDevice(store, elsewhere, new Date(), until), otherKey);
  const contacts = async (who = key, ids = `${V1},${V2}`): Promise<readonly string[]> => {
    const { json } = await request('GET', `/hub/receipts/${expo}?ids=&contacts=${ids}`, who);
    const { contacts: found } = json as { contacts: readonly { id: string; email?: string }[] };
    expect(found.every(({ email }) => typeof email === 'string')).toBe(true);
    return found.map(({ id }) => id);
  };
  // Connections at the platform also count, but this partner has no connection with these two visitors.
  await store.transaction(async (db) => {
    await db.deleteFrom('record').where('kind', '=', 'connection').execute();
  });
  expect(await contacts()).toEqual([]);
  const first = tap();
  await request('POST', `/actions/${expo}`, key, [first]);
  expect(await contacts()).toEqual([V1]);
  expect(await contacts(otherKey)).toEqual([]);

  // This badge belonged to no visitor when it was tapped.
  const second = await findRecord(store.db, 'visitor', expo, V2);
  const [badge] = (second?.doc.badges ?? []) as readonly { readonly code: string }[];
  await request('POST', `/actions/${expo}`, key, [tap({ visitorID: undefined, badge: badge?.code })]);
  expect(await contacts()).toEqual([V1, V2]);

  const undo = { ...tap({ kind: 'undo', undoes: first.id }), id: randomUUID() };
  await request('POST', `/actions/${expo}`, key, [undo]);
  expect(await contacts()).toEqual([V2]);

  // This person was forgotten here, although the platform still shows the connection.
  const connection = { kind: 'connection', id: 'C1', expo_id: expo, revision: 9_999n, deleted: 0 };
  const none = { content_id: null, location_id: null, contact_id: null, reference: null, state: null };
  const row = { ...connection, ...none, category: null, key_id: null, detail: null, basic: '{}' };
  await store.transaction(async (db) => {
    await db
      .insertInto('record')
      .values({ ...row, partner_id: 'AD2026P001', visitor_id: V1 })
      .execute();
  });
  expect(await contacts()).toEqual([V1, V2]);
  const mark = markOf('visitor', { expoId: expo, partnerId: 'AD2026P001' }, V1);
  await store.transaction(async (db) => {
    await db
      .insertInto('forgotten')
      .values({ expo_id: expo, partner_id: 'AD2026P001', mark, at: null, alone: 0 })
      .execute();
  });
  expect(await contacts()).toEqual([V2]);
  expect((await request('GET', `/hub/receipts/${expo}?ids=&contacts=${'a,'.repeat(101)}`, key)).status).toBe(
    400,
  );
});

test('two devices with the same view of a record share one serialised form', () => {
  const row = (kind: string, doc: object, partner: string | null = null) => ({
    ...{ kind, basic: JSON.stringify(doc), revision: 5n, deleted: 0, partner_id: partner },
  });
  const views: readonly DeviceView[] = [
    { partnerId: 'P1', seesAllDetails: false },
    { partnerId: 'P2', seesAllDetails: false, checksInto: 'A1' },
    { partnerId: null, seesAllDetails: true, checksInto: null },
    { partnerId: 'P1', seesAllDetails: false, checksInto: 'A1' },
  ];
  const rows = [
    row('visitor', { id: 'V', email: 'a@b.c', firstName: 'A', created: 'x' }),
    row('participant', { visitorID: 'V', activities: [{ activityID: 'A1' }, { activityID: 'A2' }] }),
    row('connection', { id: 'C' }, 'P1'),
    row('partner', { id: 'P' }),
  ];
  for (const one of rows) {
    const texts = views.map((view) => [formOf(view, one.kind), shownTo(view, one)] as const);
    const byForm = Map.groupBy(texts, ([form]) => form);
    for (const [form, same] of byForm)
      expect([one.kind, form, new Set(same.map(([, text]) => text)).size]).toEqual([one.kind, form, 1]);
  }
  expect(views.map((view) => shownTo(view, rows[2] ?? row('x', {})))).toEqual([
    '{"id":"C","revision":5}',
    null,
    null,
    '{"id":"C","revision":5}',
  ]);
  expect(new Set(views.map(nameOfView)).size).toBe(3);
});
