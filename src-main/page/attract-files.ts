/**
 * Pictures and films of the attract loop: serves the files of a folder of the exhibitor under addresses of this app.
 *
 * Invariants:
 * - only files of the last listing are served, under addresses made from a digest, so no path of a request reaches
 *   the disk;
 * - symbolic links, hidden files, folders and other file types are left out;
 * - a file that replaces another one gets another address;
 * - films are streamed in ranges and never held in memory (RFC 9110, section 14).
 */
import { createHash } from 'node:crypto';
import { constants, type Dirent, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';

/** One picture or film, as screens receive it. */
export type AttractFile = { readonly kind: 'picture' | 'video'; readonly address: string };

/** The answer to a request for such a file. `body` opens the file; null if the answer has no body. */
export type AttractAnswer = {
  readonly status: 200 | 206 | 416;
  readonly headers: { readonly 'Content-Type': string } & Readonly<Record<string, string>>;
  readonly body: (() => Readable) | null;
};

export type AttractFiles = {
  /** Reads the folder: its files by name, at most 50. A missing folder is empty. */
  readonly list: () => readonly AttractFile[];
  /** The answer for the path of an address, or null for an unknown path. `range`: the header, if any. */
  readonly answer: (path: string, range: string | null) => AttractAnswer | null;
};

type ListedFile = { readonly path: string; readonly size: number; readonly type: string };

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

const MOST_FILES = 50;

/** Serves the files of `folder`; null means none. */
export function openAttractFiles(folder: string | null): AttractFiles {
  let listed: ReadonlyMap<string, ListedFile> = new Map();
  return {
    list: () => {
      listed = folder === null ? new Map() : scan(folder);
      return [...listed].map(([address, { type }]) => ({
        kind: type.startsWith('video/') ? 'video' : 'picture',
        // Relative, because the two shells have different origins.
        address: address.slice(1),
      }));
    },
    answer: (path, range) => {
      const found = listed.get(path);
      return found === undefined ? null : answerOf(found, range);
    },
  };
}

export type AttractLoop = AttractFiles & {
  /** Replaces the served folder; null means none. */
  readonly show: (folder: string | null) => void;
};

/** Serves nothing until `show`. Reads the folder again when a request names an unknown file. */
export function createAttractLoop(): AttractLoop {
  let folder: string | null = null;
  let files = openAttractFiles(null);
  return {
    show: (next) => {
      if (next === folder) return;
      folder = next;
      files = openAttractFiles(next);
    },
    list: () => files.list(),
    answer: (path, range) => {
      if (!path.startsWith('/media/')) return null;
      const known = files.answer(path, range);
      if (known !== null) return known;
      files.list();
      return files.answer(path, range);
    },
  };
}

function scan(folder: string): ReadonlyMap<string, ListedFile> {
  const found = new Map<string, ListedFile>();
  const names = entries(folder)
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const name of names) {
    const path = join(folder, name);
    const ending = extname(name).toLowerCase();
    const type = types[ending];
    const stat = statSync(path, { throwIfNoEntry: false });
    if (type === undefined || stat === undefined || stat.size === 0 || found.size === MOST_FILES) continue;
    const digest = createHash('sha256').update(`${name}\n${stat.size}\n${stat.mtimeMs}`).digest('hex');
    found.set(`/media/${digest.slice(0, 24)}${ending}`, { path, size: stat.size, type });
  }
  return found;
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // The folder may disappear at any time, for example with its USB stick. The loop is empty then.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function answerOf({ path, size, type }: ListedFile, range: string | null): AttractAnswer {
  const part = range === null ? 'all' : partOf(range, size);
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes' };
  if (part === 'none') {
    return {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${size}` },
      body: null,
    };
  }
  const [start, end] = part === 'all' ? [0, size - 1] : part;
  return {
    status: part === 'all' ? 200 : 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      ...(part === 'all' ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    },
    body: () => Readable.from(read(path, start, end), { objectMode: false }),
  };
}

/**
 * Does not follow a symbolic link that has replaced the file (except on Windows, where only administrators create
 * links).
 */
async function* read(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  yield* file.createReadStream({ start, end });
}

/** First and last byte of a single range; `all` for an unsupported header, `none` for a range beyond the end. */
function partOf(range: string, size: number): readonly [number, number] | 'all' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (from === '' && to === '') return 'all';
  if (from === '') return to === '0' ? 'none' : [Math.max(size - Number(to), 0), size - 1];
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size) return 'none';
  return start > end ? 'all' : [start, end];
}
