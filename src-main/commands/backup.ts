/**
 * `npm run backup -- --data DIR`: makes a backup of the journal while Touchpoint does not run, for example before an
 * upgrade.
 *
 * Invariants:
 * - it refuses a folder that a running Touchpoint uses, because the app makes its own backups;
 * - it only reads the journal;
 * - exit codes: 0 made, or nothing to back up; 2 refused, or the journal is damaged.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openReadOnly } from '../core/foundations/store/database.ts';
import { makeBackup } from '../core/journal/recovery/backup.ts';
import { attempt, createFactWalk } from '../core/journal/recovery/integrity-check.ts';
import { dataFolderPath, openDataFolder } from '../data-folder/data-folder.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run backup -- [--data DIR]

Makes a backup of the journal in backup/, beside the previous one. Stop Touchpoint first; while it runs it makes its own.
Without --data: the folder of the demo event. Exit code: 0 made, or there is no journal; 2 refused, or not sound.
`;

/** Makes the backup; returns a sentence about it. */
async function backUp(folder: string): Promise<string> {
  const database = openReadOnly(join(folder, 'journal.db'));
  if (database === null) return `There is no journal in ${folder}; there is nothing to back up.`;
  try {
    const end = await makeBackup({
      database,
      folder,
      signal: new AbortController().signal,
      pause: () => setImmediate(),
      check: function* (copy) {
        const next = createFactWalk(copy);
        for (;;) {
          const step = attempt(next);
          if (step.kind === 'fault') return step.why;
          if (step.kind === 'end') return null;
          yield;
        }
      },
    });
    if (end.kind !== 'made')
      refuse(`The journal in ${folder} is not sound; the earlier backups stay as they are.`);
    return `${end.path} holds the journal as it is now.`;
  } finally {
    database.close();
  }
}

const options = readOptions({ data: { type: 'string' } }, HELP);
const path = dataFolderPath({ data: options.data ?? null, platform: null });
if (!existsSync(path)) refuse(`There is no folder ${path}. Choose the data folder with --data.`);
try {
  const folder = await openDataFolder(path);
  try {
    process.stdout.write(`${await backUp(folder.path)}\n`);
  } finally {
    folder.release();
  }
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}
