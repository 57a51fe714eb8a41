/**
 * What a kiosk's data folder holds: looked at from outside, as whoever takes the disk would.
 *
 * Invariant: reads only, but for the copy that `backUp` makes as the app does.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { makeBackup } from '../../src-main/core/journal/recovery/backup.ts';

/** Everything in the data folder but the copy of the event, as text of single bytes. */
export const onDisk = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !name.startsWith('mirror.db') && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

/** A copy in `backup/`, as the app makes them. */
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
