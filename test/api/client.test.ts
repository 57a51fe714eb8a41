/** What goes over the wire and what comes back from it, byte for byte, with a server that keeps no rules. */
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../src-main/core/api/client.ts';
import { pathOf } from '../../src-main/core/api/path.ts';
import { createPlatformApi } from '../../src-main/core/api/platform-api.ts';
import { ApiError, type Verdict } from '../../src-main/core/api/verdict.ts';
import { makeCertificate } from '../chaos/certificate.ts';
import { until } from '../core/bench-top.ts';
import { realClock } from '../core/real-parts.ts';
import { type Answering, answerOf, jsonOf, startLiteralServer } from './literal-server.ts';

const KEY = 'key-that-nobody-may-see';
const JSON_TYPE = 'content-type: application/json';

/** A server that answers like this, and a client on it. */
const meeting = async (answer: Answering, options: ClientOptions = {}, baseUrl?: string) => {
  const server = await startLiteralServer(answer);
  const access = { baseUrl: baseUrl ?? server.baseUrl, key: KEY, password: 'secret-too', expoId: 'E1' };
  const client = createClient(access, realClock, options);
  onTestFinished(client.close);
  const failure = async (call: Promise<unknown>): Promise<ApiError> => {
    try {
      await call;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    throw new Error('Expected the call to fail');
  };
  return { server, client, api: createPlatformApi(client), failure };
};

const answering =
  (bytes: Buffer): Answering =>
  (socket) => {
    socket.write(bytes);
  };

describe('a request', () => {
  it('carries the key as Basic user name, escaped ids, every digit of a revision and nothing it should not', async () => {
    const { server, api } = await meeting(answering(jsonOf([])), {}, undefined);
    await api
      .event('E/1 ?#')
      .visitors.list({ fromRevision: 9223372036854775807n, contactReference: 'a&b=c ü' });
    const [request] = server.received;
    expect(request?.method).toBe('GET');
    expect(request?.target).toBe(
      '/create/v2/visitors/E%2F1%20%3F%23?contactReference=a%26b%3Dc+%C3%BC&fromRevision=9223372036854775807' +
        '&limit=100&showDeleted=false',
    );
    expect(request?.headers.authorization).toBe(`Basic ${btoa(`${KEY}:secret-too`)}`);
    expect(request?.headers.accept).toBe('application/json');
    expect(request?.headers['content-type']).toBeUndefined();
    expect(request?.headers['user-agent']).toBeUndefined();
  });

  it('writes 64-bit numbers back digit by digit and sends bytes as they are', async () => {
    const { server, api } = await meeting((socket, { target }) => {
      socket.write(jsonOf(target.includes('upload') ? { visitorID: 'v' } : { id: 'a', revision: 1 }));
    });
    await api.event('E1').labels.update('a', { name: 'x', revision: 9007199254740993n });
    expect(server.received[0]?.body.toString()).toBe('{"id":"a","name":"x","revision":9007199254740993}');
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await api.uploads.store('v', 'IdPhoto', bytes);
    expect(server.received[1]?.target).toBe('/create/v2/upload/visitor/v?type=IdPhoto');
    expect(server.received[1]?.headers['content-type']).toBe('application/octet-stream');
    expect([...(server.received[1]?.body ?? [])]).toEqual([...bytes]);
  });

  it('is not sent at all when an id cannot stand in a path', async () => {
    const { server, api, failure } = await meeting(answering(jsonOf([])));
    for (const id of ['', '.', '..', '\ud800']) {
      const { verdict } = await failure(api.event('E1').labels.read(id));
      expect(verdict).toMatchObject({ kind: 'reject', status: 400 });
    }
    expect(server.received).toEqual([]);
    expect(pathOf`/labels/${'a/../b'}/${'%2e%2e'}`).toBe('/labels/a%2F..%2Fb/%252e%252e');
  });

  it('goes over https only, but for this machine and, where allowed, numbers of a private network', () => {
    const access = { key: KEY, password: '', expoId: 'E1' };
    const open = (baseUrl: string, privateHttp = false) => {
      const client = createClient({ ...access, baseUrl }, realClock, { privateHttp });
      onTestFinished(client.close);
    };
    for (const fine of [
      'https://a.example/v2',
      'http://localhost:1/',
      'http://127.9.9.9',
      'http://[::1]:1/v2',
    ]) {
      expect(() => open(fine)).not.toThrow();
    }
    for (const fine of [
      'http://10.0.0.7/v2',
      'http://172.31.0.1',
      'http://192.168.1.2:8810',
      'http://[fd00::1]',
    ]) {
      expect(() => open(fine)).toThrow(/allowed explicitly/);
      expect(() => open(fine, true)).not.toThrow();
    }
    const wrong = [
      'http://a.example',
      'http://172.32.0.1',
      'http://11.0.0.1',
      'http://box.local',
      'ftp://x',
      'x',
    ];
    for (const url of wrong) expect(() => open(url, true)).toThrow(/must begin with https/);
    for (const url of ['https://user:word@a.example', 'https://a.example/?key=1', 'https://a.example/#x']) {
      expect(() => open(url)).toThrow(/no user name/);
    }
  });
});

describe('an answer', () => {
  const verdictWith = async (bytes: Buffer, options: ClientOptions = {}): Promise<Verdict> => {
    const { client, failure } = await meeting(answering(bytes), options);
    return (await failure(client.get('/x', {}))).verdict;
  };

  it('may be compressed, and is bounded before and after that', async () => {
    const text = JSON.stringify([{ id: 'a', revision: 1 }]);
    for (const [coding, bytes] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['identity', Buffer.from(text)],
    ] as const) {
      const { client } = await meeting(
        answering(answerOf(200, [JSON_TYPE, `content-encoding: ${coding}`], bytes)),
      );
      expect(await client.get('/x', {})).toBe(text);
    }
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    expect(await verdictWith(answerOf(200, [JSON_TYPE, 'content-encoding: gzip'], bomb))).toMatchObject({
      kind: 'retry',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    const large = Buffer.alloc(70_000, ' ');
    expect(await verdictWith(answerOf(200, [JSON_TYPE], large), { limits: { answerBytes: 65_536 } })).toEqual(
      {
        kind: 'retry',
        reached: 'no',
      },
    );
    for (const coding of ['gzip', 'zstd', 'gzip, gzip']) {
      const damaged = answerOf(200, [JSON_TYPE, `content-encoding: ${coding}`], text);
      expect(await verdictWith(damaged)).toEqual({ kind: 'retry', reached: 'no' });
    }
  });

  it('that is a page of a portal is never the word of the platform, whatever its status', async () => {
    for (const status of [200, 302, 400, 401, 403, 404, 422]) {
      const page = answerOf(status, ['content-type: text/html'], '<html>log in</html>');
      expect(await verdictWith(page), String(status)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
    }
    const { client, failure } = await meeting(
      answering(answerOf(200, ['content-type: text/html'], 'deleted')),
    );
    expect((await failure(client.call({ method: 'DELETE', path: '/x' }))).verdict.kind).toBe('stop');
    expect(client.platformClock()).toBeNull();
  });

  it('that leads elsewhere is not followed, so the key goes nowhere else', async () => {
    const other = await startLiteralServer(answering(jsonOf([])));
    for (const status of [301, 302, 303, 307, 308]) {
      const there = answerOf(
        status,
        [`location: http://127.0.0.1:${other.port}/`, JSON_TYPE],
        '{"title":"moved"}',
      );
      expect(await verdictWith(there)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
    }
    expect(other.connections()).toBe(0);
  });

  it('that comes twice is never taken for the answer to the next request', async () => {
    const { client, server } = await meeting(async (socket, { target, headers }, number) => {
      const id = `x-request-id: ${String(headers['x-request-id'])}`;
      const answer = answerOf(200, [JSON_TYPE, id], JSON.stringify([target]));
      socket.write(answer);
      if (number % 3 !== 0) return;
      await delay(number % 4);
      socket.write(answer);
    });
    let faults = 0;
    for (let call = 0; call < 90; call += 1) {
      const answer = await client.get(`/${call}`, {}).catch((error: unknown) => {
        expect((error as ApiError).verdict).toEqual({ kind: 'retry', reached: 'no' });
        faults += 1;
        return null;
      });
      if (answer !== null) expect(answer).toBe(`["/create/v2/${call}"]`);
    }
    expect(faults).toBeGreaterThan(0);
    expect(server.received.length).toBeGreaterThanOrEqual(90 - faults);
    const gateway = await meeting(answering(answerOf(200, [JSON_TYPE, 'x-request-id: its-own'], '[]')));
    expect(await gateway.client.get('/x', {})).toBe('[]');
  });

  it('to a deletion may be empty, a JSON text or plain words', async () => {
    for (const [bytes, words] of [
      [answerOf(200, []), ''],
      [jsonOf('The label a was deleted.'), 'The label a was deleted.'],
      [answerOf(200, ['content-type: text/plain; charset=utf-8'], 'gone'), 'gone'],
      [answerOf(200, [JSON_TYPE], 'gone'), 'gone'],
      [answerOf(204, []), ''],
    ] as const) {
      const { api } = await meeting(answering(bytes));
      expect(await api.event('E1').labels.remove('a')).toBe(words);
    }
  });

  it('without a record or a list is a fault, never an empty record', async () => {
    for (const body of ['null', '[]', '{}', '{"id":7,"revision":1}', '{"id":"a"}', '{"id":"a","rev', '"a"']) {
      const { api, failure } = await meeting(answering(answerOf(200, [JSON_TYPE], body)));
      const { labels } = api.event('E1');
      expect((await failure(labels.read('a'))).verdict).toEqual({ kind: 'retry', reached: 'no' });
      expect((await failure(labels.create({ name: 'a' }))).verdict).toEqual({
        kind: 'retry',
        reached: 'maybe',
      });
      if (body !== '[]') {
        expect((await failure(labels.list())).verdict).toEqual({ kind: 'retry', reached: 'no' });
      }
    }
  });

  it('with a refusal names the fields, and no error message says more than method and status', async () => {
    const errors = [{ field: 'badges.0.code', error: 'taken', description: 'is in use' }, 'x', null];
    const refusal = jsonOf({ status: 422, title: 'Rejected', type: 'unprocessableEntity', errors }, 422);
    const { api, failure, server } = await meeting(answering(refusal));
    const error = await failure(api.event('E1').visitors.create({ lastName: 'Person' }));
    expect(error.verdict).toEqual({
      kind: 'reject',
      status: 422,
      reason: 'Rejected: badges.0.code is in use',
      faults: [{ field: 'badges.0.code', error: 'taken', description: 'is in use' }],
    });
    expect(error.message).toBe('POST answered 422');
    const told = JSON.stringify([error.message, String(error.stack), error.cause ?? null]);
    for (const secret of [KEY, btoa(`${KEY}:secret-too`), 'Person', String(server.port), 'visitors/E1']) {
      expect(told).not.toContain(secret);
    }
  });
});

describe('time', () => {
  it('is limited until the head, between pieces, and for the whole', async () => {
    const silent = await meeting(() => undefined, { limits: { headersMs: 150 } });
    expect((await silent.failure(silent.client.get('/x', {}))).message).toContain('UND_ERR_HEADERS_TIMEOUT');
    expect((await silent.failure(silent.client.post('/x', '[]'))).verdict).toEqual({
      kind: 'retry',
      reached: 'maybe',
    });

    const halting: Answering = (socket) => {
      socket.write(answerOf(200, [JSON_TYPE, 'content-length: 9'], '[1'));
    };
    const halted = await meeting(halting, { limits: { bodyMs: 150 } });
    expect((await halted.failure(halted.client.get('/x', {}))).message).toContain('UND_ERR_BODY_TIMEOUT');

    const dripping: Answering = async (socket) => {
      socket.write(answerOf(200, [JSON_TYPE, 'content-length: 900'], '['));
      for (let drop = 0; drop < 100 && !socket.destroyed; drop += 1) {
        socket.write(' ');
        await delay(50);
      }
    };
    const dripped = await meeting(dripping, { limits: { bodyMs: 400, totalMs: 500 } });
    const begun = performance.now();
    expect((await dripped.failure(dripped.client.get('/x', {}))).message).toBe('GET failed: deadline');
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('ends when the caller says so: waiting in the lane, or on the wire', async () => {
    const { client, server } = await meeting(() => undefined);
    const first = new AbortController();
    const second = new AbortController();
    const onTheWire = client.get('/first', {}, first.signal);
    const inTheLane = client.get('/second', {}, second.signal);
    await until('the first is on the wire', () => server.received.length === 1);
    second.abort(new Error('changed my mind'));
    await expect(inTheLane).rejects.toThrow('changed my mind');
    first.abort(new Error('enough'));
    await expect(onTheWire).rejects.toThrow('enough');
    await expect(client.get('/third', {}, AbortSignal.abort(new Error('never')))).rejects.toThrow('never');
    expect(server.received.map(({ target }) => target)).toEqual(['/create/v2/first']);
  });
});

describe('faults below HTTP', () => {
  it('tell whether the request can have left', async () => {
    const refused = createClient(
      { baseUrl: 'http://127.0.0.1:1/', key: KEY, password: '', expoId: 'E1' },
      realClock,
    );
    onTestFinished(refused.close);
    await expect(refused.post('/x', '[]')).rejects.toMatchObject({
      verdict: { kind: 'retry', reached: 'no' },
    });

    const cut = await meeting((socket) => void socket.resetAndDestroy());
    const { client, failure } = cut;
    expect((await failure(client.post('/x', '[]'))).verdict).toEqual({ kind: 'retry', reached: 'maybe' });
    expect((await failure(client.call({ method: 'DELETE', path: '/x' }))).verdict).toEqual({
      kind: 'retry',
      reached: 'maybe',
    });
    expect((await failure(client.get('/x', {}))).verdict).toEqual({ kind: 'retry', reached: 'no' });
  });

  it('of a host name or of TLS stop, before anything was sent', async () => {
    const lost = await meeting(
      answering(jsonOf([])),
      {
        lookup: (_host, _options, done) =>
          done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), '', 4),
      },
      'https://platform.invalid/v2',
    );
    expect((await lost.failure(lost.client.post('/x', '[]'))).verdict).toEqual({
      kind: 'stop',
      pause: 'addressUnknown',
    });
    const plain = await startLiteralServer(answering(jsonOf([])));
    const { client, failure } = await meeting(answering(jsonOf([])), {}, `https://127.0.0.1:${plain.port}/`);
    expect((await failure(client.post('/x', '[]'))).verdict).toEqual({ kind: 'stop', pause: 'tls' });
  });

  it('do not bring HTTP/2 in where a server offers it, so that two slots stay two requests', async () => {
    const certificate = makeCertificate('localhost');
    const versions: string[] = [];
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.setHeader('content-type', 'application/json');
      response.end('[]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const access = { baseUrl: `https://localhost:${port}/`, key: KEY, password: '', expoId: 'E1' };
    const client = createClient(access, realClock, { ca: certificate.cert, slots: 2 });
    onTestFinished(client.close);
    await Promise.all([client.get('/a', {}), client.get('/b', {}), client.get('/c', {})]);
    expect(versions).toEqual(['1.1', '1.1', '1.1']);
  });

  it('never make one request of the caller two on the wire', async () => {
    const { client, server, failure } = await meeting((socket, _request, number) => {
      if (number === 1) socket.write(jsonOf([]));
      else socket.destroy();
    });
    await client.get('/x', {});
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      await failure(client.call({ method, path: `/${method}` }));
    }
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'PUT', 'DELETE']);
  });
});

describe('the lane', () => {
  it('has one slot, or two where told, and never more, over all callers', async () => {
    for (const slots of [1, 2] as const) {
      let inside = 0;
      let most = 0;
      const slow: Answering = async (socket) => {
        inside += 1;
        most = Math.max(most, inside);
        await delay(10);
        inside -= 1;
        socket.write(jsonOf([]));
      };
      const { client, server } = await meeting(slow, { slots });
      const calls = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? client.get('/x', {}) : client.post('/y', '[]'),
      );
      await Promise.all(calls);
      expect(most).toBe(slots);
      expect(server.connections()).toBe(slots);
    }
  });

  it('lets uploads go first, and a waiting download after three of them', async () => {
    const { client, server } = await meeting(answering(jsonOf([])));
    const calls = [client.get('/first', {}), client.get('/d1', {}), client.get('/d2', {})];
    for (let upload = 1; upload <= 5; upload += 1) calls.push(client.post(`/u${upload}`, '[]'));
    await Promise.all(calls);
    expect(server.received.map(({ target }) => target.slice('/create/v2/'.length))).toEqual([
      'first',
      'u1',
      'u2',
      'u3',
      'd1',
      'u4',
      'u5',
      'd2',
    ]);
  });
});
