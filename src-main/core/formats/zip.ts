/**
 * A ZIP archive written as it comes, so that it never stands in memory as a whole. Format: APPNOTE.TXT 6.3.10,
 * sections 4.3 and 4.4.
 *
 * Invariants: names are UTF-8; sizes follow each file in a data descriptor, since they are not known before; below the
 * 4 GB and 65,535 files that the plain format holds, beyond which it throws; nothing of the machine's clock is in it but
 * the time it is given.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive: its name with `/` between folders, and its bytes piece by piece. */
export type ZipFile = { readonly name: string; readonly pieces: Iterable<Uint8Array> };

type Entry = {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
};

const MOST_BYTES = 0xffff_fffe;
const MOST_FILES = 0xfffe;

/** UTF-8 names, and sizes behind the data. */
const FLAGS = 0x0808;
const VERSION = 20;
const DEFLATED = 8;

/** The bytes of an archive of these files, each dated `at` (epoch milliseconds, local time). @throws RangeError when it grows too big */
export function* zip(files: Iterable<ZipFile>, at: number): Generator<Uint8Array> {
  const entries: Entry[] = [];
  const stamp = dosTime(at);
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name, 'utf8');
    const head = localHeader(name, stamp);
    yield head;
    let crc = 0;
    let size = 0;
    let packed = 0;
    for (const bytes of file.pieces) {
      if (bytes.length === 0) continue;
      crc = crc32(bytes, crc);
      size += bytes.length;
      // Each piece ends on a whole byte and is no last one, so pieces can stand behind each other.
      const piece = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      packed += piece.length;
      yield piece;
    }
    const end = deflateRawSync(new Uint8Array());
    packed += end.length;
    yield end;
    yield descriptor(crc, size, packed);
    entries.push({ name, crc, size, packed, offset });
    offset += head.length + packed + 16;
    if (offset > MOST_BYTES || size > MOST_BYTES || entries.length > MOST_FILES)
      throw new RangeError('Expected an archive below 4 GB');
  }
  let length = 0;
  for (const entry of entries) {
    const row = directoryRow(entry, stamp);
    length += row.length;
    yield row;
  }
  yield endOfDirectory(entries.length, length, offset);
}

function localHeader(name: Buffer, stamp: number): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt32LE(stamp, 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor(crc: number, size: number, packed: number): Buffer {
  const block = Buffer.alloc(16);
  block.writeUInt32LE(0x0807_4b50, 0);
  block.writeUInt32LE(crc, 4);
  block.writeUInt32LE(packed, 8);
  block.writeUInt32LE(size, 12);
  return block;
}

function directoryRow({ name, crc, size, packed, offset }: Entry, stamp: number): Buffer {
  const row = Buffer.alloc(46);
  row.writeUInt32LE(0x0201_4b50, 0);
  row.writeUInt16LE(VERSION, 4);
  row.writeUInt16LE(VERSION, 6);
  row.writeUInt16LE(FLAGS, 8);
  row.writeUInt16LE(DEFLATED, 10);
  row.writeUInt32LE(stamp, 12);
  row.writeUInt32LE(crc, 16);
  row.writeUInt32LE(packed, 20);
  row.writeUInt32LE(size, 24);
  row.writeUInt16LE(name.length, 28);
  row.writeUInt32LE(offset, 42);
  return Buffer.concat([row, name]);
}

function endOfDirectory(files: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Time in the lower half, date in the upper (section 4.4.6); years 1980 to 2107. */
function dosTime(at: number): number {
  const date = new Date(at);
  const year = Math.min(127, Math.max(0, date.getFullYear() - 1980));
  const day = (year << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  return day * 0x1_0000 + time;
}
