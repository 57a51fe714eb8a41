/** Where the programs and the page of this app are: in its source tree, or in an installed package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawnPlatformChild } from '../demo-platform/platform-child.ts';
import { forkReaderProcess } from '../devices/supervisor/reader-child.ts';
import { forkDrawingProcess } from '../drawing/picture-drawer.ts';
import { forkSharing } from '../sharing/sharing-child.ts';
import type { Host } from './bring-up.ts';

// A package's bundle is at the same depth as this file, so both find the top folder in the same way.
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** This source tree: programs run from their sources, and `npm run setup` built the page. */
export function sourceTree(): Host {
  return {
    version: readVersion(),
    spawnPlatform: (args) => spawnPlatformChild(at('src-platform/main.ts'), args),
    spawnReader: () => forkReaderProcess(at('src-main/devices/reader/reader-process.ts')),
    spawnDrawing: () => forkDrawingProcess(at('src-main/drawing/drawing-process.ts')),
    spawnReading: () => forkDrawingProcess(at('src-main/reading/reading-process.ts')),
    spawnSharing: () => forkSharing(at('src-hub/sharing/sharing-process.ts')),
    pageFolder: at('out/renderer'),
  };
}

/** The installed package of this program: everything is bundled. */
export function packedTree(): Host {
  return {
    version: readVersion(),
    spawnPlatform: (args) => spawnPlatformChild(at('out/platform/main.js'), args),
    spawnReader: () => forkReaderProcess(at('out/reader/reader-process.js')),
    spawnDrawing: () => forkDrawingProcess(at('out/drawing/drawing-process.js')),
    spawnReading: () => forkDrawingProcess(at('out/reading/reading-process.js')),
    spawnSharing: () => forkSharing(at('out/hub/sharing-process.js')),
    leadReader: pathToFileURL(at('out/leads/worker.js')),
    exportWriter: pathToFileURL(at('out/exports/export-worker.js')),
    snapshotReader: pathToFileURL(at('out/snapshot/snapshot-worker.js')),
    pageFolder: at('out/renderer'),
  };
}

function readVersion(): string {
  return (JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string }).version;
}
