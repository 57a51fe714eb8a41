/**
 * A ZIP archive written as a stream, so that it is never in memory as a whole.
 *
 * Invariants:
 * - Throws beyond the plain format's limits of 4 GB and 65,535 files (APPNOTE.TXT 6.3.10, section 4.4).
 * - Contains no time except the given one.
 */
import { Zip, ZipDeflate } from 'fflate';

/** One file of an archive: its name with `/` between folders, and its bytes in pieces. */
type ZipFile = { readonly name: string; readonly pieces: Iterable<Uint8Array> };

const MOST_BYTES = 0xffff_fffe;
const MOST_FILES = 0xfffe;

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
    const file = Object.assign(new ZipDeflate(name), { mtime });
    archive.add(file);
    count += 1;
    for (const bytes of pieces) {
      file.push(bytes);
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
