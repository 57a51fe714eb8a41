/**
 * `npm run staff-pin -- --data DIR [--technician]`: sets a new PIN for the staff pages and prints it.
 *
 * Invariants:
 * - it may run beside the app, where the PIN applies at the next sign-in;
 * - the team and its badges do not change;
 * - the new PIN is random, so no PIN appears in a process list;
 * - exit codes: 0 done, 2 refused.
 */
import { existsSync } from 'node:fs';
import { resetPin } from '../core/team/staff/pin-entry.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { realRandom } from '../machine/real-time.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run staff-pin -- [--data DIR] [--technician]

Sets a new PIN for the staff pages of a data folder, prints it, and resets the count of wrong PINs. The names and
badges of the team stay. You can change it on the page "Team". --technician: the PIN that also allows destructive
functions. Without --data: the folder of the demo event. Exit code: 0 done, 2 refused.
`;

const options = readOptions({ data: { type: 'string' }, technician: { type: 'boolean' } }, HELP);
const path = dataFolderPath({ data: options.data ?? null, platform: null });
if (!existsSync(path)) refuse(`There is no folder ${path}. Choose the data folder with --data.`);
const who = options.technician === true ? 'technician' : 'staff';
const pin = String(100_000 + (Buffer.from(realRandom.bytes(4)).readUInt32BE() % 900_000));
try {
  await resetPin(path, who, pin, realRandom);
  process.stdout.write(`The new PIN${who === 'technician' ? ' of the technician' : ''}: ${pin}\n`);
} catch (error) {
  refuse(`The PIN could not be stored (${error instanceof Error ? error.message : 'unknown reason'}).`);
}
