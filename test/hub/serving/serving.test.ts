/**
 * The answers of a hub to its devices: accepted items, receipts, enrolment, and the records that each device may
 * read.
 */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createAskForEmail } from '../../../src-hub/email.ts';
import type { HubStore } from '../../../src-hub/outbox/hub-store.ts';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { addDevice, revokeDevice } from '../../../src-platform/keys/devices.ts';
import { connections, touchpoints } from '../../../src-platform/resources/derived.ts';
import { shapeOf } from '../../../src-platform/resources/resource.ts';
import { putRecord } from '../../../src-platform/store/records.ts';
import { realClock } from '../../core/real-parts.ts';
import { expo, startHub } from './serving-hub.ts';

const key = 'k'.repeat(43);
const otherKey = 'o'.repeat(43);

const tap = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'tap', at: '2026-11-24T10:00:00.000Z', seq: 1 },
  ...{ touchpointID: 'AD2026T01', partnerID: 'AD2026P001', badge: '04AABBCCDDEEFF', source: 'nfc' },
  ...more,
});

/** Settles the oldest due item with the given result, without sending it. Returns its id. */
const settleFirst = async (
  hub: HubStore,
  told: { kind: 'sent' } | { kind: 'parked'; reason: string },
): Promise<string> => {
  const { outgoing } = await hub.take({ touchpoint: null, partner: null }, { limit: 1, skip: 0 });
  const [first] = outgoing;
  if (first === undefined) throw new Error('Expected an item that is due');
  const { seq, id } = first;
  await hub.settle(
    [told.kind === 'sent' ? { seq, ...told, action: null, revision: null } : { seq, ...told }],
    0,
  );
  return id;
};

test('an item is stored unchanged, nothing is derived from it, and its receipt follows its state', async () => {
  const { store, hub, request, device, enrol, woken } = await startHub();
  await enrol(device, key);
  const item = tap({ fields: { rating: 4, own: { b: 1, a: [null, 'ü'] } } });
  const post = await request('POST', `/actions/${expo}`, key, [item]);
  expect(post).toEqual({ status: 200, json: [{ id: item.id, result: 'created' }] });
  expect(woken()).toBe(1);
  const [kept] = await hub.items('due', 10);
  expect(JSON.parse(kept?.wire ?? '')).toEqual(item);
  expect(await request('GET', `/actions/${expo}?partnerId=AD2026P001`, key)).toMatchObject({ json: [] });
  expect(await store.db.selectFrom('fact').select('id').where('id', '=', item.id).execute()).toEqual([]);

  const receipt = async () =>
    (await request('GET', `/hub/receipts/${expo}?ids=${item.id},${'0'.repeat(8)}`, key)).json;
  const unknown = { id: '00000000', state: 'unknown' };
  expect(await receipt()).toEqual({ receipts: [{ id: item.id, state: 'at-hub' }, unknown] });
  await settleFirst(hub, { kind: 'sent' });
  expect(await receipt()).toEqual({ receipts: [{ id: item.id, state: 'sent' }, unknown] });
  await hub.confirm([{ id: item.id, action: null, revision: null }], 0);
  expect(await receipt()).toEqual({ receipts: [{ id: item.id, state: 'confirmed' }, unknown] });
});

test('an id has one content: a repeat is a duplicate, and other content is rejected, even within one batch', async () => {
  const { hub, request, device, enrol } = await startHub();
  await enrol(device, key);
  const item = tap();
  const batch = [item, item, { ...item, badge: '04FFFFFFFFFFFF' }];
  const { json } = await request('POST', `/actions/${expo}`, key, batch);
  expect(json).toMatchObject([{ result: 'created' }, { result: 'duplicate' }, { result: 'rejected' }]);
  const again = await request('POST', `/actions/${expo}`, key, batch);
  expect(again.json).toMatchObject([
    { result: 'duplicate' },
    { result: 'duplicate' },
    { result: 'rejected' },
  ]);
  expect(await hub.counts()).toMatchObject({ taken: 1, due: 1 });
});

