/**
 * A server that answers with exactly the bytes of a test and records its requests.
 *
 * Invariant: it has its own port. Every connection is closed when the test ends.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Received = {
  readonly method: string;
  /** Path with query, as in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Writes the answer to the connection. */
export type Answering = (socket: Socket, received: Received, number: number) => void | Promise<void>;

/** An answer with these header lines. Its length is added unless the lines say how the body ends. */
export const answerOf = (
  status: number,
  lines: readonly string[],
  body: string | Uint8Array = '',
): Buffer => {
  const bytes = Buffer.from(body);
  const ends = lines.some((line) => /^(content-length|transfer-encoding|connection: close)/i.test(line));
  const all = ends ? lines : [...lines, `content-length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Words\r\n${all.join('\r\n')}\r\n\r\n`), bytes]);
};

/** A JSON answer. */
export const jsonOf = (value: unknown, status = 200): Buffer =>
  answerOf(status, ['content-type: application/json; charset=utf-8'], JSON.stringify(value));

export type LiteralServer = {
  readonly baseUrl: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Number of connections made. */
  readonly connections: () => number;
};

/** Starts a server on 127.0.0.1. */
export const startLiteralServer = async (answer: Answering): Promise<LiteralServer> => {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const hear = async (incoming: IncomingMessage): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = '', url = '', headers } = incoming;
    const one = { method, target: url, headers, body: Buffer.concat(parts) };
    received.push(one);
    await answer(incoming.socket, one, received.length);
  };
  const server = createServer({ keepAliveTimeout: 0 }, (incoming) => {
    // Some of these tests need a client that disconnects early.
    hear(incoming).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/create/v2`, port, received, connections: () => connections };
};
