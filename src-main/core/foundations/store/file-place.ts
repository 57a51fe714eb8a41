/**
 * Whether the files of an open database are still the ones in their folder. SQLite keeps writing into deleted files,
 * and every commit succeeds. After the next start that data is gone.
 *
 * Invariant: costs two `stat` calls (a few microseconds). Nothing is opened, and a missing file does not throw.
 */
import { statSync } from 'node:fs';

/** Distinguishes a file from a later one at the same path. */
type Identity = { readonly device: number; readonly inode: number };

/**
 * Records the identity of the files at `path` and of its write-ahead log, while the database is open.
 * @returns whether they are still the same
 */
export function rememberPlace(path: string): () => boolean {
  const database = identityOf(path);
  let log = identityOf(`${path}-wal`);
  return () => {
    if (!isSame(database, identityOf(path))) return false;
    const now = identityOf(`${path}-wal`);
    // The first read of the database creates the log. It exists while a connection is open.
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
