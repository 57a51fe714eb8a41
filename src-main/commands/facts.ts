/**
 * `npm run facts -- --data DIR`: prints the journal as JSON lines, one fact per line with its delivery state.
 *
 * Invariants:
 * - it opens the journal read-only, so it may run beside the app;
 * - stdout contains only these lines;
 * - without a journal it prints one sentence and ends with code 2.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { readFactLines } from '../core/journal/facts/fact-lines.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run facts -- [--data DIR]

Prints the journal of a data folder as JSON lines: one fact per line, oldest first, with its delivery state.
It only reads, and may run beside the app. Without --data: the folder of the demo event.
`;

const options = readOptions({ data: { type: 'string' } }, HELP);
const path = join(dataFolderPath({ data: options.data ?? null, platform: null }), 'journal.db');
// A reader that closes the pipe (`| head`) is not a fault.
process.stdout.on('error', () => process.exit(0));
try {
  const lines =
    readFactLines(path) ?? refuse(`There is no journal at ${path}. Choose its folder with --data.`);
  for (const line of lines) {
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
  }
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error));
}
