/**
 * Whether the files of an open database are still the ones in their folder. SQLite keeps writing into files that were
 * removed, and every commit succeeds; after the next start none of it is there.
 *
 * Invariant: two `stat` calls (a few microseconds). Nothing is opened, and a missing file does not throw.
 */
import { statSync } from 'node:fs';

/** Tells a file from another at the same path later. */
type Identity = { readonly device: number; readonly inode: number };

/**
 * Remembers which files lie at `path` and beside it as its write-ahead log, now that the database is open.
 *
 * @returns whether they still do
 */
export function rememberPlace(path: string): () => boolean {
  const database = identityOf(path);
  let log = identityOf(`${path}-wal`);
  return () => {
    if (!isSame(database, identityOf(path))) return false;
    const now = identityOf(`${path}-wal`);
    // The log is made by the first look into the database, and lies there as long as one is open.
    log ??= now;
    return isSame(log, now);
  };
}

function identityOf(path: string): Identity | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { device: found.dev, inode: found.ino };
}

function isSame(one: Identity | null, other: Identity | null): boolean {
  return one?.device === other?.device && one?.inode === other?.inode;
}
