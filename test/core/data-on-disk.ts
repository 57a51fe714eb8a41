/**
 * Reads a device's data folder from outside, like a thief of the disk.
 *
 * Invariant: reads only, except that `backUp` makes a backup as the app does.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { makeBackup } from '../../src-main/core/journal/recovery/backup.ts';

/** All files in the data folder except the mirror, as one text with one character per byte. */
export const onDisk = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !name.startsWith('mirror.db') && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

/** Makes a backup in `backup/`, like the app. */
export const backUp = async (folder: string): Promise<void> => {
  const database = openReadOnly(join(folder, 'journal.db'));
  if (database === null) throw new Error('Expected a journal');
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const check = function* (): Generator<void, null> {
    yield;
    return null;
  };
  await makeBackup({ database, folder, pause, check, signal: new AbortController().signal });
  database.close();
};
