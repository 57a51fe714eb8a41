/**
 * The rights of a device at a hub beyond its own facts: undoing facts, reading receipts, reading pages of the hub.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeFleetKey } from '../../../src-hub/fleet/entry.ts';
import { addDevice, revokeDevice } from '../../../src-platform/keys/devices.ts';
import { expo, startHub } from './serving-hub.ts';

const KEY = 'k'.repeat(43);
const PARTNER = 'AD2026P001';

const tap = (more: object = {}) => ({
  id: randomUUID(),
  kind: 'tap',
  at: '2026-11-24T10:00:00.000Z',
  touchpointID: 'AD2026T01',
  partnerID: PARTNER,
  badge: '04AABBCCDDEEFF',
  ...more,
});

/** A hub with one enrolled device. `join` adds another one, whose key is its letter 43 times. */
const startStand = async () => {
  const hub = await startHub();
  await hub.enrol(hub.device, KEY);
  const join = async (letter: string, more: object = {}): Promise<string> => {
    const device = await addDevice(hub.store, { ...hub.about, name: letter, ...more }, new Date(), hub.until);
    await hub.enrol(device, letter.repeat(43));
    return letter.repeat(43);
  };
  const submit = async (user: string, item: object) => {
    const { json } = await hub.request('POST', `/actions/${expo}`, user, [item]);
    const [answer] = json as readonly { readonly result: string; readonly errors?: object[] }[];
    return answer;
  };
  const receipts = async (user: string, ...ids: readonly string[]) =>
    (await hub.request('GET', `/hub/receipts/${expo}?ids=${ids.join(',')}`, user)).json as {
      readonly receipts: readonly { readonly id: string; readonly state: string }[];
    };
  return { ...hub, join, submit, receipts };
};

const undoOf = (id: string, more: object = {}) =>
  tap({ kind: 'undo', badge: undefined, undoes: id, ...more });

test('a device cannot undo a fact of another partner, with or without signed-in staff', async () => {
  const { hub, join, submit } = await startStand();
  const foreign = await join('f', { touchpointId: 'AD2026T02', partnerId: 'AD2026P002' });
  const theirs = tap();
  await submit(KEY, theirs);
  const place = { touchpointID: 'AD2026T02', partnerID: 'AD2026P002' };
  for (const staff of [undefined, 'Somebody'])
    expect(await submit(foreign, undoOf(theirs.id, { ...place, staff }))).toMatchObject({
      result: 'rejected',
      errors: [{ field: 'undoes', error: 'foreign' }],
    });
  expect(await hub.counts()).toMatchObject({ taken: 1, due: 1 });
});

test('within a partner only the capturing device or signed-in staff can undo a fact', async () => {
  const { join, submit } = await startStand();
  const colleague = await join('c');
  const elsewhere = await join('e', { touchpointId: 'AD2026T03' });
  const [first, second] = [tap(), tap()];
  for (const item of [first, second]) await submit(KEY, item);
  expect(await submit(colleague, undoOf(first.id))).toMatchObject({ result: 'rejected' });
  expect(await submit(KEY, undoOf(first.id))).toMatchObject({ result: 'created' });
  expect(await submit(colleague, undoOf(second.id, { staff: 'Ada' }))).toMatchObject({ result: 'created' });
  expect(
    await submit(elsewhere, undoOf(second.id, { touchpointID: 'AD2026T03', staff: 'Ada' })),
  ).toMatchObject({ result: 'created' });
});

test('an exact repeat of an accepted undo is a duplicate from any sender', async () => {
  const { hub, join, submit } = await startStand();
  const colleague = await join('c');
  const first = tap();
  const undo = undoOf(first.id);
  await submit(KEY, first);
  expect(await submit(KEY, undo)).toMatchObject({ result: 'created' });
  // The colleague's laptop has a copied disk. It may not undo the fact, but it may repeat the undo of the fact's
  // owner.
  expect(await submit(colleague, undo)).toMatchObject({ result: 'duplicate' });
  expect(await hub.counts()).toMatchObject({ taken: 2, due: 2 });
});

test('a copied disk submits its fact and undoes it in one request', async () => {
  const { hub, request, join, submit } = await startStand();
  const copied = await join('c');
  const first = tap();
  await submit(KEY, first);
  const { json } = await request('POST', `/actions/${expo}`, copied, [first, undoOf(first.id)]);
  expect(json).toMatchObject([{ result: 'duplicate' }, { result: 'created' }]);
  expect(await hub.counts()).toMatchObject({ taken: 2, due: 2 });
});

