/**
 * Bodies are accepted exactly or refused: a deletion without a body is accepted with any content type, and text is
 * never repaired.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoKey } from '../../../src-platform/seed/demo.ts';
import { basic, createRawClient } from '../raw-http.ts';
import { type Exchange, type RunningPlatform, startPlatform } from '../running-platform.ts';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const label = { name: 'Fine', color: '#123456', types: ['profile'] };

const post = (path: string, raw: string | Uint8Array, headers = {}): Promise<Exchange> =>
  platform.request('POST', path, { raw, headers: { 'content-type': 'application/json', ...headers } });

const refused = async (exchange: Promise<Exchange>, word: string): Promise<void> => {
  const { status, json, text } = await exchange;
  expect(status, text).toBe(400);
  expect(json).toMatchObject({ status: 400, type: 'badRequest', title: expect.stringContaining(word) });
};

describe('a deletion', () => {
  it.each([
    ['application/json', {}],
    ['application/json', { 'content-length': '0' }],
    ['application/json; charset=utf-8', { 'content-length': '0' }],
    ['text/plain', { 'content-length': '0' }],
    ['x', {}],
    ['application/json', { 'transfer-encoding': 'chunked' }],
    ['application/xml', { 'transfer-encoding': 'chunked' }],
  ])('is accepted without a body with content type %s and %j', async (type, headers) => {
    const { id } = (await platform.request('POST', '/labels/AD2026', { body: label })).json;
    const client = createRawClient(platform.origin);
    const answer = await client.send('DELETE', `/create/v2/labels/AD2026/${id}`, {
      authorization: basic(demoKey),
      'content-type': type,
      ...headers,
    });
    client.close();
    expect(answer).toMatchObject({ status: 200, text: '' });
  });

  it('is refused with a body of an unsupported type', async () => {
    await refused(
      platform.request('DELETE', '/labels/AD2026/AD2026L1', {
        raw: '<a/>',
        headers: { 'content-type': 'text/xml' },
      }),
      'content type',
    );
  });
});

describe('a text', () => {
  it('is refused and not stored with question marks if it is not UTF-8', async () => {
    const latin1 = Buffer.from('{"lastName":"M\u00fcller","registrationState":"registered"}', 'latin1');
    await refused(post('/visitors/AD2026', latin1), 'UTF-8');
    await refused(post('/labels/AD2026', Buffer.from([0x7b, 0xff, 0x7d])), 'UTF-8');
  });

  it('is refused in another character set, and accepted as UTF-8 in any spelling of the name', async () => {
    for (const charset of ['iso-8859-1', 'utf-16', '"windows-1252"', 'us-ascii']) {
      await refused(
        post('/labels/AD2026', JSON.stringify(label), {
          'content-type': `application/json; charset=${charset}`,
        }),
        'UTF-8',
      );
    }
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
      const headers = { 'content-type': `application/json;charset=${charset}` };
      expect((await post('/labels/AD2026', JSON.stringify({ ...label, name: 'Ü' }), headers)).json.name).toBe(
        'Ü',
      );
    }
  });

  it('is refused with an unpaired surrogate, in values and in names, so that two references never become one', async () => {
    for (const half of ['\\ud800', '\\udc00', 'a\\ud83d b']) {
      const visitor = `{"lastName":"X","registrationState":"registered","contactReference":"${half}"}`;
      await refused(post('/visitors/AD2026', visitor), 'surrogate');
      await refused(post('/labels/AD2026', `{"name":"x","${half}":1}`), 'surrogate');
      await refused(post('/actions/AD2026', `[{"badge":"${half}"}]`), 'surrogate');
    }
    const whole = `{"name":"\\ud83d\\ude00","color":"#123456","types":["profile"]}`;
    expect((await post('/labels/AD2026', whole)).json.name).toBe('😀');
  });

  it('must also be UTF-8 in a query', async () => {
    await refused(platform.request('GET', '/visitors/AD2026?contactReference=M%FCller'), 'UTF-8');
    expect((await platform.request('GET', '/visitors/AD2026?contactReference=M%C3%BCller')).json).toEqual([]);
  });
});

describe('a body', () => {
  it('is refused if it declares a compression, whether it is compressed or not', async () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'nonsense']) {
      await refused(
        post('/labels/AD2026', JSON.stringify(label), { 'content-encoding': encoding }),
        'content encoding',
      );
    }
    const plain = await post('/labels/AD2026', JSON.stringify(label), { 'content-encoding': 'identity' });
    expect(plain.status).toBe(200);
  });

  it('is refused if a number does not fit in a double; a long integer keeps every digit', async () => {
    await refused(post('/labels/AD2026', '{"name":"x","weight":1e400}'), 'number');
    const long = '123456789012345678901234567890';
    const raw = `{"name":"Long","color":"#123456","types":["profile"],"serial":${long}}`;
    const made = await post('/labels/AD2026', raw);
    expect(made.text).toContain(`"serial":${long}`);
    expect((await platform.request('GET', `/labels/AD2026/${made.json.id}`)).text).toContain(
      `"serial":${long}`,
    );
  });
});

describe('a date', () => {
  const activity = (start: string, end = '2026-11-24T10:00:00Z') =>
    platform.request('POST', '/activities/AD2026', {
      body: { name: 'A', type: 'other', access: 'open', start, end },
    });

  it.each([
    '+010000-01-01T00:00:00Z',
    '12026-11-24T09:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-06-01T00:00:00Z',
    '9999-12-31T23:59:59-05:00',
    '0001-01-01T00:00:00+05:00',
  ])('is refused outside the years 1 to 9999: %s', async (start) => {
    await refused(activity(start, '9999-12-31T23:00:00Z'), 'year');
  });

  it('is stored unchanged at both ends of this range', async () => {
    const made = await activity('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z');
    expect(made.json).toMatchObject({ start: '0001-01-01T00:00:00.000Z', end: '9999-12-31T23:59:59.999Z' });
  });

  it('gets a 422 that names the field if it does not exist in the calendar', async () => {
    const { status, json } = await activity('2026-02-30T09:00:00Z');
    expect([status, json.errors?.[0].field]).toEqual([422, 'start']);
  });

  it('causes the rejection of only its item if it is wrong in an interaction', async () => {
    const item = {
      id: '0193a1b2-0000-7000-8000-000000000001',
      kind: 'tap',
      touchpointID: 'AD2026T01',
      badge: '04AA',
    };
    const at = '2026-11-24T10:00:00Z';
    const answer = await platform.request('POST', '/actions/AD2026', {
      body: [
        { ...item, at: '0000-01-01T00:00:00Z' },
        { ...item, at, id: '0193a1b2-0000-7000-8000-000000000002' },
      ],
    });
    expect(answer.json).toMatchObject([
      { result: 'rejected', errors: [{ field: 'at' }] },
      { result: 'created' },
    ]);
  });
});
