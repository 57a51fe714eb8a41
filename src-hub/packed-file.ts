/**
 * Paths of the hub's page and thread files, in a source tree and in a package.
 *
 * Invariant: in a package each file is beside the hub's bundle under its own name, a `.ts` file as `.js`
 * (`hubFiles` in `packaging/stage.ts`, `vite.config.ts`).
 */
import { posix } from 'node:path';

const isSourceTree = import.meta.url.endsWith('.ts');

/** The address of a file. `source`: its path in a source tree, from this folder. */
export function hubFile(source: string): URL {
  const path = isSourceTree ? source : posix.basename(source).replace(/\.ts$/, '.js');
  return new URL(path, import.meta.url);
}
