/**
 * A listener on this machine's own addresses, 127.0.0.1 and ::1, with one port for both.
 *
 * Invariants: nothing outside this machine can connect; at most 32 sockets are open; a port that was asked for is used
 * or refused, never replaced.
 */

import type { IncomingMessage } from 'node:http';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { StartRefusal } from '../core/refusal.ts';

/** What arrives. */
export type Arrivals = {
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
};

export type Loopback = {
  readonly port: number;
  /** Frees the port at once and cuts what is open. */
  readonly close: () => Promise<void>;
};

/** The port tried first when none was asked for: a page left open finds its device again after a restart. */
export const USUAL_PORT = 4747;
const MOST_SOCKETS = 32;
const HEADER_LIMIT = 8 * 1024;
const PATIENCE_MS = 10_000;

/**
 * Listens on `port`; null: the usual one, or any that is free. Arrivals before the port is known are not possible.
 * @throws {StartRefusal} where the port that was asked for is taken or not allowed.
 */
export async function listenOnLoopback(port: number | null, arrivals: Arrivals): Promise<Loopback> {
  const sockets = new Set<Duplex>();
  const make = () => makeServer(arrivals, sockets);
  if (port !== null) {
    const servers = await listenOnBoth(port, make);
    if (servers === null)
      throw new StartRefusal(
        'options',
        `The port ${port} is in use or not allowed; choose another with --port.`,
      );
    return loopback(servers, sockets);
  }
  for (const candidate of [USUAL_PORT, 0, 0, 0, 0]) {
    const servers = await listenOnBoth(candidate, make);
    if (servers !== null) return loopback(servers, sockets);
  }
  throw new StartRefusal(
    'options',
    'No port of this machine is free for the browser shell; choose one with --port.',
  );
}

function loopback(servers: readonly [Server, ...Server[]], sockets: ReadonlySet<Duplex>): Loopback {
  return {
    port: portOf(servers[0]),
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
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

function makeServer(arrivals: Arrivals, sockets: Set<Duplex>): Server {
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
  server.on('connection', (socket) => {
    if (sockets.size >= MOST_SOCKETS) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return server.on('upgrade', arrivals.upgrade);
}
