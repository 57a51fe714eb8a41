/** The client's requests, its time limits, and its handling of failing connections. */
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setInterval as ticks } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { readDetail } from '../../../../src-main/core/foundations/api/endpoints.ts';
import { pathOf } from '../../../../src-main/core/foundations/api/path.ts';
import { makeCertificate } from '../../../chaos/certificate.ts';
import { until } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';
import { type Answering, answerOf, jsonOf, startLiteralServer } from './literal-server.ts';
import { answering, KEY, meeting, PASSWORD } from './meeting-point.ts';

const JSON_TYPE = 'content-type: application/json';

describe('a request', () => {
  it('carries the key as Basic user name, escaped ids, every digit of a revision and nothing else', async () => {
    const { server, client } = await meeting(answering(jsonOf([])));
    await client.get(pathOf`/visitors/${'E/1 ?#'}`, {
      contactReference: 'a&b=c ü',
      fromRevision: 9223372036854775807n,
      limit: 100,
      showDeleted: false,
    });
    const [request] = server.received;
    expect(request?.method).toBe('GET');
    expect(request?.target).toBe(
      '/create/v2/visitors/E%2F1%20%3F%23?contactReference=a%26b%3Dc+%C3%BC&fromRevision=9223372036854775807' +
        '&limit=100&showDeleted=false',
    );
    expect(request?.headers.authorization).toBe(`Basic ${btoa(`${KEY}:${PASSWORD}`)}`);
    expect(request?.headers.accept).toBe('application/json');
    expect(request?.headers['content-type']).toBeUndefined();
    expect(request?.headers['user-agent']).toBeUndefined();
  });

  it('is not sent when an id cannot be part of a path', async () => {
    const { server, client, failure } = await meeting(answering(jsonOf([])));
    for (const id of ['', '.', '..', '\ud800']) {
      const { errorClass } = await failure(readDetail(client, 'E1', 'labels', id));
      expect(errorClass).toMatchObject({ kind: 'reject', status: 400 });
    }
    expect(server.received).toEqual([]);
    expect(pathOf`/labels/${'a/../b'}/${'%2e%2e'}`).toBe('/labels/a%2F..%2Fb/%252e%252e');
  });

  it('uses only https, except for this machine and, where allowed, private addresses', () => {
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
      'http://fd-hub.example',
      'http://fe80.example',
      'ftp://x',
      'x',
    ];
    for (const url of wrong) expect(() => open(url, true)).toThrow(/must begin with https/);
    for (const url of ['https://user:word@a.example', 'https://a.example/?key=1', 'https://a.example/#x']) {
      expect(() => open(url)).toThrow(/no user name/);
    }
  });
});

