/** The app as it lies where it was installed: programs and page as they were bundled, beside the bundle this is in. */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawnPlatformChild } from '../demo-platform/platform-child.ts';
import { forkReaderProcess } from '../devices/supervisor/reader-child.ts';
import { forkDrawingProcess } from '../drawing/drawing-child.ts';
import type { Tree } from './browser-start.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The packed tree that this program is part of. */
export function packedTree(): Tree {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
  return {
    host: {
      version,
      spawnPlatform: (args) => spawnPlatformChild(at('out/platform/main.js'), args),
      spawnReader: () => forkReaderProcess(at('out/reader/reader-process.js')),
      spawnDrawing: () => forkDrawingProcess(at('out/drawing/drawing-process.js')),
      leadReader: pathToFileURL(at('out/leads/worker.js')),
      exportWriter: pathToFileURL(at('out/exports/export-worker.js')),
    },
    pageFolder: at('out/renderer'),
  };
}
