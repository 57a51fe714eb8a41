/**
 * Which runtime of Electron a package is made with.
 *
 * Invariant: a stand-in is used only without `--need-runtime`, and its packages lie in a folder named after it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStandIn } from './stand-in.ts';
import type { System } from './systems.ts';

/** Electron's distribution. `folder`: null when electron-builder fetches it. */
export type Runtime = { readonly folder: string | null; readonly standIn: boolean };

/** The runtime for `system`: an installed one, or one to fetch if it must be real, or else a stand-in. */
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
