/**
 * `npm run health -- --data DIR`: prints whether the Touchpoint of a data folder can work now.
 *
 * Invariants:
 * - it only reads, and may run beside the app;
 * - it prints no personal data and no key;
 * - exit codes: 0 good, 1 attention, 2 no-go. An app that does not run is a no-go.
 */
import { existsSync } from 'node:fs';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { readOptions, refuse } from './command-line.ts';
import { readHealth } from './health/read-health.ts';
import { linesOf } from './health/sentences.ts';

const HELP = `npm run health -- [--data DIR] [--json]

Prints whether the Touchpoint of a data folder is ready for the stand: reader, touchpoint, disk, backup, copy of
the event, delivery, clock, battery. It only reads, and may run beside the app. Without --data: the folder of the demo
event. --json: the same as JSON, for monitoring. Exit code: 0 good, 1 needs attention, 2 no-go.
`;

const EXIT_CODES = { good: 0, attention: 1, noGo: 2 } as const;

const options = readOptions({ data: { type: 'string' }, json: { type: 'boolean' } }, HELP);
const path = dataFolderPath({ data: options.data ?? null, platform: null });
if (!existsSync(path)) refuse(`There is no folder ${path}. Choose the data folder with --data.`);
const health = readHealth(path, Date.now());
process.stdout.write(
  options.json === true ? `${JSON.stringify(health)}\n` : `${linesOf(health, Date.now()).join('\n')}\n`,
);
process.exitCode = EXIT_CODES[health.verdict];
