/**
 * `npm run diagnostics -- --data DIR`: writes a zip for support, without data of visitors.
 *
 * Invariants:
 * - it may run beside the app. It changes nothing in the data folder, but writes the zip there if this user may not
 *   write into the current folder;
 * - it never replaces a file;
 * - exit codes: 0 written, 2 refused.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { readOptions, refuse } from './command-line.ts';
import { collectDiagnostics } from './diagnostics/collect.ts';

const HELP = `npm run diagnostics -- [--data DIR] [--out FILE]

Writes a zip that helps to find a fault: health, machine, sizes of the files, counts of rows in the databases, the
names of the settings, the logs. It contains no name, e-mail address, badge, note or key. It only reads, and may run beside
the app. Without --data: the folder of the demo event. Without --out: touchpoint-diagnostics-<time>.zip here, or in the data
folder where this user may not write here.
`;

const text = { type: 'string' } as const;
const options = readOptions({ data: text, out: text }, HELP);
const path = dataFolderPath({ data: options.data ?? null, platform: null });
if (!existsSync(path)) refuse(`There is no folder ${path}. Choose the data folder with --data.`);
const now = Date.now();
const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
const name = `touchpoint-diagnostics-${stamp}.zip`;
const places = options.out === undefined ? [resolve(name), join(path, name)] : [resolve(options.out)];
try {
  const zip = zipSync(Object.fromEntries(collectDiagnostics(path, now)));
  process.stdout.write(`${writeFirst(places, zip)}\n`);
} catch (error) {
  refuse(`The diagnostics could not be written: ${error instanceof Error ? error.message : String(error)}`);
}

/** Writes into the first of `paths` that this user may write; returns that path. @throws {Error} when there is none */
function writeFirst([out = '', ...others]: readonly string[], zip: Uint8Array): string {
  try {
    writeFileSync(out, zip, { flag: 'wx', mode: 0o600 });
    return out;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EEXIST') refuse(`${out} exists already. Choose another name with --out.`);
    if (others.length === 0) throw error;
    return writeFirst(others, zip);
  }
}
