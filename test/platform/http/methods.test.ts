/**
 * Methods and paths: HEAD is GET without its body, a wrong method gets a list of the right ones, and a trailing slash
 * has no effect.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

it.each(['/expos', '/visitors/AD2026?limit=3', '/partners/AD2026/AD2026P001'])(
  'answers HEAD %s as GET, without a body',
  async (path) => {
    const get = await platform.request('GET', path);
    const head = await platform.request('HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  },
);

it('refuses HEAD with the same statuses as GET', async () => {
  expect((await platform.request('HEAD', '/expos', { key: null })).status).toBe(401);
  expect((await platform.request('HEAD', '/visitors/NOPE')).status).toBe(400);
  expect((await platform.request('HEAD', '/partners/AD2026/NOBODY')).status).toBe(404);
});

it("does not count records as read by a webhook's consumer after a HEAD", async () => {
  const body = { type: 'visitor', url: 'https://consumer.example.org' };
  const { id } = (await platform.request('POST', '/webhooks/AD2026', { body })).json;
  const seen = () =>
    platform.store.db.selectFrom('webhook_mark').select('seen').where('webhook_id', '=', id).execute();
  expect((await platform.request('HEAD', `/visitors/AD2026?webhookId=${id}`)).status).toBe(200);
  expect(await seen()).toEqual([{ seen: 0n }]);
  await platform.request('GET', `/visitors/AD2026?webhookId=${id}`);
  expect((await seen())[0]?.seen).toBeGreaterThan(0n);
});

it.each([
  ['PATCH', '/visitors/AD2026', 'GET, HEAD, POST'],
  ['DELETE', '/expos/AD2026', 'GET, HEAD'],
  ['POST', '/orders/AD2026/AD2026O001', 'GET, HEAD'],
  ['PUT', '/sendemail/AD2026', 'POST'],
  ['OPTIONS', '/labels/AD2026/AD2026L1', 'GET, HEAD, PUT, DELETE'],
])('answers %s %s with 405 and the methods that the path has', async (method, path, allow) => {
  const answer = await platform.request(method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  expect(answer.json).toMatchObject({ status: 405, type: 'methodNotAllowed' });
});

it('answers an unknown path with 404 and without `Allow`', async () => {
  expect(await platform.request('PATCH', '/nothing')).toMatchObject({ status: 404 });
  expect((await platform.request('GET', '/nothing')).headers.get('allow')).toBeNull();
});

it.each(['/visitors/AD2026', '/partners/AD2026/AD2026P001', '/expos', '/visitors/AD2026?limit=2'])(
  'treats %s with a trailing slash as the same path',
  async (path) => {
    const [plain = '', query] = path.split('?');
    const slashed = await platform.request('GET', query === undefined ? `${plain}/` : `${plain}/?${query}`);
    expect(slashed.status).toBe(200);
    expect(slashed.text).toBe((await platform.request('GET', path)).text);
  },
);
