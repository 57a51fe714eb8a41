/** Rows for the lists with their own rules: events, connections by owner, registration types. */
import { expect } from 'vitest';
import { type Json, type Row, row } from './row.ts';

const types = (list: readonly Json[]): readonly string[] => [...new Set(list.map((entry) => entry.type))];

export const specialListRows: readonly Row[] = [
  row(
    ['GET /expos', 'authentication 3'],
    'lists the events in the scope of the key',
    async ({ get, ask, platform }) => {
      const all = await get('/expos');
      expect(all.map((expo: Json) => expo.id)).toEqual(['AD2026', 'PN2027']);
      expect(all[0]).toEqual({
        id: 'AD2026',
        name: 'Automation Days 2026',
        description: expect.any(String),
        contactEmail: expect.any(String),
        start: expect.stringMatching(/T07:00:00\.000Z$/),
        end: expect.stringMatching(/T17:00:00\.000Z$/),
        timezone: 'Europe/Zurich',
        reference: 'AD-26',
        revision: expect.any(Number),
      });
      // The demo event is under way.
      expect(Date.parse(all[0].start)).toBeLessThan(Date.now());
      expect(Date.parse(all[0].end)).toBeGreaterThan(Date.now());
      await platform.makeKey('one-event', { expos: ['PN2027'] });
      const scoped = await get('/expos', { key: 'one-event' });
      expect(scoped.map((expo: Json) => expo.id)).toEqual(['PN2027']);
      await get('/visitors/PN2027', { key: 'one-event' });
      await ask(403, 'GET /visitors/AD2026', { key: 'one-event' });
    },
  ),
  row('GET /expos ?fromRevision', 'starts at the given revision, inclusive', async ({ get }) => {
    const [, second] = await get('/expos');
    expect(await get(`/expos?fromRevision=${second.revision}`)).toEqual([second]);
    expect(await get(`/expos?fromRevision=${second.revision + 1}`)).toEqual([]);
  }),
  row(
    ['GET /expos ?limit', 'limit limit parameter range: 1 to 100'],
    'accepts 1 to 100',
    async ({ get, ask }) => {
      expect(await get('/expos?limit=1')).toHaveLength(1);
      expect(await get('/expos?limit=100')).toHaveLength(2);
      await ask(400, 'GET /expos?limit=0');
      await ask(400, 'GET /expos?limit=101');
    },
  ),
  row('GET /expos ?reference', 'matches exactly and case-sensitively', async ({ get }) => {
    expect((await get('/expos?reference=AD-26')).map((expo: Json) => expo.id)).toEqual(['AD2026']);
    expect(await get('/expos?reference=ad-26')).toEqual([]);
    expect(await get('/expos?reference=AD-2')).toEqual([]);
  }),
  row('GET /expos/{expoId}', 'returns the detailed form', async ({ get, ask }) => {
    expect(await get('/expos/AD2026')).toMatchObject({
      id: 'AD2026',
      labels: [],
      discoverUrl: 'https://discover.example.org',
    });
    expect((await ask(400, 'GET /expos/NOPE')).json).toEqual({
      status: 400,
      title: 'Expo not found',
      type: 'badRequest',
    });
  }),
  row('GET /connections/{expoId} ?partnerId', 'detects that the owner is the partner', async ({ get }) => {
    const list = await get('/connections/AD2026?partnerId=AD2026P001');
    expect(types(list)).toEqual(['partner']);
    expect(list.every((entry: Json) => entry.partnerID === 'AD2026P001')).toBe(true);
    expect(types(await get('/connections/AD2026?partnerId=AD2026P001&type=visitor'))).toEqual(['visitor']);
    expect(await get('/connections/AD2026?partnerId=NOBODY')).toEqual([]);
  }),
  row('GET /connections/{expoId} ?visitorId', 'detects that the owner is the visitor', async ({ get }) => {
    const list = await get('/connections/AD2026?visitorId=AD2026V000001');
    expect(list).toMatchObject([{ type: 'visitor', visitorID: 'AD2026V000001' }]);
    const leads = await get('/connections/AD2026?visitorId=AD2026V000001&type=partner');
    expect(types(leads)).toEqual(['partner']);
    expect(leads.length).toBe(2);
  }),
  row('GET /connections/{expoId}/{connectionId}', 'returns one connection', async ({ get, ask }) => {
    const [first] = await get('/connections/AD2026?limit=1');
    expect(await get(`/connections/AD2026/${first.id}`)).toEqual(first);
    await ask(404, 'GET /connections/AD2026/NOBODY');
  }),
  row('GET /participants/{expoId}/{visitorId}', 'returns one attendance summary', async ({ get, ask }) => {
    expect(await get('/participants/AD2026/AD2026V000001')).toMatchObject({
      visitorID: 'AD2026V000001',
      present: true,
    });
    await ask(404, 'GET /participants/AD2026/NOBODY');
  }),
  row(
    ['GET /orders/{expoId}/{orderId}', 'order states', 'operation rule 5'],
    'returns one order in a documented state; orders cannot be written',
    async ({ get, ask }) => {
      const orders = await get('/orders/AD2026');
      const states = ['paying', 'paymentPending', 'completed', 'timeout', 'cancelled'];
      expect(orders.every((order: Json) => states.includes(order.state))).toBe(true);
      expect(await get(`/orders/AD2026/${orders[0].id}`)).toEqual(orders[0]);
      await ask(404, 'GET /orders/AD2026/NOBODY');
      await ask(400, 'GET /orders/AD2026?orderStates=paying,bought');
      await ask(405, 'POST /orders/AD2026', { body: orders[0] });
      await ask(405, `PUT /orders/AD2026/${orders[0].id}`, { body: orders[0] });
      await ask(405, `DELETE /orders/AD2026/${orders[0].id}`);
    },
  ),
  row(
    'GET /registrationTypes/{expoId}',
    'lists the types of the organisation and of the event',
    async ({ get }) => {
      const list = await get('/registrationTypes/AD2026');
      expect(list.map((type: Json) => [type.id, type.for, type.expoID])).toEqual([
        ['RTVISITOR', 'visitor', undefined],
        ['RTPRESS', 'visitor', undefined],
        ['RTSTUDENT', 'visitor', undefined],
        ['RTEXHIBITOR', 'partner', undefined],
        ['RTSPONSOR', 'partner', undefined],
        ['AD2026RT1', 'visitor', 'AD2026'],
      ]);
      expect(await get('/registrationTypes/PN2027')).toHaveLength(5);
    },
  ),
];
