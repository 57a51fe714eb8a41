/** The bundles that packages are made of, built aside: the page in `out/` may be in use. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds all bundles into `folder`. @throws Error with the words of the bundler */
export function buildBundles(root: string, folder: string): void {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, TOUCHPOINT_BUNDLES: folder },
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The bundles were not built:\n${built.stdout}${built.stderr}`);
}
