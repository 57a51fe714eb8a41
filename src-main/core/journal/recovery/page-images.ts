/**
 * Reads the pages of a damaged SQLite file without SQLite. Yields every record that can still be decoded from the
 * database file and from every frame of its write-ahead log, regardless of parent pages and checksums.
 *
 * Invariants:
 * - Reads only, and never throws on damaged bytes.
 * - Records are not verified. The caller verifies each record by its own checksum.
 *
 * Format: sqlite.org/fileformat2.html, sections 1.6, 2 and 4.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A value as SQLite stores it. Integers beyond 2^53 are bigint. */
export type StoredValue = string | number | bigint | Uint8Array | null;

/** One decoded record. `rowid` is null for index trees (`WITHOUT ROWID`). A record of higher `rank` is newer. */
export type StoredRecord = {
  readonly rowid: number | null;
  readonly values: readonly StoredValue[];
  readonly rank: number;
};

/** One image of a page. A page can have several images. */
type PageImage = { readonly records: () => readonly StoredRecord[] };

type Source = { readonly bytes: (offset: number, length: number) => Buffer; readonly size: number };
type Frame = { readonly page: number; readonly offset: number; readonly current: boolean };
type Resolve = (page: number) => Buffer | null;
type Wanted = { readonly rank: number; readonly leastColumns: number };

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_INNER = 0x02;
/** The limit of a record's length, which bounds the search after a damaged length. */
const MOST_BYTES = 256 * 1024;

/**
 * Every page image of the database at `path` and of its write-ahead log, oldest first. Yields nothing if there is no
 * file. The files stay open until the generator ends.
 * @param leastColumns skips records with fewer columns, which mostly belong to indexes
 */
export function* pageImages(path: string, leastColumns: number): Generator<PageImage> {
  const database = openSource(path);
  const log = openSource(`${path}-wal`);
  try {
    const pageSize = pageSizeOf(database.source, log.source);
    const frames = framesOf(log.source, pageSize);
    const fromFile: Resolve = (page) => wholePage(database.source, (page - 1) * pageSize, pageSize);
    // The overflow pages of a record never change, so a sound frame of such a page can replace a damaged one.
    const current = frames.filter((frame) => frame.current);
    const fromLog = (ordered: readonly Frame[]): Resolve => {
      const offsets = new Map(ordered.map((frame) => [frame.page, frame.offset]));
      return (page) => {
        const offset = offsets.get(page);
        return offset === undefined ? fromFile(page) : wholePage(log.source, offset, pageSize);
      };
    };
    const resolvers = [fromLog(current), fromLog(current.toReversed()), fromFile];
    const imageAt = (source: Source, offset: number, headed: boolean, rank: number): PageImage => ({
      records: () => {
        // A truncated page is padded with zeros, so that all lengths and offsets keep their meaning.
        const page = Buffer.alloc(pageSize);
        source.bytes(offset, pageSize).copy(page);
        return recordsOf(page, headed ? 100 : 0, { rank, leastColumns }, resolvers);
      },
    });
    // SQLite restarts a log only after a full checkpoint, so frames from before the restart are older than the file.
    for (const frame of frames) {
      if (!frame.current) yield imageAt(log.source, frame.offset, frame.page === 1, 0);
    }
    for (let offset = 0; offset < database.source.size; offset += pageSize) {
      yield imageAt(database.source, offset, offset === 0, 1);
    }
    for (const [index, frame] of frames.entries()) {
      if (frame.current) yield imageAt(log.source, frame.offset, frame.page === 1, 2 + index);
    }
  } finally {
    database.close();
    log.close();
  }
}

function openSource(path: string): { readonly source: Source; readonly close: () => void } {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return { source: { bytes: () => Buffer.alloc(0), size: 0 }, close: () => undefined };
  }
  const bytes = (offset: number, length: number): Buffer => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  };
  return { source: { bytes, size: fstatSync(file).size }, close: () => closeSync(file) };
}

function wholePage(source: Source, offset: number, pageSize: number): Buffer | null {
  if (offset < 0 || offset + pageSize > source.size) return null;
  return source.bytes(offset, pageSize);
}

/** The page size if both headers agree on it, otherwise the page size of our own databases. */
function pageSizeOf(database: Source, log: Source): number {
  const inFile = database.size < 100 ? 0 : database.bytes(16, 2).readUInt16BE(0);
  const inLog = log.size < WAL_HEADER ? 0 : log.bytes(8, 4).readUInt32BE(0);
  const size = inFile === 1 ? 65_536 : inFile;
  return size === inLog && size >= 512 && (size & (size - 1)) === 0 ? size : 4_096;
}

function framesOf(log: Source, pageSize: number): readonly Frame[] {
  const frames: { page: number; offset: number; salts: string }[] = [];
  for (let at = WAL_HEADER; at + FRAME_HEADER < log.size; at += FRAME_HEADER + pageSize) {
    const header = log.bytes(at, FRAME_HEADER);
    const salts = header.toString('hex', 8, 16);
    frames.push({ page: header.readUInt32BE(0), offset: at + FRAME_HEADER, salts });
  }
  // If no frame has the header's salts, the header may be damaged. Then the salts of the first frame count.
  const headerSalts = log.size < WAL_HEADER ? '' : log.bytes(16, 8).toString('hex');
  const current = frames.some((frame) => frame.salts === headerSalts) ? headerSalts : frames[0]?.salts;
  return frames.map(({ page, offset, salts }) => ({ page, offset, current: salts === current }));
}

