/**
 * A byte answer, whole or a range: `Range` and `If-Range` (RFC 9110, sections 13.1.5 and 14).
 *
 * Invariant: a client that states its version with `If-Range` gets a range of that version only. If the resource has
 * another version, it gets the whole resource.
 */
import type { Readable } from 'node:stream';
import { ApiError } from './errors.ts';

/** An answer of bytes. */
export class Piece {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Readable;
  constructor(status: 200 | 206, headers: Readonly<Record<string, string>>, bytes: Readable) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }
}

/** The requested range of something with `length` bytes; both ends inclusive. */
export type Asked = { readonly first: number; readonly last: number; readonly isWhole: boolean };

/** Parses the range headers of a request for a resource with `etag`. @throws ApiError 416 */
export function askedRange(
  { range, ifRange }: { readonly range?: string | undefined; readonly ifRange?: string | undefined },
  etag: string,
  length: number,
): Asked {
  const whole = { first: 0, last: length - 1, isWhole: true };
  // One range, with a start. For any other form the whole resource is sent, as the RFC allows.
  const [, from, to] = /^bytes=(\d{1,12})-(\d{1,12})?$/.exec(range ?? '') ?? [];
  if (from === undefined || (ifRange !== undefined && ifRange !== etag)) return whole;
  const first = Number(from);
  const last = Math.min(to === undefined ? length - 1 : Number(to), length - 1);
  if (first > last)
    throw new ApiError(416, 'There are no such bytes', undefined, { 'content-range': `bytes */${length}` });
  return { first, last, isWhole: false };
}

/** The answer to the range in `asked`; `open` reads from the first to the last byte, inclusive. */
export function pieceOf(
  { first, last, isWhole }: Asked,
  etag: string,
  length: number,
  open: (first: number, last: number) => Readable,
): Piece {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(last - first + 1),
    'accept-ranges': 'bytes',
    etag,
  };
  return isWhole
    ? new Piece(200, headers, open(first, last))
    : new Piece(206, { ...headers, 'content-range': `bytes ${first}-${last}/${length}` }, open(first, last));
}
