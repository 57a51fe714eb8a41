/**
 * Rows for common parameters, authentication, errors and limits.
 */
import { request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { demoKey } from '../../../src-platform/seed/demo.ts';
import { type Http, type Json, type Row, rejectedFields, row } from './row.ts';

/** A request whose body is withheld until `finish` is called, so that it stays in flight. */
const openRequest = (http: Http, key = demoKey) => {
  const request = httpRequest(`${http.platform.base}/labels/AD2026`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
  });
  request.write('{"name":"Slow","color":"#000000",');
  return {
    finish: () => {
      request.end('"types":["profile"]}');
      return answered;
    },
    abort: async () => {
      request.destroy();
      await answered.catch(() => 0);
    },
  };
};

/**
 * Repeats the request until the answer has this status, because a slot is free only a moment after its request ended.
 */
const until = async (http: Http, status: number, key = demoKey): Promise<void> => {
  await expect
    .poll(async () => (await http.platform.request('GET', '/expos', { key })).status, {
      timeout: 30_000,
      interval: 10,
    })
    .toBe(status);
};

/** Waits until the server of `base` holds this many slots. Its metrics take none. */
const untilInUse = async (http: Http, slots: number): Promise<void> => {
  await expect
    .poll(async () => (await fetch(`${http.platform.origin}/metrics`)).text(), {
      timeout: 30_000,
      interval: 10,
    })
    .toMatch(new RegExp(`^platform_slots_in_use ${slots}$`, 'm'));
};

/**
 * Opens two requests. Each waits until the platform has counted the earlier ones, so that neither is refused as a
 * third.
 */
const openTwo = async (http: Http) => {
  await untilInUse(http, 0);
  const one = openRequest(http);
  await untilInUse(http, 1);
  const two = openRequest(http);
  await untilInUse(http, 2);
  return [one, two] as const;
};

const webhookTypes = ['action', 'connection', 'content', 'order', 'participant', 'partner', 'payment'];

