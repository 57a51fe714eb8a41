/** A request to forget a person at a hub, step by step. */
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { expo, startHub } from '../serving/serving-hub.ts';

const BEFORE = '2026-11-23T08:00:00.000Z';
const ASKED = '2026-11-23T09:00:00.000Z';
const AFTER = '2026-11-23T10:00:00.000Z';
const PARTNER = 'AD2026P001';

/** The pseudonym hash of a badge or a visitor, as docs/hub.md describes it. */
const markOf = (kind: 'badge' | 'visitor', code: string, partner = PARTNER): string =>
  `${kind}:${createHash('sha256').update([expo, partner, kind, code].join('\n')).digest('hex')}`;

const tap = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'tap', at: BEFORE, touchpointID: 'AD2026T01', partnerID: PARTNER },
  ...{ badge: 'B1', ...more },
});

const stand = async () => {
  const hub = await startHub();
  const key = 'a'.repeat(43);
  await hub.enrol(hub.device, key);
  const join = async (name: string, more: object = {}) => {
    const device = await addDevice(hub.store, { ...hub.about, name, ...more }, new Date(), hub.until);
    await hub.enrol(device, name.repeat(43));
    return name.repeat(43);
  };
  const post = async (user: string, ...items: readonly object[]) =>
    (await hub.request('POST', `/actions/${expo}`, user, items)).json as readonly {
      readonly result: string;
      readonly errors?: readonly { readonly error: string }[];
    }[];
  const forget = (user: string, more: object = {}) =>
    hub.request('POST', `/hub/forget/${expo}`, user, {
      ...{ id: randomUUID(), at: ASKED, facts: [], people: [], ...more },
    });
  const rowOf = ({ id }: { readonly id: string }) =>
    hub.store.db.selectFrom('relay_fact').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const set = (one: { readonly id: string }, state: string) =>
    hub.store.transaction(async (db) => {
      await db.updateTable('relay_fact').set({ state }).where('id', '=', one.id).execute();
    });
  return { ...hub, key, join, post, forget, rowOf, set };
};

test('a request to forget erases the listed facts and the person’s earlier ones, but no later ones and no one else’s', async () => {
  const { key, join, post, forget, rowOf, store } = await stand();
  const second = await join('b');
  const named = tap();
  const unnamed = tap({ badge: 'B1', fields: { notes: 'Of theirs' }, kind: 'qualify' });
  const later = tap({ at: AFTER });
  const somebody = tap({ badge: 'B2' });
  await post(key, named, later, somebody);
  await post(second, unnamed);
  expect((await forget(key, { facts: [named.id], people: [markOf('badge', 'B1')] })).json).toEqual({
    neverOut: [named.id],
  });
  expect(
    await Promise.all([named, unnamed, later, somebody].map(async (one) => (await rowOf(one)).item)),
  ).toEqual(['', '', JSON.stringify(later), JSON.stringify(somebody)]);
  const kept = JSON.stringify([
    await store.db.selectFrom('forgetting').selectAll().execute().then(String),
    await store.db.selectFrom('forgotten').select(['mark', 'at']).execute(),
  ]);
  expect(kept).not.toContain('B1"');
});

test('a request to forget keeps the facts of another visitor who has the badge now', async () => {
  const { key, post, forget, rowOf } = await stand();
  const theirs = tap({ visitorID: 'AD2026V000001' });
  const unknown = tap();
  const another = tap({ visitorID: 'AD2026V000002' });
  await post(key, theirs, unknown, another);
  await forget(key, { people: [markOf('badge', 'B1'), markOf('visitor', 'AD2026V000001')] });
  const items = await Promise.all([theirs, unknown, another].map(async (one) => (await rowOf(one)).item));
  expect(items).toEqual(['', '', JSON.stringify(another)]);
  const late = await post(
    key,
    tap({ visitorID: 'AD2026V000001' }),
    tap(),
    tap({ visitorID: 'AD2026V000002' }),
  );
  expect(late.map(({ result }) => result)).toEqual(['rejected', 'rejected', 'created']);
});

test('the answer to a request to forget lists the facts that the platform cannot have, according to their state', async () => {
  const { key, post, forget, rowOf, set } = await stand();
  const states = ['due', 'in_flight', 'uncertain', 'sent', 'confirmed', 'parked'];
  const items = states.map(() => tap());
  await post(key, ...items);
  for (const [index, item] of items.entries()) await set(item, states[index] ?? '');
  const request = { id: randomUUID(), facts: items.map(({ id }) => id) };
  const [due, , , , , parked] = items;
  const answer = { neverOut: [due?.id, parked?.id] };
  const sorted = (json: unknown) => (json as { neverOut: string[] }).neverOut.toSorted();
  expect(sorted((await forget(key, request)).json)).toEqual(sorted(answer));
  const rows = await Promise.all(items.map(rowOf));
  expect(rows.map(({ state }) => state)).toEqual([
    'parked',
    'parked',
    'parked',
    'sent',
    'confirmed',
    'parked',
  ]);
  expect(rows.every(({ item }) => item === '')).toBe(true);
  // A repeated request gets the same answer and changes nothing.
  expect(sorted((await forget(key, request)).json)).toEqual(sorted(answer));
});

