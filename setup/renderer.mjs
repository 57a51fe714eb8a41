/**
 * Builds the renderer's bundle when its sources changed.
 *
 * Invariant: the stamp is removed before a build and written after it, so an interrupted build is never served.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from './lock.mjs';
import { fingerprint, nodePath, readJson, root, runtimeEnvironment } from './paths.mjs';
import { run, step } from './progress.mjs';

const stampFile = join(root, 'out', 'renderer.json');
const page = join(root, 'out', 'renderer', 'index.html');
const sources = [
  'src-renderer',
  'src-main/contract',
  'assets',
  'vite.config.ts',
  'packaging/licences.ts',
  'package-lock.json',
];

/** Builds the renderer unless `out/renderer` was built from the current sources. */
export async function ensureRenderer() {
  if (isCurrent(fingerprint(sources))) return;
  await withSetupLock(async () => {
    const wanted = fingerprint(sources);
    if (isCurrent(wanted)) return;
    rmSync(stampFile, { force: true });
    await step('screens', () =>
      run(nodePath(), [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'], {
        cwd: root,
        env: runtimeEnvironment(),
      }),
    );
    mkdirSync(join(root, 'out'), { recursive: true });
    writeFileSync(stampFile, JSON.stringify({ stamp: wanted }));
  });
}

function isCurrent(wanted) {
  return existsSync(page) && readJson(stampFile)?.stamp === wanted;
}
