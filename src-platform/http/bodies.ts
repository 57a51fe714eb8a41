/**
 * Request bodies: JSON in UTF-8, or bytes for the operations that take bytes.
 *
 * Invariants
 * - A text is accepted as sent or refused with 400: nothing is guessed, replaced or repaired.
 * - A deletion without a body is valid with any `Content-Type`, because some clients set it on every request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';
import { parseJson } from './json.ts';
import type { Operation } from './operation.ts';

const unsupported = 'The content type is not supported';

function isEmpty({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** Refuses compressed bodies, and character sets other than UTF-8, before a byte is read. */
function checkHeaders({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw badRequest('The content encoding is not supported');
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw badRequest('The body must be in UTF-8');
}

function textOf(bytes: Buffer): string {
  try {
    // A byte order mark is not valid JSON and is not removed.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8');
  }
}

/** Whether every percent escape in a URL is valid UTF-8. */
export function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Reads JSON bodies losslessly; other content types are refused unless an operation takes bytes. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', async (request) => {
    if (request.method === 'DELETE' && isEmpty(request)) delete request.raw.headers['content-type'];
    else checkHeaders(request);
  });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ method }: FastifyRequest, body: Buffer) =>
      body.length === 0 && method === 'DELETE' ? undefined : parseJson(textOf(body)),
  );
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    const operation = (request.routeOptions.config as { readonly operation?: Operation }).operation;
    if (operation?.bytes) done(null, payload);
    else done(badRequest(unsupported));
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw badRequest(unsupported);
  });
}
