/**
 * The files of the renderer, which both shells serve.
 *
 * Invariants:
 * - files are read at start and served by exact name, so no path of a request reaches the disk or leaves the folder;
 * - a bundle that is rebuilt while the app runs does not mix with the old one;
 * - symbolic links, hidden files and unknown file types are not served.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One file with its media type. */
export type PageFile = { readonly type: string; readonly bytes: Buffer<ArrayBuffer> };

/** Finds a file by the path of its address, exactly as the client wrote it; `/` is the page. */
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
