/**
 * Paths of set-up. Plain JavaScript, because it runs on any Node.js from 18 on, before anything is installed.
 *
 * Invariant: in the project folder set-up writes only to `.runtime`, `node_modules` and `out`. Deleting these three
 * resets set-up.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const runtimeFolder = join(root, '.runtime');
export const modulesFolder = join(root, 'node_modules');
export const runtimeVersion = readJson(join(root, 'setup', 'runtime', 'package.json')).version;

const platformPackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Folder of the pinned runtime. It may be missing until set-up, or on a machine without a published runtime. */
const runtimePackage = join(runtimeFolder, 'node_modules', platformPackage);

/** Whether the pinned runtime is published for this kind of machine. */
export const runtimeIsPublished =
  readJson(join(root, 'setup', 'runtime', 'package.json')).optionalDependencies[platformPackage] !==
  undefined;

/** The Node.js that runs the app: the pinned one, or this one when none is published for the machine. */
export function nodePath() {
  if (!runtimeIsPublished) return process.execPath;
  return join(runtimePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Environment of programs that set-up and commands run: the pinned runtime is first in PATH. */
export function runtimeEnvironment() {
  const separator = process.platform === 'win32' ? ';' : ':';
  return { ...process.env, PATH: `${dirname(nodePath())}${separator}${process.env.PATH ?? ''}` };
}

/** A JSON file's value, or null when it is missing or invalid. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** A fingerprint of files and, recursively, folders. A missing file changes it. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const absolute = join(root, path);
    if (!existsSync(absolute)) {
      hash.update(`${path}\0missing\0`);
      return;
    }
    const names = folderNames(absolute);
    if (names === null) hash.update(`${path}\0`).update(readFileSync(absolute)).update('\0');
    else for (const name of names) add(`${path}/${name}`);
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

/** Sorted names in a folder, or null for a file. */
function folderNames(path) {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}
