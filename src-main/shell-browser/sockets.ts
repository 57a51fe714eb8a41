/**
 * Serves the contract over WebSockets.
 *
 * Invariants:
 * - a socket opens only after `checkUpgrade` and authentication;
 * - a message is JSON text of at most 2 MiB; anything else closes the socket;
 * - a socket that does not answer a ping within one interval, or that does not read its messages, is closed.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { isPageMessage, MESSAGE_LIMIT } from '../page/page-messages.ts';

/** Bytes buffered for a slow client before its socket is closed. */
const BACKLOG_LIMIT = 4 * 1024 * 1024;

/** The sockets of one server. */
export type Sockets = {
  /** Opens a socket on an authenticated connection. `page` owns its calls; by default the socket is a separate page. */
  readonly accept: (request: IncomingMessage, connection: Duplex, head: Buffer, page?: object) => void;
  /** Closes the sockets of a page. */
  readonly cut: (page: object) => void;
  /** Serves another router from now on; open sockets close, and pages reconnect. */
  readonly serve: (router: AnyRouter) => void;
  /** Closes all sockets. */
  readonly close: () => void;
};

/** Serves `router`. `pingMs`: the interval of pings. */
export function createSockets(router: AnyRouter, pingMs = 30_000): Sockets {
  let handler = new RPCHandler(router);
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT, perMessageDeflate: false });
  const answered = new WeakSet<WebSocket>();
  const pages = new WeakMap<WebSocket, object>();
  const beat = setInterval(() => {
    for (const socket of server.clients) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingMs).unref();

  server.on('connection', (socket) => {
    answered.add(socket);
    socket.on('pong', () => answered.add(socket));
    socket.on('error', () => socket.terminate());
    void handler.upgrade(guarded(socket), { context: { page: pages.get(socket) ?? socket } });
  });

  const cutAll = () => {
    for (const socket of server.clients) socket.terminate();
  };

  return {
    serve: (next) => {
      handler = new RPCHandler(next);
      cutAll();
    },
    accept: (request, connection, head, page) => {
      server.handleUpgrade(request, connection, head, (socket) => {
        if (page !== undefined) pages.set(socket, page);
        server.emit('connection', socket, request);
      });
    },
    cut: (page) => {
      for (const socket of server.clients) if (pages.get(socket) === page) socket.terminate();
    },
    close: () => {
      clearInterval(beat);
      cutAll();
      server.close();
    },
  };
}

/** The socket for the contract's handler: accepts only JSON text, and limits the send buffer. */
function guarded(socket: WebSocket): Pick<WebSocket, 'addEventListener' | 'send'> {
  const send = (data: string) => {
    if (socket.bufferedAmount > BACKLOG_LIMIT) socket.terminate();
    else socket.send(data, () => undefined);
  };
  const listen = (type: string, listener: (event: unknown) => void) => {
    if (type === 'message') {
      socket.on('message', (data, isBinary) => {
        const text = isBinary ? null : data.toString();
        if (isPageMessage(text)) listener({ data: text });
        else socket.close(1007);
      });
    } else {
      socket.on(type, listener);
    }
  };
  return { send, addEventListener: listen } as unknown as Pick<WebSocket, 'addEventListener' | 'send'>;
}
