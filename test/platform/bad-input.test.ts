/**
 * Input of strangers and broken clients: the answer always has the documented error body and is never a 5xx, and the
 * service keeps running.
 */
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoKey } from '../../src-platform/seed/demo.ts';
import { basic, createRawClient, type RawClient, talk } from './raw-http.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

let platform: RunningPlatform;
let client: RawClient;
const authorization = basic(demoKey);
const json = { authorization, 'content-type': 'application/json' };
const label = { name: 'Fine', color: '#123456', types: ['profile'] };

beforeAll(async () => {
  platform = await startPlatform();
  client = createRawClient(platform.origin);
});
afterAll(async () => {
  client.close();
  await platform.stop();
});

const refused = async (status: number, method: string, path: string, headers: object, body?: string) => {
  const answer = await client.send(method, `/create/v2${path}`, headers as Record<string, string>, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
  expect(answer.type).toContain('application/json');
  const error = JSON.parse(answer.text);
  expect(error).toMatchObject({ status, title: expect.any(String), type: expect.any(String) });
  expect(answer.text).not.toMatch(/\n\s+at |node_modules/);
  return error;
};

describe('a body', () => {
  it('is refused before it is parsed if it is too large', async () => {
    await refused(
      400,
      'POST',
      '/labels/AD2026',
      json,
      JSON.stringify({ ...label, name: 'x'.repeat(1_100_000) }),
    );
  });

  it('is refused without recursion if it is nested too deeply', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    await refused(400, 'POST', '/labels/AD2026', json, deep(41));
    await refused(400, 'POST', '/labels/AD2026', json, deep(400_000));
    await refused(400, 'POST', '/labels/AD2026', json, '{"a":'.repeat(100_000));
    await refused(422, 'POST', '/labels/AD2026', json, deep(40));
  });

  it('may have brackets inside strings, which are not nesting', async () => {
    const name = `${'['.repeat(60)}\\"${'{'.repeat(60)}`;
    const answer = await platform.request('POST', '/labels/AD2026', { body: { ...label, name } });
    expect(answer.json.name).toBe(name);
  });

  it('is refused if it has keys such as __proto__, and changes no prototype', async () => {
    for (const body of [
      '{"__proto__":{"polluted":true},"name":"x"}',
      '{"name":"x","types":[{"__proto__":1}]}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"\\u005f_proto__":{"polluted":true}}',
    ]) {
      await refused(400, 'POST', '/labels/AD2026', json, body);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('is refused if it is not JSON, is empty or has another type', async () => {
    for (const body of ['', '{', 'undefined', "{'name':'x'}", '{"name":NaN}', '\ufeff{}x']) {
      await refused(400, 'POST', '/labels/AD2026', json, body);
    }
    await refused(400, 'POST', '/labels/AD2026', { authorization });
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'application/octet-stream',
      'x',
    ]) {
      await refused(400, 'POST', '/labels/AD2026', { authorization, 'content-type': type }, '<a/>');
    }
  });

  it('gets a 422 that names the fields of the wrong type', async () => {
    for (const body of ['null', '[]', '7', '"text"', 'true']) {
      const error = await refused(422, 'POST', '/labels/AD2026', json, body);
      expect(error.errors).toHaveLength(1);
    }
    const error = await refused(
      422,
      'POST',
      '/labels/AD2026',
      json,
      JSON.stringify({ ...label, name: 'a\u0000b' }),
    );
    expect(error.errors[0].field).toBe('name');
    const nested = await refused(
      422,
      'POST',
      '/visitors/AD2026',
      json,
      '{"lastName":"X","registrationState":"registered","badges":[{"type":"nfc","code":"1"},{"type":"rfid","code":"2"}]}',
    );
    expect(nested.errors[0].field).toBe('badges.1.type');
  });
});

describe('an address', () => {
  it('may contain slashes, escapes and strange characters, and is never resolved to another path', async () => {
    for (const id of [
      'a%2Fb',
      '..%2F..%2Fetc',
      '%00',
      '%F0%9F%98%80',
      '__proto__',
      'constructor',
      "'",
      '%2e%2e',
    ]) {
      await refused(404, 'GET', `/visitors/AD2026/${id}`, { authorization });
      await refused(400, 'GET', `/visitors/${id}`, { authorization });
    }
    for (const bad of ['%', '%zz', '%E0%A4%A']) {
      await refused(400, 'GET', `/visitors/AD2026/${bad}`, { authorization });
    }
    await refused(400, 'DELETE', '/labels/AD2026/%2e%2e', { authorization });
  });

  it('is refused if it is far too long', async () => {
    await refused(400, 'GET', `/visitors/AD2026/${'x'.repeat(5000)}`, { authorization });
    const answer = await client.send('GET', `/create/v2/visitors/AD2026/${'x'.repeat(100_000)}`, {
      authorization,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it('gets a 404 if it names no operation', async () => {
    await refused(404, 'GET', '/nothing', { authorization });
    await refused(404, 'PATCH', '/nothing/AD2026', json, '{}');
  });

  it('is refused if a parameter that is used is repeated or malformed', async () => {
    await refused(400, 'GET', '/visitors/AD2026?limit=1&limit=2', { authorization });
    await refused(400, 'GET', '/visitors/AD2026?fromRevision=1e3', { authorization });
    await refused(400, 'GET', '/visitors/AD2026?contactId=%00', { authorization });
    const answer = await client.send('GET', '/create/v2/expos?__proto__=1&unknown=2', { authorization });
    expect(answer.status).toBe(200);
  });
});

describe('a connection', () => {
  it('gets the documented body even if it does not speak HTTP', async () => {
    const answer = await talk(platform.origin, 'HELLO THERE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const error = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(error).toMatchObject({ status: 400, type: 'badRequest' });
  });

  it('gets a 408 if it was opened early and stays silent', {
    timeout: 40_000,
  }, async () => {
    expect(await talk(platform.origin, '')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is closed if it sends its header byte by byte, and others are served in the meantime', {
    timeout: 120_000,
  }, async () => {
    const { hostname, port } = new URL(platform.origin);
    const socket = connect(Number(port), hostname);
    const drip = setInterval(() => socket.write('x'), 500);
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('GET /create/v2/expos HTTP/1.1\r\nhost: a\r\nx-slow: ');
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    expect((await platform.request('GET', '/expos')).status).toBe(200);
    await closed;
    clearInterval(drip);
  });

  it('releases its slot when it closes, even if it sent less body than it promised', async () => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise<void>((resolve) => {
        const outgoing = request(`${platform.base}/labels/AD2026`, {
          method: 'POST',
          headers: { ...json, 'content-length': '500' },
        });
        outgoing.on('error', () => resolve());
        outgoing.write('{"name":', () => setTimeout(() => outgoing.destroy(), 20));
        outgoing.on('close', () => resolve());
      });
    }
    await expect
      .poll(async () => (await platform.request('GET', '/expos')).status, { timeout: 30_000, interval: 20 })
      .toBe(200);
    const both = await Promise.all([platform.request('GET', '/expos'), platform.request('GET', '/expos')]);
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);
  });
});

describe('after all of this', () => {
  it('no defect was logged, and no log line shows a key or a person', async () => {
    await platform.request('GET', '/visitors/AD2026?contactReference=CRM-AD2026-000001');
    const logged = platform.logged();
    expect(logged).not.toMatch(/"level":(50|60)/);
    expect(logged).toMatch(/"route":"\/create\/v2\/visitors\/:expoId"/);
    for (const secret of [
      demoKey,
      authorization.slice(6),
      'CRM-AD2026-000001',
      'Beaumont',
      'AD2026V000001',
    ]) {
      expect(logged).not.toContain(secret);
    }
  });
});
