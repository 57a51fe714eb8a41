/**
 * What taps cause at the platform: actions, connections and attendance, through `POST /actions/{expoId}`.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

const amelie = '04A1B2C3D4E5F6';
const amelieId = 'AD2026V000001';
const northwind = 'AD2026P001';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const item = (more: object) => ({
  id: randomUUID(),
  kind: 'tap',
  at: '2026-11-21T10:15:30.123Z',
  seq: 1,
  touchpointID: 'AD2026T01',
  source: 'nfc',
  ...more,
});
const send = async (...items: unknown[]) => {
  const answer = await platform.request('POST', '/actions/AD2026', { body: items });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const connectionOf = async (visitorId: string, type = 'partner') => {
  const path = `/connections/AD2026?type=${type}&visitorId=${visitorId}&partnerId=${northwind}`;
  return (await platform.request('GET', path)).json[0];
};
const newVisitor = async (code: string, more: object = {}) => {
  const body = {
    lastName: 'Late',
    registrationState: 'registered',
    badges: [{ type: 'nfc', code }],
    ...more,
  };
  const answer = await platform.request('POST', '/visitors/AD2026', { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

describe('a tap', () => {
  it('becomes an action, a connection and an attendance of its visitor', async () => {
    const tap = item({ badge: amelie });
    const [result] = await send(tap);
    expect(result).toMatchObject({ id: tap.id, result: 'created' });
    const list = await platform.request('GET', `/actions/AD2026?fromRevision=${result.revision}`);
    expect(list.json[0]).toMatchObject({
      id: result.actionID,
      clientID: tap.id,
      visitorID: amelieId,
      partnerID: northwind,
      locationID: 'HALL4',
      type: 'scan',
    });
    expect(await connectionOf(amelieId)).toMatchObject({ type: 'partner', count: 1, first: tap.at });
    const participant = await platform.request('GET', `/participants/AD2026/${amelieId}`);
    expect(participant.json).toMatchObject({ present: true, actions: 1, connections: 1, firstSeen: tap.at });
  });

  it('sent again with the same content is a duplicate with the first result', async () => {
    const tap = item({ badge: '04B23C7A915E80' });
    const [first] = await send(tap);
    const reordered = Object.fromEntries(Object.entries(tap).reverse());
    const [again] = await send({ ...reordered, at: '2026-11-21T11:15:30.123+01:00' });
    expect(again).toEqual({ ...first, result: 'duplicate' });
    expect(await connectionOf('AD2026V000002')).toMatchObject({ count: 1 });
  });

  it('sent again with other content is rejected', async () => {
    const tap = item({ badge: amelie });
    await send(tap);
    const [again] = await send({ ...tap, badge: '04B23C7A915E80' });
    expect(again).toMatchObject({ id: tap.id, result: 'rejected', errors: [{ field: 'id' }] });
  });

  it('keeps a 64-bit sequence number and is refused beyond it', async () => {
    const raw = (seq: string) =>
      JSON.stringify([{ ...item({ badge: amelie }), seq: 0 }]).replace('"seq":0', `"seq":${seq}`);
    const headers = { 'content-type': 'application/json' };
    const fits = await platform.request('POST', '/actions/AD2026', {
      raw: raw('9223372036854775807'),
      headers,
    });
    expect(fits.json[0].result).toBe('created');
    const stored = await platform.store.db
      .selectFrom('fact')
      .select('seq')
      .where('id', '=', fits.json[0].id)
      .executeTakeFirstOrThrow();
    expect(stored.seq).toBe(9_223_372_036_854_775_807n);
    const beyond = await platform.request('POST', '/actions/AD2026', {
      raw: raw('9223372036854775808'),
      headers,
    });
    expect(beyond.json[0]).toMatchObject({ result: 'rejected', errors: [{ field: 'seq' }] });
  });
});

describe('a batch', () => {
  it('accepts valid items and reports invalid ones by id', async () => {
    const good = item({ badge: amelie });
    const bad = item({ badge: amelie, touchpointID: 'NOWHERE' });
    const results = await send(bad, 'nonsense', { id: 7 }, good);
    expect(results).toMatchObject([
      { id: bad.id, result: 'rejected', errors: [{ field: 'touchpointID', error: 'unknown' }] },
      { id: null, result: 'rejected' },
      { id: null, result: 'rejected' },
      { id: good.id, result: 'created' },
    ]);
  });

  it('takes earlier items of the batch into account: an id that is sent twice, and a tap that is undone in the same batch', async () => {
    const badge = '04C0FFEE123456';
    const [tap, other] = [item({ badge, seq: 1 }), item({ badge, seq: 2 })];
    const results = await send(tap, tap, { ...tap, seq: 9 }, other, item({ kind: 'undo', undoes: tap.id }));
    expect(results).toMatchObject([
      { result: 'created' },
      { result: 'duplicate', actionID: results[0].actionID, revision: results[0].revision },
      { result: 'rejected', errors: [{ field: 'id', error: 'conflict' }] },
      { result: 'created' },
      { result: 'created' },
    ]);
    const list = await platform.request('GET', `/actions/AD2026?fromRevision=${results[0].revision}`);
    const deletedOf = (id: string) => list.json.find((entry: { id: string }) => entry.id === id)?.deleted;
    expect(deletedOf(results[0].actionID)).toBe(true);
    expect(deletedOf(results[3].actionID)).toBeUndefined();
    expect(await connectionOf('AD2026V000003')).toMatchObject({ count: 1, first: other.at });
  });

  it('uses one activation of the license if its touchpoint never sent before', async () => {
    const activations = async () => {
      const { json } = await platform.request('GET', '/licenses/AD2026');
      return json.reduce((sum: number, license: { activations: number }) => sum + license.activations, 0);
    };
    const { json: touchpoints } = await platform.request('GET', '/touchpoints/AD2026');
    const licensed = new Set(
      (await platform.request('GET', '/licenses/AD2026')).json
        .filter((license: { type: string }) => license.type === 'touchpoint')
        .map((license: { partnerID: string }) => license.partnerID),
    );
    const sent = await platform.store.db.selectFrom('fact').select('touchpoint_id').distinct().execute();
    const fresh = touchpoints.find(
      (touchpoint: { id: string; partnerID?: string }) =>
        licensed.has(touchpoint.partnerID) && !sent.some((row) => row.touchpoint_id === touchpoint.id),
    );
    const before = await activations();
    await send(...[1, 2, 3].map((seq) => item({ badge: amelie, touchpointID: fresh.id, seq })));
    await send(item({ badge: amelie, touchpointID: fresh.id }));
    expect(await activations()).toBe(before + 1);
  });

  it('is refused as a whole if it has more than 100 items', async () => {
    const body = Array.from({ length: 101 }, () => item({ badge: amelie }));
    expect((await platform.request('POST', '/actions/AD2026', { body })).status).toBe(422);
  });
});

describe('an unknown badge', () => {
  it('is accepted without a visitor and gets one when the badge appears', async () => {
    const tap = item({ badge: '04:99:00:00:be:ef:01' });
    const note = item({ kind: 'note', badge: '04990000BEEF01', fields: { notes: 'Wants a call' } });
    const [created] = await send(tap, note);
    const before = await platform.request('GET', `/actions/AD2026?fromRevision=${created.revision}&limit=1`);
    expect(before.json[0]).not.toHaveProperty('visitorID');
    const visitor = await newVisitor('04990000BEEF01');
    const after = await platform.request('GET', `/actions/AD2026?visitorId=${visitor.id}`);
    expect(after.json).toMatchObject([{ id: created.actionID, clientID: tap.id, visitorID: visitor.id }]);
    expect(after.json[0].revision).toBeGreaterThan(created.revision);
    expect(await connectionOf(visitor.id)).toMatchObject({ count: 1, notes: 'Wants a call' });
  });

  it('is also kept while its visitor is not registered, and is resolved after the registration', async () => {
    const visitor = await newVisitor('04990000BEEF02', { registrationState: 'incomplete' });
    await send(item({ badge: '04990000BEEF02' }));
    expect(await connectionOf(visitor.id)).toBeUndefined();
    const body = { ...visitor, registrationState: 'registered' };
    await platform.request('PUT', `/visitors/AD2026/${visitor.id}`, { body });
    expect(await connectionOf(visitor.id)).toMatchObject({ count: 1 });
  });
});

describe('a badge that passes to another visitor', () => {
  const remove = (id: string) => platform.request('DELETE', `/visitors/AD2026/${id}`);
  const earlier = '2026-11-20T10:00:00.000Z';

  it('leaves its taps with an earlier visitor who was cancelled and later deleted', async () => {
    const code = '04990000BEEF11';
    const first = await newVisitor(code, { registrationState: 'cancelled' });
    const [tap] = await send(item({ badge: code, at: earlier }));
    await remove(first.id);
    const second = await newVisitor(code);
    expect(await connectionOf(second.id)).toBeUndefined();
    const actions = await platform.request('GET', `/actions/AD2026?fromRevision=${tap.revision}`);
    expect(actions.json.find(({ id }: { id: string }) => id === tap.actionID)).not.toHaveProperty(
      'visitorID',
    );
  });

  it('resolves a late tap for the owner at the time of the tap', async () => {
    const code = '04990000BEEF12';
    const first = await newVisitor(code);
    const body = { ...first, badges: [] };
    await platform.request('PUT', `/visitors/AD2026/${first.id}`, { body });
    const second = await newVisitor(code);
    await send(item({ badge: code, at: earlier }), item({ badge: code, at: '2099-01-01T00:00:00.000Z' }));
    expect(await connectionOf(first.id)).toMatchObject({ count: 1, first: earlier });
    expect(await connectionOf(second.id)).toMatchObject({ count: 1, first: '2099-01-01T00:00:00.000Z' });
  });

  it('returns the taps of an earlier owner when that visitor is registered after all', async () => {
    const code = '04990000BEEF13';
    const first = await newVisitor(code, { registrationState: 'denied' });
    await send(item({ badge: code, at: earlier }));
    const body = { ...first, badges: [], registrationState: 'registered' };
    await platform.request('PUT', `/visitors/AD2026/${first.id}`, { body });
    expect(await connectionOf(first.id)).toMatchObject({ count: 1 });
  });
});

describe('qualifying', () => {
  it('merges field by field: an absent field never erases, null does', async () => {
    const badge = '04F61B2C8D3A40';
    const at = (second: number) => `2026-11-21T12:00:0${second}.000Z`;
    await send(
      item({ badge, at: at(0) }),
      item({ badge, at: at(1), kind: 'qualify', fields: { rating: 4, notes: 'Large order' } }),
      item({ badge, at: at(2), kind: 'qualify', fields: { labels: ['hot'] } }),
      item({ badge, at: at(3), kind: 'consent', fields: { consent: true } }),
      item({ badge, at: at(4) }),
    );
    const merged = { rating: 4, notes: 'Large order', labels: ['hot'], consent: true, count: 2 };
    expect(await connectionOf('AD2026V000006')).toMatchObject(merged);
    await send(item({ badge, at: at(5), kind: 'note', fields: { notes: null } }));
    expect(await connectionOf('AD2026V000006')).not.toHaveProperty('notes');
    expect(await connectionOf('AD2026V000006')).toMatchObject({ rating: 4 });
  });

  it('is ordered by the time of each edit, in any order of arrival', async () => {
    const badge = '04E55A0913CC72';
    await send(item({ badge, at: '2026-11-21T09:00:00.000Z' }));
    await send(item({ badge, kind: 'qualify', at: '2026-11-21T09:02:00.000Z', fields: { rating: 5 } }));
    await send(item({ badge, kind: 'qualify', at: '2026-11-21T09:01:00.000Z', fields: { rating: 1 } }));
    expect(await connectionOf('AD2026V000005')).toMatchObject({ rating: 5 });
  });

  it('refuses a rating above 5 and names the field', async () => {
    const [result] = await send(item({ kind: 'qualify', badge: amelie, fields: { rating: 6 } }));
    expect(result).toMatchObject({ result: 'rejected', errors: [{ field: 'fields.rating' }] });
  });
});

describe('collecting, checking in and undoing', () => {
  it('a collected content is in the lead of the partner and in the list of the visitor', async () => {
    const [result] = await send(
      item({ kind: 'collect', touchpointID: 'AD2026T03', badge: '04D41E77A2B690' }),
    );
    expect(result.result).toBe('created');
    expect(await connectionOf('AD2026V000004')).toMatchObject({ contents: ['AD2026P001N1'] });
    expect(await connectionOf('AD2026V000004', 'visitor')).toMatchObject({ contents: ['AD2026P001N1'] });
    const byOwner = await platform.request('GET', '/connections/AD2026?visitorId=AD2026V000004');
    expect(byOwner.json.map((entry: { type: string }) => entry.type)).toEqual(['visitor']);
  });

  it('a check-in notes when the visitor entered and left', async () => {
    const checkin = { kind: 'checkin', touchpointID: 'AD2026T04', badge: '0485C3B7A61D2E' };
    await send(
      item({ ...checkin, at: '2026-11-21T08:00:00.000Z' }),
      item({ ...checkin, at: '2026-11-21T08:40:00.000Z', fields: { direction: 'out' } }),
    );
    const { json } = await platform.request('GET', '/participants/AD2026/AD2026V000008');
    expect(json.activities).toEqual([
      { activityID: 'AD2026A01', entered: '2026-11-21T08:00:00.000Z', left: '2026-11-21T08:40:00.000Z' },
    ]);
  });

  it('a visitor who was turned away at a door attended the event and is not a contact of the partner', async () => {
    const visitor = await newVisitor('04C0FFEE00D00E');
    const turnedAway = item({ badge: '04C0FFEE00D00E', fields: { turnedAway: 'full' } });
    const [result] = await send(turnedAway);
    expect(result).toMatchObject({ result: 'created', actionID: expect.any(String) });
    expect(await connectionOf(visitor.id)).toBeUndefined();
    const summary = () => platform.request('GET', `/participants/AD2026/${visitor.id}`);
    expect((await summary()).json).toMatchObject({ present: true, actions: 1, connections: 0 });
    await send(item({ badge: '04C0FFEE00D00E' }));
    expect(await connectionOf(visitor.id)).toMatchObject({ count: 1 });
    expect((await summary()).json).toMatchObject({ actions: 2, connections: 1 });
  });

  it('an undo undoes only the fact to which it refers', async () => {
    const badge = '0478D2E1F0A9B3';
    const [first, second] = [
      item({ badge, seq: 1 }),
      item({ badge, seq: 2, at: '2026-11-21T11:00:00.000Z' }),
    ];
    const [, result] = await send(first, second);
    await send(item({ kind: 'undo', undoes: second.id }));
    expect(await connectionOf('AD2026V000007')).toMatchObject({ count: 1, last: first.at });
    await send(item({ kind: 'undo', undoes: first.id }));
    expect(await connectionOf('AD2026V000007')).toMatchObject({ deleted: true });
    const list = await platform.request('GET', '/actions/AD2026?visitorId=AD2026V000007');
    expect(list.json.find((entry: { id: string }) => entry.id === result.actionID)).toMatchObject({
      deleted: true,
    });
    const [unknown] = await send(item({ kind: 'undo', undoes: randomUUID() }));
    expect(unknown).toMatchObject({ result: 'rejected', errors: [{ field: 'undoes' }] });
  });

  it('an undo removes what the fact said about the person, even within one batch, and a resend restores nothing', async () => {
    const fields = { name: 'Zoë Verschwunden', email: 'zoe@example.org' };
    const notes = [1, 2].map((seq) => item({ kind: 'qualify', badge: '0478D2E1F0A9B3', seq, fields }));
    const [first, second] = notes;
    const kept = async (): Promise<readonly unknown[]> =>
      platform.store.db
        .selectFrom('fact')
        .select('fields')
        .where(
          'id',
          'in',
          notes.map(({ id }) => id),
        )
        .execute();
    await send(first);
    expect(JSON.stringify(await kept())).toContain('Verschwunden');
    await send(item({ kind: 'undo', undoes: first?.id }));
    await send(second, item({ kind: 'undo', undoes: second?.id }));
    expect(await send(first)).toMatchObject([{ result: 'duplicate' }]);
    expect(await kept()).toEqual([{ fields: null }, { fields: null }]);
  });

  it('undos of all facts leave only ids in the deleted connection', async () => {
    const badge = '04BADC0FFEE001';
    const visitor = await newVisitor(badge);
    const facts = [
      item({ badge, seq: 1 }),
      item({ badge, seq: 2, kind: 'qualify', fields: { notes: 'Calls on Monday' } }),
      item({ badge, seq: 3, kind: 'correct', fields: { email: 'zoe@example.org' } }),
    ];
    await send(...facts);
    const { id, notes, corrected } = await connectionOf(visitor.id);
    expect({ notes, corrected }).toEqual({
      notes: 'Calls on Monday',
      corrected: { email: 'zoe@example.org' },
    });
    await send(...facts.map((fact, index) => item({ kind: 'undo', undoes: fact.id, seq: 4 + index })));
    expect(await connectionOf(visitor.id)).toEqual({
      ...{ id, expoID: 'AD2026', type: 'partner', visitorID: visitor.id, partnerID: northwind },
      ...{ deleted: true, revision: expect.anything() },
    });
  });
});

describe('the demo badges', () => {
  it('belong to visitors of the demo event exactly if they are marked so', async () => {
    const file = new URL('../../assets/demo/badges.json', import.meta.url);
    type Badge = { code: string; alias: string; kind: string; name: string };
    const badges = JSON.parse(await readFile(file, 'utf8')) as Badge[];
    expect(badges.filter((badge) => badge.kind === 'visitor')).toHaveLength(9);
    for (const badge of badges) {
      const row = await platform.store.db
        .selectFrom('badge')
        .select('visitor_id')
        .where('expo_id', '=', 'AD2026')
        .where('code', '=', badge.code)
        .executeTakeFirst();
      expect(row !== undefined, badge.code).toBe(badge.kind === 'visitor');
      if (!row) continue;
      const { json } = await platform.request('GET', `/visitors/AD2026/${row.visitor_id}`);
      expect(json.registrationState).toBe(badge.alias === 'olga' ? 'incomplete' : 'registered');
      expect([
        `${json.firstName} ${json.lastName}`,
        `${json.lastName} ${json.firstName}`,
        json.lastName,
      ]).toContain(badge.name);
    }
  });
});
