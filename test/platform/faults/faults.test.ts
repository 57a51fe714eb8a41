/**
 * The fault console: each fault has its effect as often as stated, and without the flag there is no console.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProcess } from '../postgres/processes.ts';
import { type Exchange, type RunningPlatform, startPlatform } from '../running-platform.ts';

let platform: RunningPlatform;
let deaths = 0;

const ask = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(platform.origin + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, json: await response.json() };
};
const add = async (...faults: object[]): Promise<void> => {
  const answer = await ask('POST', '/faults', faults);
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
};
const list = (query = ''): Promise<Exchange> => platform.request('GET', `/partners/AD2026${query}`);
const label = (name: string): Promise<Exchange> =>
  platform.request('POST', '/labels/AD2026', { body: { name, color: '#112233', types: ['profile'] } });
const labelNames = async (): Promise<string[]> =>
  (await platform.request('GET', '/labels/AD2026')).json.map((one: { name: string }) => one.name);

beforeAll(async () => {
  platform = await startPlatform({
    faults: {
      die: () => {
        deaths += 1;
      },
    },
    most: 1,
  });
});
afterAll(() => platform.stop());
beforeEach(async () => {
  await ask('DELETE', '/faults');
});

describe('the console', () => {
  it('is unknown without the flag', async () => {
    const plain = await startPlatform({ most: 1 });
    for (const [method, path] of [
      ['GET', '/faults'],
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['POST', '/faults/snapshot'],
      ['POST', '/faults/restore'],
    ] as const) {
      expect((await fetch(plain.origin + path, { method })).status).toBe(404);
    }
    await plain.stop();
  });

  it('lists and removes the pending faults', async () => {
    await add({ kind: 'html', path: '/visitors/*', count: 3 });
    expect((await ask('GET', '/faults')).json).toEqual([{ kind: 'html', path: '/visitors/*', count: 3 }]);
    expect((await ask('DELETE', '/faults')).json).toEqual([]);
    expect((await list()).status).toBe(200);
  });

  it.each([
    { kind: 'unknown' },
    { kind: 'status', status: 418 },
    { kind: 'hang', ms: -1 },
    { kind: 'html', path: 'visitors' },
    { kind: 'ties', width: 1 },
  ])('refuses %j', async (fault) => {
    expect(await ask('POST', '/faults', fault)).toMatchObject({ status: 400, json: { type: 'badRequest' } });
  });

  it('applies only to its method and path, and only `count` times', async () => {
    await add({ kind: 'status', status: 503, method: 'GET', path: '/partners/AD2026', count: 2 });
    expect((await platform.request('GET', '/visitors/AD2026')).status).toBe(200);
    expect((await platform.request('GET', '/partners/AD2026/AD2026P001')).status).toBe(200);
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([503, 503, 200]);
  });
});

describe('a fault', () => {
  it.each([429, 500, 502, 503, 504])('answers %d with the documented body', async (status) => {
    await add({ kind: 'status', status, retryAfter: 7, count: 1 });
    const answer = await list();
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ status, title: expect.any(String), type: expect.any(String) });
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it('hangs and then continues', async () => {
    await add({ kind: 'hang', ms: 200, count: 1 });
    const start = performance.now();
    expect((await list()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(190);
  });

  it('cuts the connection before the request has an effect', async () => {
    await add({ kind: 'cut', when: 'before', method: 'POST', count: 1 });
    await expect(label('Never')).rejects.toThrow();
    expect(await labelNames()).not.toContain('Never');
  });

  it('cuts the connection after the commit, without an answer', async () => {
    await add({ kind: 'cut', when: 'afterCommit', method: 'POST', count: 1 });
    await expect(label('Unheard')).rejects.toThrow();
    expect(await labelNames()).toContain('Unheard');
  });

  it('kills the process after the commit', async () => {
    await add({ kind: 'die', method: 'POST', count: 1 });
    await label('Last words');
    expect(deaths).toBe(1);
    expect(await labelNames()).toContain('Last words');
  });

  it('cuts the connection in the middle of the body', async () => {
    const whole = (await list()).text;
    await add({ kind: 'cut', when: 'midBody', count: 1 });
    const response = await fetch(`${platform.base}/partners/AD2026`, {
      headers: { authorization: `Basic ${Buffer.from('demo-key-touchpoint:').toString('base64')}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)));
    await expect(response.text()).rejects.toThrow();
  });

  it('sends slowly', async () => {
    const whole = (await list('?limit=1')).text;
    await add({ kind: 'slow', bytesPerSecond: whole.length * 4, count: 1 });
    const start = performance.now();
    expect((await list('?limit=1')).text).toBe(whole);
    expect(performance.now() - start).toBeGreaterThan(150);
  });

  it('imitates a captive portal', async () => {
    await add({ kind: 'html', count: 1 });
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.json).toBeUndefined();
  });

  it('answers every request with the same JSON, and no request has an effect', async () => {
    await add({ kind: 'answer', status: 200, body: [] });
    expect(await list()).toMatchObject({ status: 200, json: [] });
    expect(await label('Nothing')).toMatchObject({ status: 200, json: [] });
    await ask('DELETE', '/faults');
    await add({ kind: 'answer', status: 400, body: { title: 'Bad request' } });
    expect(await list()).toMatchObject({ status: 400, text: '{"title":"Bad request"}' });
    expect(await label('Nothing')).toMatchObject({ status: 400 });
    await ask('DELETE', '/faults');
    expect(await labelNames()).not.toContain('Nothing');
  });

  it("ignores the ids of interactions: each send creates an action, and no action shows its fact's id", async () => {
    await add({ kind: 'forgetIds' });
    const tap = { id: '0193a1b2-0000-7000-8000-000000000009', kind: 'tap', at: '2026-11-24T10:00:00.000Z' };
    const body = [{ ...tap, touchpointID: 'AD2026T01', badge: '04F0F0F0' }];
    const before = (await platform.request('GET', '/actions/AD2026')).json.length;
    const send = async () => (await platform.request('POST', '/actions/AD2026', { body })).json[0];
    const [first, second] = [await send(), await send()];
    expect(first).toMatchObject({ id: tap.id, result: 'created' });
    expect(second).toMatchObject({ id: tap.id, result: 'created' });
    expect(second.actionID).not.toBe(first.actionID);
    const actions = (await platform.request('GET', '/actions/AD2026')).json.slice(before);
    expect(actions.map((action: { id: string }) => action.id)).toEqual([first.actionID, second.actionID]);
    for (const action of actions) expect(action).not.toHaveProperty('clientID');
    const undo = { ...tap, id: '0193a1b2-0000-7000-8000-00000000000a', kind: 'undo', undoes: tap.id };
    const [undone] = (await platform.request('POST', '/actions/AD2026', { body: [undo] })).json;
    expect(undone).toMatchObject({ id: undo.id, result: 'created' });
  });

  it('reverses a list', async () => {
    const usual = (await list()).json;
    await add({ kind: 'reorder', count: 1 });
    expect((await list()).json).toEqual(usual.toReversed());
  });

  it('truncates JSON so that it looks complete', async () => {
    const usual = (await list()).text;
    await add({ kind: 'truncate', count: 1 });
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.json).toBeUndefined();
    expect(usual.startsWith(answer.text)).toBe(true);
  });

  it('shifts the Date header', async () => {
    await add({ kind: 'date', offsetMs: 3 * 3_600_000, count: 1 });
    const date = Date.parse((await list()).headers.get('date') ?? '');
    expect(date - Date.now()).toBeGreaterThan(2.9 * 3_600_000);
  });

  it('withholds records, which appear later with their old revision', async () => {
    const usual = (await list()).json;
    const [, second] = usual;
    await add({ kind: 'late', ids: [second.id], path: '/partners/AD2026', count: 1 });
    const early = (await list()).json;
    expect(early).toEqual(usual.filter((row: { id: string }) => row.id !== second.id));
    expect((await list()).json).toEqual(usual);
  });

  it('groups revisions, in the lists and for fromRevision', async () => {
    const usual = (await list()).json;
    await add({ kind: 'ties', width: 40 });
    const tied = (await list()).json;
    const expected = usual.map((row: { revision: number }) => row.revision - (row.revision % 40));
    expect(tied.map((row: { revision: number }) => row.revision)).toEqual(expected);
    expect(new Set(expected).size).toBeLessThan(expected.length);
    for (const from of [expected[0] + 1, expected[5], expected[5] + 1, expected[5] + 39]) {
      const page = (await list(`?fromRevision=${from}`)).json;
      expect(page).toEqual(tied.filter((row: { revision: number }) => row.revision >= from));
    }
  });

  it('combines with a fault of another kind', async () => {
    const usual = (await list()).json;
    await add({ kind: 'hang', ms: 50, count: 1 }, { kind: 'reorder', count: 1 });
    expect((await list()).json).toEqual(usual.toReversed());
  });
});

describe('a snapshot', () => {
  it('restores the earlier state, including revisions', async () => {
    expect((await ask('POST', '/faults/snapshot', { name: 'morning' })).status).toBe(200);
    const before = (await list()).json;
    const first = await label('Afternoon');
    expect(await labelNames()).toContain('Afternoon');
    expect((await ask('POST', '/faults/restore', { name: 'morning' })).status).toBe(200);
    expect(await labelNames()).not.toContain('Afternoon');
    expect((await list()).json).toEqual(before);
    const again = await label('Evening');
    expect(again.json.revision).toBe(first.json.revision);
    expect((await ask('POST', '/faults/restore', { name: 'never' })).status).toBe(404);
    expect((await ask('POST', '/faults/snapshot', { name: 'x"; drop table record' })).status).toBe(400);
  });
});

it('the flag opens the console of a real process, which can exit after a commit', async () => {
  const node = await startProcess(platform.database, platform.folder, 'mortal', [
    '--faults',
    '--no-notifications',
  ]);
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from('demo-key-touchpoint:').toString('base64')}`,
  };
  const body = JSON.stringify({ kind: 'die', method: 'POST', path: '/labels/*', count: 1 });
  expect((await fetch(`${node.origin}/faults`, { method: 'POST', headers, body })).status).toBe(200);
  const written = JSON.stringify({ name: 'Swan song', color: '#112233', types: ['profile'] });
  const answer = fetch(`${node.origin}/create/v2/labels/AD2026`, { method: 'POST', headers, body: written });
  await expect(answer).rejects.toThrow();
  expect(await node.ended).toBe('SIGKILL');
  expect(await labelNames()).toContain('Swan song');
});