describe('time', () => {
  it('is limited until the headers, between pieces, and for the whole exchange', async () => {
    const silent = await meeting(() => undefined, { limits: { headersMs: 150 } });
    expect((await silent.failure(silent.client.get('/x', {}))).message).toContain('UND_ERR_HEADERS_TIMEOUT');
    expect((await silent.failure(silent.client.post('/x', '[]'))).errorClass).toEqual({
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
      for await (const _ of ticks(50)) {
        if (socket.destroyed) return;
        socket.write(' ');
      }
    };
    const dripped = await meeting(dripping, { limits: { bodyMs: 20_000, totalMs: 500 } });
    expect((await dripped.failure(dripped.client.get('/x', {}))).message).toBe('GET failed: deadline');
  });

  it('ends when the caller aborts: while waiting for the semaphore, or during the request', async () => {
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
  it('show whether the request may have been sent', async () => {
    const refused = createClient(
      { baseUrl: 'http://127.0.0.1:1/', key: KEY, password: '', expoId: 'E1' },
      realClock,
    );
    onTestFinished(refused.close);
    await expect(refused.post('/x', '[]')).rejects.toMatchObject({
      errorClass: { kind: 'retry', reached: 'no' },
    });

    const cut = await meeting((socket) => void socket.resetAndDestroy());
    const { client, failure } = cut;
    expect((await failure(client.post('/x', '[]'))).errorClass).toEqual({ kind: 'retry', reached: 'maybe' });
    expect((await failure(client.get('/x', {}))).errorClass).toEqual({ kind: 'retry', reached: 'no' });
  });

  it('stop the request before anything was sent if they concern the host name or TLS', async () => {
    const lost = await meeting(
      answering(jsonOf([])),
      {
        lookup: (_host, _options, done) =>
          done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), '', 4),
      },
      'https://platform.invalid/v2',
    );
    expect((await lost.failure(lost.client.post('/x', '[]'))).errorClass).toEqual({
      kind: 'stop',
      pause: 'addressUnknown',
    });
    const plain = await startLiteralServer(answering(jsonOf([])));
    const { client, failure } = await meeting(answering(jsonOf([])), {}, `https://127.0.0.1:${plain.port}/`);
    expect((await failure(client.post('/x', '[]'))).errorClass).toEqual({ kind: 'stop', pause: 'tls' });
  });

  it('do not occur at a server that offers HTTP/2: the client uses HTTP/1.1', async () => {
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

  it('never turn one request of the caller into two', async () => {
    const { client, server, failure } = await meeting((socket, _request, number) => {
      if (number === 1) socket.write(jsonOf([]));
      else socket.destroy();
    });
    await client.get('/x', {});
    await failure(client.get('/y', {}));
    await failure(client.post('/z', '[]'));
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });
});

describe('the semaphore', () => {
  it('has one slot, or two where configured, and never more, over all callers', async () => {
    for (const slots of [1, 2] as const) {
      const held: Socket[] = [];
      let most = 0;
      // Answers as soon as every slot is in use, after waiting one turn for further requests.
      const slow: Answering = async (socket) => {
        held.push(socket);
        most = Math.max(most, held.length);
        if (held.length !== slots) return;
        await nextTurn();
        for (const waiting of held.splice(0)) waiting.write(jsonOf([]));
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

  it('reads in the key’s second slot during another request, and never makes a third request', async () => {
    const held: Socket[] = [];
    let most = 0;
    const { client, server } = await meeting(async (socket) => {
      held.push(socket);
      most = Math.max(most, held.length);
      if (held.length !== 2) return;
      await nextTurn();
      for (const waiting of held.splice(0)) waiting.write(jsonOf([]));
    });
    const { getBeside = () => Promise.reject(new Error('Expected a second slot')) } = client;
    const calls = Array.from({ length: 10 }, (_, index) => [
      client.post(`/x${index}`, '[]'),
      getBeside(`/y${index}`, {}),
    ]);
    await Promise.all(calls.flat());
    expect(most).toBe(2);
    expect(server.received.filter(({ method }) => method === 'GET')).toHaveLength(10);
  });

  it('leaves the second slot to another device for ten minutes after a 429 response', async () => {
    let ahead = 0;
    const clock = { ...realClock, monotonic: () => realClock.monotonic() + ahead };
    const server = await startLiteralServer((socket, _request, number) => {
      socket.write(number === 1 ? answerOf(429, [JSON_TYPE], '{}') : jsonOf([]));
    });
    const access = { baseUrl: server.baseUrl, key: KEY, password: '', expoId: 'E1' };
    const client = createClient(access, clock);
    onTestFinished(client.close);
    await expect(client.post('/x', '[]')).rejects.toThrow('429');
    for (const [minutes, requests] of [
      [0, 1],
      [9, 1],
      [10, 2],
    ] as const) {
      ahead = minutes * 60_000;
      await client.getBeside?.('/y', {}).catch(() => undefined);
      expect(server.received).toHaveLength(requests);
    }
    expect(createClient(access, clock, { slots: 2 }).getBeside).toBeUndefined();
  });

  it('runs uploads first, and a waiting download after fifteen uploads', async () => {
    const uploads = Array.from({ length: 17 }, (_, index) => `/u${index + 1}`);
    type Client = Awaited<ReturnType<typeof meeting>>['client'];
    const atOnce = (client: Client) => Promise.all(uploads.map((path) => client.post(path, '[]')));
    const oneByOne = async (client: Client) => {
      for (const path of uploads) await client.post(path, '[]');
    };
    for (const send of [atOnce, oneByOne]) {
      const { client, server } = await meeting(answering(jsonOf([])));
      const downloads = ['/first', '/d1', '/d2'].map((path) => client.get(path, {}));
      await Promise.all([...downloads, send(client)]);
      const order = server.received.map(({ target }) => target.slice('/create/v2/'.length)).join(' ');
      const sent = uploads.map((path) => path.slice(1));
      expect(order).toBe(['first', ...sent.slice(0, 15), 'd1', ...sent.slice(15), 'd2'].join(' '));
    }
  });
});
