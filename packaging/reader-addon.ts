/**
 * The addon of the badge reader, the only native code of ours that is tied to one runtime (its package is written with
 * nan; better-sqlite3 and sharp speak Node-API and need no building).
 *
 * Invariant: a package never carries an addon built for another runtime: rather none, and it is said.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

const addonPackage = join('node_modules', '@pokusew', 'pcsclite');
const addon = join(addonPackage, 'build', 'Release', 'pcsclite.node');

/** Takes along what set-up built for the pinned Node.js; false where nothing was. */
export function addForNode(root: string, stage: Stage): boolean {
  return tryCopy(join(root, addon), join(stage.folder, addon));
}

/**
 * Builds it for Electron. That needs Electron's headers, which are fetched, and a compiler for the system, so it is done
 * on that system alone; false where it was not done.
 */
export function addForElectron(root: string, stage: Stage, version: string): boolean {
  if (stage.system.os !== process.platform) return false;
  const copies = ['nan', '@pokusew/pcsclite'].map((name) => join('node_modules', name));
  for (const path of copies) cpSync(join(root, path), join(stage.folder, path), { recursive: true });
  rmSync(join(stage.folder, addonPackage, 'build'), { recursive: true, force: true });
  const rebuild = join(root, 'node_modules', '@electron', 'rebuild', 'lib', 'cli.js');
  const args = ['--version', version, '--module-dir', stage.folder, '--only', '@pokusew/pcsclite', '--force'];
  const done = spawnSync(process.execPath, [rebuild, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(join(stage.folder, 'node_modules', 'nan'), { recursive: true });
  for (const name of ['src', 'test', 'examples', 'binding.gyp', join('build', 'Release', 'obj.target')]) {
    rmSync(join(stage.folder, addonPackage, name), { recursive: true, force: true });
  }
  return done.status === 0;
}

function tryCopy(from: string, to: string): boolean {
  try {
    cpSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
