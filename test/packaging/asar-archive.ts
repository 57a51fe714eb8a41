/**
 * Reads an asar archive: electron/asar's format has two pickles, the size of the header and the header as JSON,
 * followed by the files.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Entry = {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly offset?: string;
  readonly size?: number;
  readonly unpacked?: boolean;
};

export type Archive = {
  /** The hash that Electron compares with the one in the app. */
  readonly headerHash: string;
  /** Paths in the archive, and whether each file is unpacked beside it. */
  readonly files: readonly { readonly path: string; readonly unpacked: boolean; readonly size: number }[];
  readonly bytes: (path: string) => Buffer;
  readonly text: (path: string) => string;
};

/** Opens the archive at `path`. */
export function openArchive(path: string): Archive {
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(12);
  const header = bytes.subarray(16, 16 + length).toString('utf8');
  const start = 8 + bytes.readUInt32LE(4);
  const entries = [...walk('', JSON.parse(header) as Entry)];
  const bytesOf = (wanted: string): Buffer => {
    const [, entry] = entries.find(([name]) => name === wanted) ?? [];
    if (entry?.offset === undefined) throw new Error(`${wanted} is not in ${path}`);
    const from = start + Number(entry.offset);
    return bytes.subarray(from, from + (entry.size ?? 0));
  };
  return {
    headerHash: createHash('sha256').update(header).digest('hex'),
    files: entries.map(([name, { unpacked = false, size = 0 }]) => ({ path: name, unpacked, size })),
    bytes: bytesOf,
    text: (wanted) => bytesOf(wanted).toString('utf8'),
  };
}

function* walk(prefix: string, entry: Entry): Generator<[string, Entry]> {
  for (const [name, child] of Object.entries(entry.files ?? {})) {
    const path = `${prefix}${name}`;
    if (child.files === undefined) yield [path, child];
    else yield* walk(`${path}/`, child);
  }
}