test('a fact that upstream refused shows its reason, and may be submitted again with other content', async () => {
  const { hub, request, device, enrol } = await startHub();
  await enrol(device, key);
  const item = tap({ touchpointID: 'AD2026T01' });
  await request('POST', `/actions/${expo}`, key, [item]);
  await settleFirst(hub, { kind: 'parked', reason: 'partnerID: gone' });
  const ask = async () => (await request('GET', `/hub/receipts/${expo}?ids=${item.id}`, key)).json;
  expect(await ask()).toEqual({ receipts: [{ id: item.id, state: 'parked', reason: 'partnerID: gone' }] });
  const mended = { ...item, badge: '04EEEEEEEEEEEE' };
  const { json } = await request('POST', `/actions/${expo}`, key, [mended]);
  expect(json).toEqual([{ id: item.id, result: 'created' }]);
  expect(await hub.items('due', 1)).toMatchObject([{ id: item.id, wire: JSON.stringify(mended) }]);
});

test('a device submits for its own touchpoint and partner only, and a faulty item does not affect the others', async () => {
  const { hub, request, device, enrol } = await startHub();
  await enrol(device, key);
  const items = [tap({ touchpointID: 'AD2026T02' }), tap({ partnerID: 'AD2026P002' }), { id: 'x' }, tap()];
  const { json } = await request('POST', `/actions/${expo}`, key, items);
  expect(json).toMatchObject([
    { result: 'rejected', errors: [{ field: 'touchpointID' }] },
    { result: 'rejected', errors: [{ field: 'partnerID' }] },
    { result: 'rejected' },
    { result: 'created' },
  ]);
  expect(await hub.counts()).toMatchObject({ taken: 1 });
});

test('a device reads the event and its own partner’s leads, and changes nothing', async () => {
  const { store, request, device, enrol } = await startHub();
  await enrol(device, key);
  for (const path of ['visitors', 'partners', 'touchpoints', 'contents', 'registrationTypes'])
    expect([path, (await request('GET', `/${path}/${expo}`, key)).status]).toEqual([path, 200]);
  for (const partnerID of ['AD2026P001', 'AD2026P002']) {
    const lead = { id: `L${partnerID}`, expoID: expo, type: 'partner', visitorID: 'V1', partnerID };
    await store.write((write) => putRecord(write, shapeOf(connections), expo, lead));
  }
  const leadsOf = async (query: string) =>
    ((await request('GET', `/connections/${expo}${query}`, key)).json as readonly { id: string }[]).map(
      ({ id }) => id,
    );
  expect(await leadsOf('')).toEqual(['LAD2026P001']);
  expect(await leadsOf('?partnerId=AD2026P001')).toEqual(['LAD2026P001']);
  expect(await leadsOf('?partnerId=AD2026P002')).toEqual([]);
  expect((await request('GET', `/connections/${expo}/LAD2026P001`, key)).status).toBe(200);
  expect((await request('GET', `/connections/${expo}/LAD2026P002`, key)).status).toBe(404);
  expect((await request('GET', `/orders/${expo}`, key)).status).toBe(404);
  expect((await request('POST', `/visitors/${expo}`, key, { lastName: 'X' })).status).toBe(405);
});

test('a list is not shown before the hub has read it completely', async () => {
  const whole = new Set(['touchpoints']);
  const { request, device, enrol } = await startHub({ isServed: (list) => whole.has(list) });
  await enrol(device, key);
  const lists = ['touchpoints', 'visitors', 'registrationTypes', 'connections', 'actions'];
  const ask = async (): Promise<readonly number[]> => {
    const found: number[] = [];
    for (const list of lists) found.push((await request('GET', `/${list}/${expo}`, key)).status);
    return found;
  };
  expect(await ask()).toEqual([200, 429, 429, 429, 200]);
  for (const list of lists) whole.add(list);
  expect(await ask()).toEqual([200, 200, 200, 200, 200]);
});

