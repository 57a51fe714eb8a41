/**
 * The browser shell: the renderer and the contract on loopback, for any browser of this machine.
 *
 * Invariant: every request and every WebSocket passes the request handler; nothing is served beside it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { listenOnLoopback } from './loopback.ts';
import type { RequestHead } from './request-check.ts';
import { type Content, createRequestHandler } from './request-handler.ts';
import { type HttpResponse, reasonPhrases, refusal } from './responses.ts';
import { openSessions, type SessionPorts } from './sessions.ts';
import { createSockets } from './sockets.ts';

type Ports = Omit<SessionPorts, 'file'> &
  Content & {
    readonly router: AnyRouter;
    /** Folder in which browsers are remembered. */
    readonly folder: string;
    /** Null: the usual port, or any free one. */
    readonly port: number | null;
    readonly pingMs?: number;
  };

export type BrowserShell = {
  readonly port: number;
  /** Address of the contract for tools with the bearer token. */
  readonly rpc: string;
  /** A new address to open, good for one browser. */
  readonly freshLink: () => string;
  /** Answers by another router from now on; every page is connected anew. */
  readonly serve: (router: AnyRouter) => void;
  readonly stop: () => Promise<void>;
};

/** Opens the shell. @throws {StartRefusal} where its port is taken. */
export async function openBrowserShell(ports: Ports): Promise<BrowserShell> {
  const sessions = openSessions({ ...ports, file: join(ports.folder, 'browsers.json') });
  const sockets = createSockets(ports.router, ports.pingMs);
  const link = (port: number) => `http://127.0.0.1:${port}/?launch=${sessions.issue()}`;
  const handler = createRequestHandler(ports, sessions, link);

  const loopback = await listenOnLoopback(ports.port, {
    request: (request, response) => {
      limitBody(request);
      const head = headOf(request);
      if (handler.isAuthenticated(head, portOf(request))) loopback.keep(request.socket);
      send(response, handler.respond(head, portOf(request)));
    },
    upgrade: (request, connection, head) => {
      connection.on('error', () => connection.destroy());
      const status = handler.refuseSocket(headOf(request), portOf(request));
      if (status !== null) return refuseUpgrade(connection, status);
      loopback.keep(connection);
      sockets.accept(request, connection, head);
    },
  });
  return {
    port: loopback.port,
    rpc: `ws://127.0.0.1:${loopback.port}/rpc`,
    freshLink: () => link(loopback.port),
    serve: sockets.serve,
    stop: async () => {
      sockets.close();
      await loopback.close();
    },
  };
}

function send(response: ServerResponse, { status, headers, type, body }: HttpResponse): void {
  const length = typeof body === 'function' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, 'Content-Type': type, ...length });
  if (response.req.method === 'HEAD') response.end();
  // A film that is gone, or that the page no longer wants, ends its connection; the page skips it.
  else if (typeof body === 'function') pipeline(body(), response, () => undefined);
  else response.end(body);
}

function refuseUpgrade(connection: Duplex, status: number): void {
  const { headers, body, type } = refusal(status);
  const fields = Object.entries({
    ...headers,
    'Content-Type': type,
    'Content-Length': body.length,
    Connection: 'close',
  });
  const head = [
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
}

/** No request of ours has a body: what comes is thrown away, and too much of it cuts the connection. */
function limitBody(request: IncomingMessage): void {
  let left = 64 * 1024;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
}

function headOf(request: IncomingMessage): RequestHead {
  return { method: request.method ?? '', target: request.url ?? '', rawHeaders: request.rawHeaders };
}

/** The port a request came in on, which both listeners share. */
function portOf(request: IncomingMessage): number {
  return request.socket.localPort ?? 0;
}
