/**
 * Chooses the Electron runtime for a package.
 *
 * Invariant: a stand-in is used only without `--need-runtime`, and its packages are in the folder `stand-in`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStandIn } from './stand-in.ts';
import type { System } from './systems.ts';

/** Electron's distribution. `folder`: null when electron-builder fetches it. */
export type Runtime = { readonly folder: string | null; readonly standIn: boolean };

/**
 * Returns an installed runtime for `system`. If there is none: a runtime to fetch if it must be real, otherwise a
 * stand-in.
 */
export function findRuntime(root: string, work: string, system: System, mustBeReal: boolean): Runtime {
  const dist = join(root, 'node_modules', 'electron', 'dist');
  const isOfThisMachine = system.os === process.platform && system.cpu === process.arch;
  if (isOfThisMachine && existsSync(dist)) return { folder: dist, standIn: false };
  if (mustBeReal) return { folder: null, standIn: false };
  const folder = join(work, 'runtime', system.id);
  makeStandIn(root, folder, system, electronVersion(root));
  return { folder, standIn: true };
}

/** The Electron version of the app. */
export function electronVersion(root: string): string {
  const text = readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
