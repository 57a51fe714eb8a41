/**
 * The built renderer, as both shells serve it. It is built again if the sources are newer.
 *
 * Invariant: several test files may request it at once, but only one of them builds it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const top = join(import.meta.dirname, '../..');
const built = join(top, 'out/renderer');
const lock = join(top, 'out/renderer.building');

/** Folder of the built renderer. */
export async function buildRenderer(): Promise<string> {
  for (let waited = 0; !(await isFresh()); waited += 200) {
    if (
      await mkdir(lock, { recursive: false }).then(
        () => true,
        () => false,
      )
    ) {
      try {
        // The previous holder of the lock may have built it in the meantime, and a browser may already show it.
        if (await isBuilt()) continue;
        const vite = join(top, 'node_modules/vite/bin/vite.js');
        await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error'], {
          cwd: top,
          env: { ...process.env, NODE_ENV: 'production' },
        });
      } finally {
        await rmdir(lock);
      }
    } else if (waited > 60_000) {
      throw new Error(`Another build of the renderer never ended; remove ${lock}`);
    } else {
      await mkdir(join(top, 'out'), { recursive: true });
      await sleep(200);
    }
  }
  return built;
}

async function isFresh(): Promise<boolean> {
  return (await isBuilt()) && (await stat(lock).catch(() => null)) === null;
}

async function isBuilt(): Promise<boolean> {
  const page = await stat(join(built, 'index.html')).catch(() => null);
  if (!page) return false;
  const entries = await readdir(join(top, 'src-renderer'), { recursive: true, withFileTypes: true });
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(...times) <= page.mtimeMs;
}
