/** The app as it lies in its source tree: programs as they were written, the page as set-up built it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawnPlatformChild } from '../demo-platform/platform-child.ts';
import { forkReaderProcess } from '../devices/supervisor/reader-child.ts';
import { forkDrawingProcess } from '../drawing/drawing-child.ts';
import type { Tree } from './browser-start.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** This source tree. */
export function sourceTree(): Tree {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
  return {
    host: {
      version,
      spawnPlatform: (args) => spawnPlatformChild(at('src-platform/main.ts'), args),
      spawnReader: () => forkReaderProcess(at('src-main/devices/reader/reader-process.ts')),
      spawnDrawing: () => forkDrawingProcess(at('src-main/drawing/drawing-process.ts')),
    },
    pageFolder: at('out/renderer'),
  };
}
