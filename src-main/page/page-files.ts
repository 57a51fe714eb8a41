/**
 * The files of the renderer as both shells give them out.
 *
 * Invariants: a request is answered from a list made at start and by exact name, so no path in a request ever touches
 * the disk and none can leave the folder; a bundle built anew while the app runs does not mix with the old one;
 * links, hidden files and unknown kinds of file are not given out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One file with its media type. */
export type PageFile = { readonly type: string; readonly bytes: Buffer<ArrayBuffer> };

/** Looks a file up by the path part of its address, as the client wrote it; `/` is the page. */
export type PageFiles = { readonly find: (path: string) => PageFile | null };

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
};

/** Reads all files below `folder` (a few megabytes) into memory. A missing folder gives no files. */
export function readPageFiles(folder: string): PageFiles {
  const files = new Map<string, PageFile>();
  collect(folder, '', files);
  return { find: (path) => files.get(path === '/' ? '/index.html' : path) ?? null };
}

function collect(folder: string, prefix: string, files: Map<string, PageFile>): void {
  for (const entry of entries(folder)) {
    const path = join(folder, entry.name);
    const type = types[extname(entry.name)];
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) collect(path, `${prefix}/${entry.name}`, files);
    if (entry.isFile() && type !== undefined) {
      files.set(`${prefix}/${entry.name}`, { type, bytes: readFileSync(path) });
    }
  }
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
