/**
 * A listener on this machine's own addresses, 127.0.0.1 and ::1, with one port for both.
 *
 * Invariants: nothing outside this machine can connect; open sockets are limited (`socket-places.ts`); a port that was
 * asked for is used or refused, never replaced.
 */

import type { IncomingMessage } from 'node:http';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { createSocketPlaces, type SocketPlaces } from './socket-places.ts';

/** What arrives. */
export type Arrivals = {
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
};

export type Loopback = {
  readonly port: number;
  /** The client on this socket proved itself, so the socket keeps its place. */
  readonly keep: (socket: Duplex) => void;
  /** Frees the port at once and cuts what is open. */
  readonly close: () => Promise<void>;
};

/** The port tried first when none was asked for: a page left open finds its device again after a restart. */
export const USUAL_PORT = 4747;
const HEADER_LIMIT = 8 * 1024;
const PATIENCE_MS = 10_000;

/**
 * Listens on `port`; null: the usual one, or any that is free. Arrivals before the port is known are not possible.
 * @throws {StartRefusal} where the port that was asked for is taken or not allowed.
 */
export async function listenOnLoopback(port: number | null, arrivals: Arrivals): Promise<Loopback> {
  const places = createSocketPlaces();
  const make = () => makeServer(arrivals, places);
  if (port !== null) {
    const servers = await listenOnBoth(port, make);
    if (servers === null)
      throw new StartRefusal(
        'options',
        `The port ${port} is in use or not allowed; choose another with --port.`,
      );
    return loopback(servers, places);
  }
  for (const candidate of [USUAL_PORT, 0, 0, 0, 0]) {
    const servers = await listenOnBoth(candidate, make);
    if (servers !== null) return loopback(servers, places);
  }
  throw new StartRefusal(
    'options',
    'No port of this machine is free for the browser shell; choose one with --port.',
  );
}

function loopback(servers: readonly [Server, ...Server[]], places: SocketPlaces): Loopback {
  return {
    port: portOf(servers[0]),
    keep: places.keep,
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      places.cutAll();
      await Promise.all(closed);
    },
  };
}

/** Null where the port is taken on either address. A machine without IPv6 is served on 127.0.0.1 alone. */
async function listenOnBoth(
  port: number,
  make: () => Server,
): Promise<readonly [Server, ...Server[]] | null> {
  const v4 = make();
  if ((await listen(v4, port, '127.0.0.1')) !== 'listening') return null;
  const v6 = make();
  const outcome = await listen(v6, portOf(v4), '::1');
  if (outcome === 'listening') return [v4, v6];
  if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(outcome)) return [v4];
  v4.close();
  return null;
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => resolve('listening'));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listener without a port');
  return address.port;
}

function makeServer(arrivals: Arrivals, places: SocketPlaces): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: PATIENCE_MS,
      requestTimeout: PATIENCE_MS,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    arrivals.request,
  );
  server.on('connection', places.enter);
  return server.on('upgrade', arrivals.upgrade);
}
