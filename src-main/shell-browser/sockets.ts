/**
 * The contract over WebSockets.
 *
 * Invariants: a socket is opened only after `checkUpgrade` and authentication; messages are at most 2 MiB of JSON text,
 * anything else closes the socket; one that answers no ping for two intervals or does not take what it is sent is dropped.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { isPageMessage, MESSAGE_LIMIT } from '../page/page-messages.ts';

/** What may wait for a slow reader before it is dropped, in bytes. */
const BACKLOG_LIMIT = 4 * 1024 * 1024;

/** Open sockets of one server. */
export type Sockets = {
  /** Takes over a connection that has proved itself. */
  readonly accept: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
  /** Serves another router from now on; what is open ends, and comes back to it. */
  readonly serve: (router: AnyRouter) => void;
  /** Ends all at once. */
  readonly close: () => void;
};

/** Serves `router`; `pingMs` is how often a socket must show that it lives. */
export function createSockets(router: AnyRouter, pingMs = 30_000): Sockets {
  let handler = new RPCHandler(router);
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT, perMessageDeflate: false });
  const answered = new WeakSet<WebSocket>();
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
    void handler.upgrade(guarded(socket), { context: { page: socket } });
  });

  const cut = () => {
    for (const socket of server.clients) socket.terminate();
  };

  return {
    serve: (next) => {
      handler = new RPCHandler(next);
      cut();
    },
    accept: (request, connection, head) => {
      server.handleUpgrade(request, connection, head, (socket) => server.emit('connection', socket, request));
    },
    close: () => {
      clearInterval(beat);
      cut();
      server.close();
    },
  };
}

/** The socket as the contract's handler sees it: JSON text in, and a limit to what waits for going out. */
function guarded(socket: WebSocket): Pick<WebSocket, 'addEventListener' | 'send'> {
  const send = (data: string) => {
    if (socket.bufferedAmount > BACKLOG_LIMIT) socket.terminate();
    else socket.send(data, () => undefined);
  };
  const listen = (type: string, hear: (event: unknown) => void) => {
    if (type === 'message') {
      socket.on('message', (data, isBinary) => {
        const text = isBinary ? null : data.toString();
        if (isPageMessage(text)) hear({ data: text });
        else socket.close(1007);
      });
    } else {
      socket.on(type, hear);
    }
  };
  return { send, addEventListener: listen } as unknown as Pick<WebSocket, 'addEventListener' | 'send'>;
}