test('a hub refuses facts from before a request to forget from devices of the partner, and accepts those of other partners', async () => {
  const { key, join, post, forget, rowOf, hub } = await stand();
  const second = await join('b');
  const elsewhere = { touchpointId: 'AD2026T02', partnerId: 'AD2026P002' };
  const foreign = await join('c', elsewhere);
  const known = tap();
  const named = tap({ badge: 'B7' });
  await post(key, known);
  await forget(key, { facts: [known.id, named.id], people: [markOf('badge', 'B1')] });
  const unheard = tap({ fields: { notes: 'Unheard' }, kind: 'qualify' });
  const results = await post(second, known, unheard, named, tap({ at: AFTER }));
  expect(results.map(({ result }) => result)).toEqual(['rejected', 'rejected', 'rejected', 'created']);
  expect(results[0]?.errors?.[0]?.error).toBe('forgotten');
  expect((await rowOf(unheard)).item).toBe('');
  const theirs = tap({ touchpointID: 'AD2026T02', partnerID: 'AD2026P002' });
  expect(await post(foreign, theirs)).toMatchObject([{ result: 'created' }]);
  // The refused facts are stored as parked and are never sent.
  const { taken, parked, due } = await hub.counts();
  expect({ taken, parked, due }).toEqual({ taken: 5, parked: 3, due: 2 });
  const { outgoing } = await hub.take({ touchpoint: null, partner: null }, { limit: 10, skip: 0 });
  expect(outgoing.map(({ wire }) => wire)).toEqual(
    expect.not.arrayContaining([expect.stringContaining('Unheard')]),
  );
});

test('a hub does not send a fact that was forgotten after it was taken from the outbox', async () => {
  const { key, post, forget, hub } = await stand();
  const items = [tap(), tap({ badge: 'B2' })];
  await post(key, ...items);
  const batch = await hub.take({ touchpoint: null, partner: null }, { limit: 10, skip: 0 });
  expect(batch.outgoing).toHaveLength(2);
  await forget(key, { facts: [items[0]?.id] });
  expect((await hub.stillInFlight(batch)).outgoing.map(({ id }) => id)).toEqual([items[1]?.id]);
});

test('a request to forget erases facts of its device’s partner only, whose other devices read it in commit order', async () => {
  const { key, join, post, forget, rowOf, request, store, device } = await stand();
  const second = await join('b');
  const foreign = await join('c', { touchpointId: 'AD2026T02', partnerId: 'AD2026P002' });
  const [first, later] = [tap(), tap({ at: AFTER })];
  await post(key, first);
  const wanted = { facts: [first.id], people: [markOf('badge', 'B1')] };
  expect((await forget(foreign, wanted)).status).toBe(200);
  expect((await rowOf(first)).item).toBe(JSON.stringify(first));
  for (const nobody of ['x'.repeat(43), device.key, 'demo-key-touchpoint'])
    expect((await forget(nobody, wanted)).status).toBeGreaterThanOrEqual(401);
  const id = randomUUID();
  await forget(key, { id, ...wanted });
  await post(key, later);
  const told = (user: string, after = 0) =>
    request('GET', `/hub/facts/${expo}?after=${after}`, user).then(
      ({ json }) =>
        json as {
          readonly facts: readonly { readonly seq: number; readonly item: object }[];
          readonly forgotten: readonly { readonly seq: number; readonly id: string }[];
          readonly next: number;
        },
    );
  const page = await told(second);
  expect(page.facts.map(({ item }) => item)).toEqual([later]);
  expect(page.forgotten).toMatchObject([{ id, at: ASKED, facts: [first.id] }]);
  expect(page.forgotten[0]?.seq).toBeLessThan(page.facts[0]?.seq ?? 0);
  expect(await told(second, page.next)).toEqual({ facts: [], forgotten: [], next: page.next, more: false });
  expect((await told(foreign)).forgotten.map((one) => one.id)).not.toContain(id);
  await store.transaction(async (db) => {
    await db.updateTable('device').set({ revoked: ASKED }).where('id', '=', device.id).execute();
  });
  expect((await forget(key, wanted)).status).toBe(401);
});