test('another undo with a known id is refused for a device that may not undo the fact', async () => {
  const { hub, store, join, submit } = await startStand();
  const colleague = await join('c');
  const [first, second] = [tap(), tap()];
  const undo = undoOf(first.id);
  for (const item of [first, second, undo]) await submit(KEY, item);
  const foreign = { result: 'rejected', errors: [{ field: 'undoes', error: 'foreign' }] };
  const others = [
    { ...undo, undoes: second.id },
    { ...undo, at: '2026-11-24T10:00:01.000Z' },
  ];
  for (const other of others) expect(await submit(colleague, other)).toMatchObject(foreign);
  // An item that the platform refused may be submitted again with other content, but not by this device.
  const { outgoing } = await hub.take({ touchpoint: null, partner: null }, { limit: 3, skip: 0 });
  const seq = outgoing.find(({ id }) => id === undo.id)?.seq ?? 0;
  await hub.settle([{ seq, kind: 'parked', reason: 'refused' }], 1);
  for (const other of others) expect(await submit(colleague, other)).toMatchObject(foreign);
  const kept = await store.db
    .selectFrom('relay_fact')
    .select(['state', 'undoes'])
    .where('id', '=', undo.id)
    .executeTakeFirstOrThrow();
  expect(kept).toEqual({ state: 'parked', undoes: first.id });
});

test('a laptop that was set up again can undo facts from before its revocation', async () => {
  const { store, device, join, submit } = await startStand();
  const first = tap();
  await submit(KEY, first);
  const again = await join('r');
  const elsewhere = await join('e', { touchpointId: 'AD2026T03' });
  expect(await submit(again, undoOf(first.id))).toMatchObject({ result: 'rejected' });
  await revokeDevice(store, device.id, new Date());
  const place = { touchpointID: 'AD2026T03' };
  expect(await submit(elsewhere, undoOf(first.id, place))).toMatchObject({ result: 'rejected' });
  expect(await submit(again, undoOf(first.id))).toMatchObject({ result: 'created' });
});

test('a colleague’s laptop can undo the facts of a person whom the partner has forgotten', async () => {
  const { request, join, submit } = await startStand();
  const colleague = await join('e', { touchpointId: 'AD2026T03' });
  const theirs = tap();
  await submit(KEY, theirs);
  await request('POST', `/hub/forget/${expo}`, colleague, {
    id: randomUUID(),
    at: '2026-11-24T11:00:00.000Z',
    facts: [theirs.id],
    people: [],
  });
  expect(await submit(colleague, undoOf(theirs.id))).toMatchObject({ result: 'created' });
});

test('a fact without a partner gets the partner of its device, so that the team can read it and it can be forgotten', async () => {
  const { request, store, join, submit } = await startStand();
  const colleague = await join('c');
  const bare = tap({ partnerID: undefined });
  expect(await submit(KEY, bare)).toMatchObject({ result: 'created' });
  const { json } = await request('GET', `/hub/facts/${expo}?after=0`, colleague);
  const { facts } = json as { readonly facts: readonly { readonly item: object }[] };
  expect(facts.map(({ item }) => item)).toMatchObject([{ id: bare.id, partnerID: PARTNER }]);
  await request('POST', `/hub/forget/${expo}`, colleague, {
    id: randomUUID(),
    at: '2026-11-24T11:00:00.000Z',
    facts: [bare.id],
    people: [],
  });
  const row = await store.db
    .selectFrom('relay_fact')
    .selectAll()
    .where('id', '=', bare.id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ item: '', badge_mark: null, visitor_mark: null });
});

test('a device gets receipts for its own facts and those of its partner, and no receipts for others', async () => {
  const { join, submit, receipts } = await startStand();
  const colleague = await join('c');
  const foreign = await join('f', { touchpointId: 'AD2026T02', partnerId: 'AD2026P002' });
  const nobodys = await join('n', { touchpointId: 'AD2026T04', partnerId: null });
  const item = tap();
  await submit(KEY, item);
  const own = { receipts: [{ id: item.id, state: 'at-hub' }] };
  expect(await receipts(KEY, item.id)).toEqual(own);
  expect(await receipts(colleague, item.id)).toEqual(own);
  expect(await receipts(foreign, item.id)).toEqual({ receipts: [] });
  expect(await receipts(nobodys, item.id)).toEqual({ receipts: [] });
});

test('metrics and the description of a hub need a key, however the URL is written', async () => {
  const { baseUrl, device, store } = await startStand();
  const fleetKey = await makeFleetKey(store);
  const { origin } = new URL(baseUrl);
  const read = async (path: string, key: string | null): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const { status } = await fetch(origin + path, { headers: key === null ? {} : { authorization } });
    return status;
  };
  for (const path of ['/metrics', '/%6detrics', '/docs', '/docs/', '/docs/json', '/openapi.json']) {
    for (const nobody of [null, 'x'.repeat(43), device.key])
      expect([path, await read(path, nobody)]).toEqual([path, 401]);
    for (const key of [KEY, fleetKey]) expect([path, await read(path, key)]).toEqual([path, 200]);
  }
  expect(await read('/health/live', null)).toBe(200);
});
