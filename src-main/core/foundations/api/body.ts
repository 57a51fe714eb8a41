/**
 * Decodes the body of an answer. `exchange.ts` limits its size before that.
 *
 * Invariant: no answer, however small on the wire, decompresses to more than `limit` bytes.
 */
import type { InputType } from 'node:zlib';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';

/** The encodings sent as `Accept-Encoding`. Answers may also use `x-gzip` and `br`. */
export const ACCEPTED_ENCODING = 'gzip, deflate';

type Decompress = (
  bytes: InputType,
  options: ZlibOptions,
  done: (error: Error | null, result: Buffer) => void,
) => void;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
};

/** Thrown for an answer in an unsupported encoding. */
class UnknownEncoding extends Error {
  readonly code = 'UNKNOWN_ENCODING';
}

/**
 * Decodes `encoding` (the `Content-Encoding` header).
 * @throws an error with code `ERR_BUFFER_TOO_LARGE` when the result exceeds `limit` bytes, `Z_…` when it is damaged,
 * `UNKNOWN_ENCODING` for any other encoding
 */
export async function plainOf(
  bytes: Uint8Array,
  encoding: string | null,
  limit: number,
): Promise<Uint8Array> {
  const coding = encoding?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '' || bytes.length === 0) return bytes;
  const decompress = decompressors[coding];
  if (decompress === undefined) throw new UnknownEncoding('the answer has an unknown content encoding');
  return new Promise((resolve, reject) => {
    decompress(bytes, { maxOutputLength: limit }, (error, result) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

/** Bytes as text. Invalid UTF-8 becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
