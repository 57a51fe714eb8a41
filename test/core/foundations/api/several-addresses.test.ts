/** One server at several addresses: which address a request uses, and when it may be sent again. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { createAddressChoice } from '../../../../src-main/core/foundations/api/several-addresses.ts';
import { freePort } from '../../../free-port.ts';
import { realClock } from '../../real-parts.ts';

/** A server that can be stopped and started at its address. `heard`: methods and paths. */
const place = async () => {
  const port = await freePort();
  const heard: string[] = [];
  const moods: { answer: RequestListener | null } = { answer: null };
  let server: Server | null = null;
  const end = async () => {
    server?.closeAllConnections();
    const gone = server && once(server, 'close');
    server?.close();
    server = null;
    await gone;
  };
  onTestFinished(end);
  const begin = async () => {
    server = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      if (moods.answer !== null) return moods.answer(request, response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"port":${port}}`);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  return { address: (path: string) => `http://127.0.0.1:${port}${path}`, heard, moods, begin, end, port };
};

const answer = (status: number, body: object): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};

const clientOf = (addresses: readonly string[], more: object = {}) => {
  const [baseUrl = '', ...others] = addresses;
  const client = createClient({ baseUrl, others, key: 'k', password: '', expoId: 'E1', ...more }, realClock);
  onTestFinished(client.close);
  const words = async (request: Promise<string>): Promise<unknown> => {
    try {
      return (JSON.parse(await request) as { readonly port: number }).port;
    } catch (error) {
      if (error instanceof ApiError) return error.errorClass;
      throw error;
    }
  };
  return { get: () => words(client.get('/x', {})), post: () => words(client.post('/x', '[]')) };
};

describe('a server at two addresses', () => {
  it('is queried at the second address if the first is down, and stays there until the second is down', async () => {
    const [one, two] = [await place(), await place()];
    const { get, post } = clientOf([one.address('/a'), two.address('/b/')]);
    await two.begin();
    expect([await get(), await post()]).toEqual([two.port, two.port]);
    await one.begin();
    expect(await post()).toBe(two.port);
    await two.end();
    expect([await get(), await post()]).toEqual([one.port, one.port]);
    expect(one.heard).toEqual(['GET /a/x', 'POST /a/x']);
    expect(two.heard).toEqual(['GET /b/x', 'POST /b/x', 'POST /b/x']);
  });

  it('never gets a request twice that may have arrived; the next request uses the other address', async () => {
    const [one, two] = [await place(), await place()];
    const { get, post } = clientOf([one.address(''), two.address('')]);
    await Promise.all([one.begin(), two.begin()]);
    one.moods.answer = (request) => request.destroy();
    expect(await post()).toEqual({ kind: 'retry', reached: 'maybe' });
    expect([one.heard, two.heard]).toEqual([['POST /x'], []]);
    expect(await post()).toBe(two.port);
    expect(await get()).toBe(two.port);
  });

  it('is queried at the same address after an answer with an error status', async () => {
    const [one, two] = [await place(), await place()];
    const { get } = clientOf([one.address(''), two.address('')]);
    await Promise.all([one.begin(), two.begin()]);
    for (const status of [429, 500, 503, 401, 403, 404, 422]) {
      one.moods.answer = answer(status, { title: 'No', status, errors: [] });
      await get();
    }
    expect([one.heard.length, two.heard.length]).toEqual([7, 0]);
  });

  it('that does not answer anywhere is queried once at each address per request', async () => {
    const [one, two] = [await place(), await place()];
    const { get, post } = clientOf([one.address(''), two.address('')]);
    expect([await get(), await post()]).toEqual([
      { kind: 'retry', reached: 'no' },
      { kind: 'retry', reached: 'no' },
    ]);
    await Promise.all([one.begin(), two.begin()]);
    for (const { moods } of [one, two]) moods.answer = (request) => request.destroy();
    expect(await get()).toEqual({ kind: 'retry', reached: 'no' });
    expect([one.heard, two.heard]).toEqual([['GET /x'], ['GET /x']]);
  });

  it('is queried by all clients of a device at the address that one of them found', async () => {
    const [one, two] = [await place(), await place()];
    const choice = createAddressChoice(2);
    const addresses = [one.address(''), two.address('')];
    const [first, second] = [clientOf(addresses, { choice }), clientOf(addresses, { choice })];
    await two.begin();
    expect(await first.get()).toBe(two.port);
    await one.begin();
    expect(await second.get()).toBe(two.port);
    await two.end();
    expect(await Promise.all([first.get(), second.get(), second.post()])).toEqual([
      one.port,
      one.port,
      one.port,
    ]);
    expect(choice.now()).toBe(0);
  });

  it('is reported as another hub, not as unreachable, if a wrong server answers at one address', async () => {
    const [plain, gone] = [await place(), await place()];
    await plain.begin();
    const secure = (port: number) => `https://127.0.0.1:${port}`;
    const pin = `${'A'.repeat(43)}=`;
    for (const ports of [
      [plain.port, gone.port],
      [gone.port, plain.port],
    ])
      expect(await clientOf(ports.map(secure), { pin }).post()).toEqual({ kind: 'stop', pause: 'wrongHub' });
    expect(plain.heard).toEqual([]);
  });
});