export const limitRows: readonly Row[] = [
  row('parameter fromRevision', 'returns equal or higher revisions', async ({ get }) => {
    const [, second] = await get('/visitors/AD2026?limit=2');
    expect((await get(`/visitors/AD2026?fromRevision=${second.revision}&limit=1`))[0]).toEqual(second);
  }),
  row('parameter limit', 'is 1 to 100, for licenses up to 1000', async ({ get, ask }) => {
    await get('/licenses/AD2026?limit=1000');
    await ask(400, 'GET /licenses/AD2026?limit=1001');
    await ask(400, 'GET /visitors/AD2026?limit=1000');
  }),
  row('parameter webhookId', 'is refused if there is no such webhook', async ({ ask }) => {
    await ask(400, 'GET /visitors/AD2026?webhookId=NOBODY');
  }),
  row('parameter showDeleted', 'defaults to false', async ({ get, post, ask }) => {
    const label = await post('/labels/AD2026', { name: 'Gone', color: '#000000', types: ['profile'] });
    await ask(200, `DELETE /labels/AD2026/${label.id}`);
    const ids = async (query: string) =>
      (await get(`/labels/AD2026?fromRevision=${label.revision}${query}`)).map((entry: Json) => entry.id);
    expect(await ids('')).not.toContain(label.id);
    expect(await ids('&showDeleted=true')).toContain(label.id);
  }),
  row('parameter partnerId', 'filters a list by a related record', async ({ get }) => {
    const list = await get('/contents/AD2026?partnerId=AD2026P001');
    expect(list).toHaveLength(5);
  }),
  row('authentication 1', 'the key is the user name, with any password', async ({ ask }) => {
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    await ask(200, 'GET /expos', { key: null, headers: basic(`${demoKey}:`) });
    await ask(200, 'GET /expos', { key: null, headers: basic(`${demoKey}:anything:else`) });
    const none = await ask(401, 'GET /expos', { key: null });
    expect(none.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(none.json.type).toBe('unauthorized');
    for (const bad of ['nobody:', `:${demoKey}`, '']) {
      await ask(401, 'GET /expos', { key: null, headers: basic(bad) });
    }
    await ask(401, 'GET /expos', { key: null, headers: { authorization: `Bearer ${demoKey}` } });
  }),
  row('authentication 2', 'a key ends when it expires', async (http) => {
    await http.platform.makeKey('expired', { expires: '2020-01-01T00:00:00.000Z' });
    await http.ask(401, 'GET /expos', { key: 'expired' });
    await http.platform.makeKey('lasting', { expires: '2100-01-01T00:00:00.000Z' });
    await http.ask(200, 'GET /expos', { key: 'lasting' });
  }),
  row('authentication 4', 'a key with an address list works only from there', async ({ ask, platform }) => {
    await platform.makeKey('elsewhere', { addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    await ask(403, 'GET /expos', { key: 'elsewhere' });
    await platform.makeKey('here', { addresses: ['192.0.2.7', '127.0.0.0/8'] });
    await ask(200, 'GET /expos', { key: 'here' });
  }),
  row(
    'authentication 5',
    'without write permission only GET works, except for webhooks',
    async ({ ask, platform }) => {
      const key = 'reader';
      await platform.makeKey(key);
      await ask(200, 'GET /labels/AD2026', { key });
      const label = { name: 'No', color: '#000000', types: ['profile'] };
      const refused = await ask(403, 'POST /labels/AD2026', { key, body: label });
      expect(refused.json.type).toBe('forbidden');
      await ask(403, 'PUT /labels/AD2026/AD2026L1', { key, body: label });
      await ask(403, 'DELETE /labels/AD2026/AD2026L1', { key });
      await ask(403, 'POST /actions/AD2026', { key, body: [] });
      await ask(403, 'POST /sendemail/AD2026', { key, body: {} });
      const body = { type: 'order', url: 'https://consumer.example.org' };
      const { id } = (await ask(200, 'POST /webhooks/AD2026', { key, body })).json;
      await ask(200, `PUT /webhooks/AD2026/${id}`, { key, body: { ...body, enabled: false } });
      expect((await ask(200, `GET /webhooks/AD2026/${id}`, { key })).json.enabled).toBe(false);
      await ask(200, `DELETE /webhooks/AD2026/${id}`, { key });
      await ask(404, `GET /webhooks/AD2026/${id}`, { key });
    },
  ),
  ...webhookTypes.map((type) =>
    row(`webhook type ${type}`, 'can be registered and is listed', async ({ post, get }) => {
      const made = await post('/webhooks/AD2026', { type, url: 'https://consumer.example.org/x?y=1' });
      expect(made).toMatchObject({ type, state: 'wait' });
      const list = await get(`/webhooks/AD2026?fromRevision=${made.revision}`);
      expect(list).toContainEqual(made);
    }),
  ),
  row('error 400', 'covers a wrong event, id and request', async ({ ask }) => {
    for (const folder of ['actions', 'visitors', 'webhooks', 'registrationTypes', 'touchpoints']) {
      expect((await ask(400, `GET /${folder}/NOPE`)).json).toEqual({
        status: 400,
        title: 'Expo not found',
        type: 'badRequest',
      });
    }
    const headers = { 'content-type': 'application/json' };
    await ask(400, 'POST /labels/AD2026', { raw: '{"name":', headers });
    await ask(400, 'DELETE /labels/AD2026/a%2Fb');
  }),
  row('error 422', 'names the refused fields', async ({ ask }) => {
    const answer = await ask(422, 'POST /labels/AD2026', { body: { color: 7, types: [] } });
    expect(answer.json).toMatchObject({ status: 422, type: 'unprocessableEntity' });
    expect(rejectedFields(answer)).toEqual(['name', 'color', 'types']);
    const [first] = answer.json.errors;
    expect(first).toEqual({ field: 'name', error: 'required', description: expect.any(String) });
  }),
  row(
    ['error 429', 'limit parallel requests per key: 2'],
    'the third parallel request of a key is refused at once; slots are released, also after aborts',
    async (http) => {
      await http.platform.makeKey('other', { canWrite: true });
      for (let round = 0; round < 3; round += 1) {
        const [one, two] = await openTwo(http);
        const refused = await http.ask(429, 'GET /expos');
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(refused.json.type).toBe('tooManyRequests');
        await http.ask(200, 'GET /expos', { key: 'other' });
        await one.abort();
        await until(http, 200);
        expect(await two.finish()).toBe(200);
      }
      await until(http, 200);
    },
  ),
  row('limit maximum items per list request: 100', 'no list returns more than 100', async ({ get, ask }) => {
    expect(await get('/visitors/AD2026')).toHaveLength(100);
    for (const folder of [
      'actions',
      'connections',
      'contents',
      'orders',
      'participants',
      'partners',
      'payments',
    ]) {
      await ask(400, `GET /${folder}/AD2026?limit=101`);
    }
  }),
  row(
    'limit maximum items per list request: 1000',
    'a list returns up to 1000 licenses',
    async ({ get, ask }) => {
      expect((await get('/licenses/AD2026?limit=1000')).length).toBeGreaterThan(30);
      await ask(400, 'GET /licenses/AD2026?limit=1001');
    },
  ),
  row(
    'limit name and summary length: fewer than 100 characters',
    'accepts 99 and refuses 100',
    async ({ post, ask }) => {
      const product = { partnerID: 'AD2026P002', source: 'internal' };
      const long = `${'漢'.repeat(98)}😀`;
      const made = await post('/contents/AD2026', { ...product, name: long, summary: long });
      expect([...made.name]).toHaveLength(99);
      const body = { ...product, name: `${long}x`, summary: `${long}x` };
      expect(rejectedFields(await ask(422, 'POST /contents/AD2026', { body }))).toEqual(['name', 'summary']);
    },
  ),
];
