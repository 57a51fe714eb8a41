/**
 * A server that is identified by its key alone: any certificate of it is accepted, and no other server receives a
 * byte.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pinOfHub, tlsKeyOf } from '../../../../src-hub/certificate/hub-keys.ts';
import { openCertificate } from '../../../../src-main/certificate/certificate.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { makeSigningKey } from '../../../../src-main/provision/provision-file.ts';
import { ownFolder } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';

const KEY = 'credential-of-this-device';
const YEAR_MS = 365 * 86_400_000;

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** A hub whose certificate was made at `now` with another name. */
const hub = async (now = Date.now()) => {
  const signing = makeSigningKey().privateKey;
  const names = { server: 'elsewhere', hosts: ['elsewhere.example'], addresses: [] };
  const { key, cert } = await openCertificate(
    join(ownFolder(), 'certificate.pem'),
    tlsKeyOf(signing),
    names,
    now,
  );
  const heard: string[] = [];
  const server = createServer({ key, cert }, ({ headers }, response) => {
    heard.push(headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"hub":true}');
  });
  const port = await portOf(server);
  onTestFinished(() => server.closeAllConnections());
  return { pin: pinOfHub(signing), port, heard };
};

const ask = async (port: number, pin: string | null, host = '127.0.0.1') => {
  const access = { baseUrl: `https://${host}:${port}/v2`, key: KEY, password: '', expoId: 'E1', pin };
  const client = createClient(access, realClock);
  onTestFinished(client.close);
  const words = async (request: Promise<string>) =>
    request.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return error.errorClass.kind === 'stop' ? error.errorClass.pause : error.errorClass.kind;
    });
  return [await words(client.get('/hub', {})), await words(client.post('/hub/here', '{}'))];
};

describe('a client that knows the key of its server', () => {
  it('accepts the server under any name, address and validity of the certificate', async () => {
    for (const now of [Date.now(), Date.now() - 30 * YEAR_MS, Date.now() + 5 * YEAR_MS]) {
      const { port, pin, heard } = await hub(now);
      for (const host of ['127.0.0.1', 'localhost'])
        expect(await ask(port, pin, host)).toEqual(['{"hub":true}', '{"hub":true}']);
      expect(heard).toHaveLength(4);
    }
  });

  it('sends nothing to a server with another key', async () => {
    const [known, stranger] = [await hub(), await hub()];
    expect(await ask(stranger.port, known.pin)).toEqual(['wrongHub', 'wrongHub']);
    expect(stranger.heard).toEqual([]);
  });

  it('refuses a server without TLS', async () => {
    const { pin } = await hub();
    const heard: string[] = [];
    const plain = createHttpServer(({ headers }, response) => {
      heard.push(JSON.stringify(headers));
      response.end('{}');
    });
    expect(await ask(await portOf(plain), pin)).toEqual(['wrongHub', 'wrongHub']);
    expect(heard).toEqual([]);
  });

  it('does not count a server that closes the connection at once as another server', async () => {
    const { pin } = await hub();
    const rude = createNetServer((socket) => socket.destroy());
    expect(await ask(await portOf(rude), pin)).toEqual(['retry', 'retry']);
  });
});

it('a client without a pin does not accept the certificate of a hub', async () => {
  const { port, heard } = await hub();
  expect(await ask(port, null)).toEqual(['tls', 'tls']);
  expect(heard).toEqual([]);
});