test('a list shows a deletion, even if the platform’s list only omits the record', async () => {
  const { store, request, device, enrol } = await startHub();
  await enrol(device, key);
  const gone = { id: 'T1', expoID: expo, partnerID: 'AD2026P001', deleted: true };
  await store.write((write) => putRecord(write, shapeOf(touchpoints), expo, gone));
  const { json } = await request('GET', `/touchpoints/${expo}`, key);
  expect((json as readonly object[]).at(-1)).toMatchObject({ id: 'T1', deleted: true });
});

test('the key in a file is valid for one enrolment, which the same device may repeat', async () => {
  const { request, device, enrol, store, about, until } = await startHub();
  expect((await request('GET', `/visitors/${expo}`, device.key)).status).toBe(403);
  expect((await request('GET', '/hub', device.key)).status).toBe(403);
  expect((await enrol(device, 'short')).status).toBe(422);
  const second = await addDevice(store, about, new Date(), until);
  expect((await enrol({ id: second.id, key: device.key }, key)).status).toBe(403);
  expect(await enrol(device, key)).toEqual({ status: 200, json: { key } });
  expect((await enrol(device, key)).status).toBe(200);
  expect((await enrol(device, otherKey)).status).toBe(409);
  expect((await request('GET', '/hub', otherKey)).status).toBe(401);
  expect(await request('GET', '/hub', key)).toEqual({
    status: 200,
    json: {
      hub: true,
      name: 'Hall 3',
      epoch: 'e1',
      upstream: { state: 'offline', since: 5 },
      alsoSentBy: [],
    },
  });
  const late = await startHub({ days: -1 });
  expect((await late.enrol(late.device, key)).status).toBe(410);
});

test('a revoked device loses all access, before and after its enrolment', async () => {
  const { store, request, device, enrol, about, until } = await startHub();
  await enrol(device, key);
  expect(await revokeDevice(store, device.id, new Date())).toBe(true);
  expect((await request('GET', '/hub', key)).status).toBe(401);
  expect((await request('POST', `/actions/${expo}`, key, [tap()])).status).toBe(401);
  expect(await revokeDevice(store, device.id, new Date())).toBe(false);
  const fresh = await addDevice(store, about, new Date(), until);
  await revokeDevice(store, fresh.id, new Date());
  expect((await enrol(fresh, otherKey)).status).toBe(401);
});

test('a report is stored with its time, and its size is limited', async () => {
  const { store, request, device, enrol } = await startHub();
  await enrol(device, key);
  expect((await request('POST', '/hub/here', key, { version: '1', battery: 0.5 })).status).toBe(200);
  const row = await store.db.selectFrom('device').selectAll().executeTakeFirst();
  expect(JSON.parse(row?.report ?? '')).toEqual({ version: '1', battery: 0.5 });
  expect(row?.reported).not.toBeNull();
  expect((await request('POST', '/hub/here', key, { text: 'x'.repeat(9_000) })).status).toBe(400);
});

test('both devices are informed that they submitted the same fact, even at different touchpoints', async () => {
  const { store, request, device, enrol, about, until } = await startHub();
  await enrol(device, key);
  const copies = [
    { ...about, name: 'Copy' },
    { ...about, name: 'Far copy', touchpointId: 'AD2026T02' },
  ];
  const others = await Promise.all(copies.map((copy) => addDevice(store, copy, new Date(), until)));
  const keys = ['c', 'f'].map((letter) => letter.repeat(43));
  for (const [index, other] of others.entries()) await enrol(other, keys[index] ?? '');
  const items = [tap(), tap()];
  for (const one of [key, keys[0], key, keys[0]])
    await request('POST', `/actions/${expo}`, one ?? '', items.slice(0, 1));
  const alsoSentBy = async (one: string) =>
    ((await request('GET', '/hub', one)).json as { readonly alsoSentBy: unknown }).alsoSentBy;
  expect(await alsoSentBy(key)).toEqual([{ device: 'Copy', facts: 1 }]);
  expect(await alsoSentBy(keys[0] ?? '')).toEqual([{ device: 'Left', facts: 1 }]);
  expect(await alsoSentBy(keys[1] ?? '')).toEqual([]);
  await request('POST', `/actions/${expo}`, key, items.slice(1));
  const far = await request('POST', `/actions/${expo}`, keys[1] ?? '', items.slice(1));
  expect(far.json).toMatchObject([{ result: 'rejected', errors: [{ field: 'touchpointID' }] }]);
  expect(await alsoSentBy(keys[1] ?? '')).toEqual([{ device: 'Left', facts: 1 }]);
});

