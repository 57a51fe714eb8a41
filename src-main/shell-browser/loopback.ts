/**
 * A listener on the loopback addresses 127.0.0.1 and ::1, with one port for both.
 *
 * Invariants:
 * - nothing outside this machine can connect;
 * - at most 32 sockets of unauthenticated clients are open: a new one closes the oldest, so idle sockets cannot block
 *   other clients;
 * - an authenticated client keeps its socket (at most 64 do), regardless of how many others connect;
 * - a requested port is used, or the start is refused. It is never replaced by another port.
 */
import type { IncomingMessage } from 'node:http';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { StartRefusal } from '../core/foundations/refusal.ts';

/** Handlers of requests and upgrades. */
export type Arrivals = {
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
};

export type Loopback = {
  readonly port: number;
  /** Keeps this socket open, because its client is authenticated. */
  readonly keep: (socket: Duplex) => void;
  /** Frees the port at once and closes all sockets. */
  readonly close: () => Promise<void>;
};

/** The port tried first, so that an open page finds its device again after a restart. */
const USUAL_PORT = 4747;
const HEADER_LIMIT = 8 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;

/** Limits of a server of pages. The host header is checked with the request. */
export const SERVER_LIMITS = {
  maxHeaderSize: HEADER_LIMIT,
  headersTimeout: REQUEST_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
} as const;

/**
 * Listens on `port`; null means the default port, or any free one.
 * @throws {StartRefusal} when the port is in use or not allowed
 */
export async function listenOnLoopback(port: number | null, arrivals: Arrivals): Promise<Loopback> {
  const sockets = createSocketLimit();
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

function loopback(servers: readonly [Server, ...Server[]], sockets: SocketLimit): Loopback {
  return {
    port: portOf(servers[0]),
    keep: sockets.keep,
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      sockets.closeAll();
      await Promise.all(closed);
    },
  };
}

/** Null when the port is in use on either address. A machine without IPv6 listens on 127.0.0.1 only. */
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

/** Listens; returns `listening`, or the code of the error. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => resolve('listening'));
  });
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listener without a port');
  return address.port;
}

function makeServer(arrivals: Arrivals, sockets: SocketLimit): Server {
  const server = createServer(SERVER_LIMITS, arrivals.request);
  server.on('connection', sockets.enter);
  return server.on('upgrade', arrivals.upgrade);
}

type SocketLimit = {
  /** Counts a new socket. */
  readonly enter: (socket: Duplex) => void;
  /** Keeps the socket of an authenticated client. */
  readonly keep: (socket: Duplex) => void;
  /** Closes all open sockets. */
  readonly closeAll: () => void;
};

const MAX_UNAUTHENTICATED = 32;
const MAX_KEPT = 64;

/** The open sockets of a server, with their limits. */
export function createSocketLimit(): SocketLimit {
  // In order of arrival.
  const unauthenticated = new Set<Duplex>();
  const kept = new Set<Duplex>();
  return {
    enter: (socket) => {
      const [oldest] = unauthenticated;
      if (unauthenticated.size >= MAX_UNAUTHENTICATED && oldest !== undefined) {
        unauthenticated.delete(oldest);
        oldest.destroy();
      }
      unauthenticated.add(socket);
      socket.once('close', () => {
        unauthenticated.delete(socket);
        kept.delete(socket);
      });
    },
    keep: (socket) => {
      if (kept.size < MAX_KEPT && unauthenticated.delete(socket)) kept.add(socket);
    },
    closeAll: () => {
      for (const socket of [...unauthenticated, ...kept]) socket.destroy();
    },
  };
}
