/** Reads requests and sends responses on the connections of a server of pages. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { RequestHead } from './request-check.ts';
import { type HttpResponse, reasonPhrases, refusal } from './responses.ts';

/** Sends a response. */
export function send(response: ServerResponse, { status, headers, type, body }: HttpResponse): void {
  const length = typeof body === 'function' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, 'Content-Type': type, ...length });
  if (response.req.method === 'HEAD') response.end();
  // If a film is missing or no longer wanted, its connection is closed, and the page skips the film.
  else if (typeof body === 'function') pipeline(body(), response, () => undefined);
  else response.end(body);
}

/** Refuses an upgrade, and closes its connection. */
export function refuseUpgrade(connection: Duplex, status: number): void {
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

/** Our requests have no body: a body is discarded, and a large one closes the connection. */
export function limitBody(request: IncomingMessage): void {
  let left = 64 * 1024;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
}

/** The parts of a request that are checked. */
export function headOf(request: IncomingMessage): RequestHead {
  return { method: request.method ?? '', target: request.url ?? '', rawHeaders: request.rawHeaders };
}