test('only devices of the same partner read the facts that a device submitted', async () => {
  const { store, request, device, enrol, about, until } = await startHub();
  await enrol(device, key);
  const second = await addDevice(store, { ...about, name: 'Right' }, new Date(), until);
  const elsewhere = { ...about, name: 'Other', touchpointId: 'AD2026T02', partnerId: 'AD2026P002' };
  const third = await addDevice(store, elsewhere, new Date(), until);
  await enrol(second, otherKey);
  await enrol(third, 't'.repeat(43));
  const items = [tap(), tap({ kind: 'qualify', fields: { notes: 'Call', rating: 4 } })];
  await request('POST', `/actions/${expo}`, key, items);
  const facts = async (one: string, after = 0) =>
    (await request('GET', `/hub/facts/${expo}?after=${after}`, one)).json as {
      readonly facts: readonly { readonly seq: number; readonly item: unknown; readonly device: unknown }[];
      readonly next: number;
      readonly more: boolean;
    };
  const told = await facts(otherKey);
  expect(told.facts.map(({ item }) => item)).toEqual(items);
  expect(told.facts[0]?.device).toEqual({ id: device.id, name: 'Left' });
  expect((await facts(otherKey, told.facts[0]?.seq)).facts.map(({ item }) => item)).toEqual(items.slice(1));
  expect(await facts(otherKey, told.next)).toEqual({
    facts: [],
    forgotten: [],
    next: told.next,
    more: false,
  });
  expect((await facts(key)).facts).toEqual([]);
  expect((await facts('t'.repeat(43))).facts).toEqual([]);

  // Only a full answer says that more may follow. After any other answer a device needs no extra request to find the
  // end.
  const many = Array.from({ length: 99 }, () => tap());
  await request('POST', `/actions/${expo}`, key, many);
  const page = await facts(otherKey, told.facts[0]?.seq);
  expect([page.facts.length, page.more]).toEqual([100, false]);
  await request(
    'POST',
    `/actions/${expo}`,
    key,
    Array.from({ length: 100 }, () => tap()),
  );
  const full = await facts(otherKey);
  expect([full.facts.length, full.more]).toEqual([200, true]);
});

test('the platform sends e-mails: its answer is passed on, and while it is unreachable the hub answers 503', async () => {
  const asked: unknown[] = [];
  const words = ['sent', 'notSent', 'refused', 'away'] as const;
  const { request, device, enrol } = await startHub({
    askForEmail: async (...about) => words[asked.push(about) - 1] ?? 'away',
  });
  await enrol(device, key);
  const body = { visitorId: 'AD2026V000002', type: 'confirmation', force: true };
  const ask = () => request('POST', `/sendemail/${expo}`, key, body);
  expect(await ask()).toEqual({ status: 200, json: { ...body, sent: true } });
  expect(await ask()).toEqual({ status: 200, json: { ...body, sent: false } });
  expect(await ask()).toMatchObject({ status: 400 });
  expect(await ask()).toMatchObject({ status: 503 });
  expect(asked).toEqual(words.map(() => ['AD2026V000002', true]));

  const nowhere = { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', password: '', expoId: 'E1' };
  const gone = createClient(nowhere, realClock);
  onTestFinished(gone.close);
  expect(await createAskForEmail(gone, 'E1')('V1', true)).toBe('away');
});