function recordsOf(
  page: Buffer,
  start: number,
  wanted: Wanted,
  resolvers: readonly Resolve[],
): readonly StoredRecord[] {
  const kind = page[start] ?? 0;
  const records: StoredRecord[] = [];
  const take = (offset: number, as: number): boolean => {
    let taken = false;
    for (const resolve of resolvers) {
      const record = recordAt(page, offset, as, wanted, resolve);
      if (record === null) continue;
      taken = true;
      if (record.record.values.length >= wanted.leastColumns) records.push(record.record);
      if (!record.overflows) break;
    }
    return taken;
  };
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_INNER)
    return searchEverywhere(page, take, records);
  const cells = page.readUInt16BE(start + 3);
  const pointers = start + (kind === INDEX_INNER ? 12 : 8);
  let sound = pointers + 2 * cells <= page.length;
  for (let cell = 0; sound && cell < cells; cell += 1) {
    if (!take(page.readUInt16BE(pointers + 2 * cell), kind)) sound = false;
  }
  return sound ? records : searchEverywhere(page, take, records);
}

/**
 * Used if the page's cell directory is damaged or the type of the page is unknown. Tries to decode a row at every
 * offset; the row's first column is the rowid (stored as NULL, section 2.3).
 */
function searchEverywhere(
  page: Buffer,
  take: (offset: number, as: number) => boolean,
  records: StoredRecord[],
): readonly StoredRecord[] {
  for (let offset = 4; offset < page.length - 12; offset += 1) {
    const reader = { page, at: offset };
    if (varint(reader) === null || varint(reader) === null) continue;
    const headerSize = page[reader.at] ?? 0;
    if (headerSize >= 8 && headerSize < 64 && page[reader.at + 1] === 0) take(offset, TABLE_LEAF);
  }
  return records;
}

function recordAt(
  page: Buffer,
  offset: number,
  kind: number,
  wanted: Wanted,
  resolve: Resolve,
): { readonly record: StoredRecord; readonly overflows: boolean } | null {
  const reader = { page, at: kind === INDEX_INNER ? offset + 4 : offset };
  const size = varint(reader);
  const rowid = kind === TABLE_LEAF ? varint(reader) : null;
  if (size === null || size < 2 || size > MOST_BYTES || (kind === TABLE_LEAF && rowid === null)) return null;
  const local = localSize(size, page.length, kind === TABLE_LEAF);
  if (reader.at + local > page.length) return null;
  const overflows = local < size;
  const payload = overflows
    ? withOverflow(page, reader.at, local, size, resolve)
    : page.subarray(reader.at, reader.at + size);
  const values = payload === null ? null : valuesOf(payload, wanted.leastColumns);
  return values === null ? null : { record: { rowid, values, rank: wanted.rank }, overflows };
}

/** How many bytes of a payload are in the page itself (section 1.6, "cell payload overflow"). */
function localSize(size: number, usable: number, table: boolean): number {
  const most = table ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

function withOverflow(
  page: Buffer,
  at: number,
  local: number,
  size: number,
  resolve: Resolve,
): Buffer | null {
  if (at + local + 4 > page.length) return null;
  const parts = [page.subarray(at, at + local)];
  let next = page.readUInt32BE(at + local);
  let missing = size - local;
  while (missing > 0) {
    const more = next === 0 ? null : resolve(next);
    if (more === null || more.length <= 4) return null;
    next = more.readUInt32BE(0);
    const part = more.subarray(4, 4 + missing);
    parts.push(part);
    missing -= part.length;
  }
  return missing === 0 ? Buffer.concat(parts) : null;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

/** The values of a record. An empty list if it has too few columns, null if it cannot be decoded. */
function valuesOf(payload: Buffer, leastColumns: number): readonly StoredValue[] | null {
  const reader = { page: payload, at: 0 };
  const headerSize = varint(reader);
  if (headerSize === null || headerSize < 2 || headerSize > payload.length) return null;
  const types: number[] = [];
  while (reader.at < headerSize) {
    const type = varint(reader);
    if (type === null || type === 10 || type === 11 || types.length > 64) return null;
    types.push(type);
  }
  if (reader.at !== headerSize) return null;
  if (types.length < leastColumns) return [];
  const values: StoredValue[] = [];
  let at = headerSize;
  for (const type of types) {
    const length = type >= 12 ? Math.floor((type - 12) / 2) : type === 7 ? 8 : (INTEGER_BYTES[type] ?? 0);
    if (at + length > payload.length) return null;
    values.push(storedValueOf(payload, at, type, length));
    at += length;
  }
  return at === payload.length ? values : null;
}

function storedValueOf(payload: Buffer, at: number, type: number, length: number): StoredValue {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return payload.readDoubleBE(at);
  if (type >= 12) {
    const bytes = payload.subarray(at, at + length);
    return type % 2 === 1 ? bytes.toString('utf8') : new Uint8Array(bytes);
  }
  if (length < 8) return payload.readIntBE(at, length);
  const long = payload.readBigInt64BE(at);
  return Number.isSafeInteger(Number(long)) ? Number(long) : long;
}

/** The varint at the reader's position. Null past the end or beyond 2^53. */
function varint(reader: { readonly page: Buffer; at: number }): number | null {
  let value = 0;
  for (let index = 0; index < 9; index += 1) {
    const byte = reader.page[reader.at];
    if (byte === undefined) return null;
    reader.at += 1;
    if (index === 8) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return Number.isSafeInteger(value) ? value : null;
  }
  return null;
}
