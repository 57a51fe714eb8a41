/**
 * `npm run restore -- --data DIR`: restores a journal from its backups in `backup/`.
 *
 * Invariants:
 * - it deletes nothing;
 * - it refuses a folder that a running Touchpoint uses;
 * - exit codes: 0 no known fact is missing, 1 facts are missing, 2 refused.
 */
import { existsSync } from 'node:fs';
import type { Log } from '../core/foundations/ports.ts';
import { createStamper } from '../core/journal/facts/stamp.ts';
import { type Restored, restoreJournal } from '../core/journal/recovery/restore.ts';
import { dataFolderPath, openDataFolder } from '../data-folder/data-folder.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run restore -- [--data DIR]

Restores the interactions of a data folder from the copies in its backup/ when journal.db is gone or has lost
some, and finishes an interrupted repair. Stop Touchpoint first. Nothing is deleted: the previous files move to quarantine-<time>/.
Without --data: the folder of the demo event. Exit code: 0 all there, 1 some are missing for good, 2 refused.
`;

/** The result in words. */
function sentenceOf(restored: Restored, folder: string): string {
  switch (restored.kind) {
    case 'noCopies':
      return `There is no backup in ${folder}. Nothing was changed.`;
    case 'complete':
      return (
        `The journal holds all facts of its backups: ${restored.facts} interactions.` +
        `${missingSentence(restored.missing)} Nothing was changed.`
      );
    case 'twoJournals':
      return (
        `The backup in ${folder} belongs to another journal than the one there; nothing was changed. ` +
        'Copy backup/ into an empty folder and run restore there with --data.'
      );
    case 'restored': {
      const missing = missingSentence(restored.missing);
      return `${restored.facts} interactions were restored.${missing} The previous files are in ${restored.quarantine}.`;
    }
  }
}

function missingSentence(missing: number): string {
  return missing > 0 ? ` At least ${missing} are missing: no file holds them.` : '';
}

const options = readOptions({ data: { type: 'string' } }, HELP);
const path = dataFolderPath({ data: options.data ?? null, platform: null });
if (!existsSync(path)) refuse(`There is no folder ${path}. Choose the data folder with --data.`);
const quiet: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };
try {
  const folder = await openDataFolder(path);
  try {
    const stamper = createStamper(realClock, realRandom);
    const restored = await restoreJournal({ folder: folder.path, stamper, clock: realClock, log: quiet });
    process.stdout.write(`${sentenceOf(restored, folder.path)}\n`);
    if (restored.kind === 'noCopies' || restored.kind === 'twoJournals') process.exitCode = 2;
    if ('missing' in restored && restored.missing > 0) process.exitCode = 1;
  } finally {
    folder.release();
  }
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}
