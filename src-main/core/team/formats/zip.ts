/**
 * A ZIP archive written as a stream, so that it is never in memory as a whole.
 *
 * Invariants:
 * - Throws beyond the plain format's limits of 4 GB and 65,535 files (APPNOTE.TXT 6.3.10, section 4.4).
 * - Contains no time except the given one.
 * - The runtime's own zlib compresses piece by piece, because a JavaScript implementation needs several times as
 *   long.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** One file of an archive: its name with `/` between folders, and its bytes in pieces. */
type ZipFile = { readonly name: string; readonly pieces: Iterable<Uint8Array> };

const MOST_BYTES = 0xffff_fffe;
const MOST_FILES = 0xfffe;

/** A fast level: a large sheet is only a few percent larger than with the default level. */
const LEVEL = 3;
const DEFLATED = 8;

/**
 * A file of an archive. Each piece is deflated for itself up to a byte boundary (`Z_SYNC_FLUSH`), so that the results
 * together are one stream (RFC 1951).
 */
class DeflatedFile implements ZipInputFile {
  readonly filename: string;
  readonly mtime: Date;
  readonly compression = DEFLATED;
  size = 0;
  crc = 0;
  declare ondata: NonNullable<ZipInputFile['ondata']>;

  constructor(filename: string, mtime: Date) {
    this.filename = filename;
    this.mtime = mtime;
  }

  push(piece: Uint8Array, isLast: boolean): void {
    this.size += piece.length;
    this.crc = crc32(piece, this.crc);
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, deflateRawSync(piece, { level: LEVEL, finishFlush }), isLast);
  }
}

/** Years that the library accepts as a date. */
const FIRST_YEAR = 1980;
const LAST_YEAR = 2099;

/**
 * The bytes of an archive of these files, each dated `at` (Unix milliseconds, local time). @throws RangeError beyond
 * the limits
 */
export function* zip(files: Iterable<ZipFile>, at: number): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error;
    ready.push(bytes);
  });
  const mtime = datable(at);
  let written = 0;
  let count = 0;
  function* drained(): Generator<Uint8Array> {
    for (const packed of ready.splice(0)) {
      written += packed.length;
      yield packed;
    }
  }
  for (const { name, pieces } of files) {
    const file = new DeflatedFile(name, mtime);
    archive.add(file);
    count += 1;
    for (const bytes of pieces) {
      file.push(bytes, false);
      yield* drained();
    }
    file.push(new Uint8Array(), true);
    yield* drained();
    if (written > MOST_BYTES || file.size > MOST_BYTES || count > MOST_FILES)
      throw new RangeError('Expected an archive below 4 GB');
  }
  archive.end();
  yield* drained();
}

function datable(at: number): Date {
  const date = new Date(at);
  date.setFullYear(Math.min(LAST_YEAR, Math.max(FIRST_YEAR, date.getFullYear())));
  return date;
}
