/**
 * Loaded into each process of the packed app: the parts of Electron's archive support that the app uses.
 *
 * Invariant: with `process.noAsar` an archive is a file (electron/electron, `asar-fs-wrapper`), otherwise a folder.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { ARCHIVE_AS_FILE } from './lay-out.ts';

const { readFileSync } = fs;

const readAsElectron = (path: unknown, ...rest: unknown[]): unknown => {
  const asFile = (process as { noAsar?: boolean }).noAsar === true && String(path).endsWith('/app.asar');
  return Reflect.apply(readFileSync, fs, [asFile ? `${String(path)}${ARCHIVE_AS_FILE}` : path, ...rest]);
};

fs.readFileSync = readAsElectron as typeof readFileSync;
syncBuiltinESMExports();
