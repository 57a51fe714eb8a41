/**
 * The layer table: what each part of the product may import. docs/laws.md#law-10, as data.
 *
 * Invariants: every source file belongs to exactly one layer, the one with the longest matching path; what a layer does
 * not name it may not import, neither parts of ours, nor packages, nor parts of Node.js.
 */

import { coreLayers } from './core-layers.ts';
import { hubLayers } from './hub-layers.ts';
import type { Layer } from './layer.ts';
import { platformLayers } from './platform-layers.ts';
import { rendererLayers } from './renderer-layers.ts';
import { shellLayers } from './shell-layers.ts';

const contract = 'src-main/contract';

export const layers: readonly Layer[] = [
  { path: contract, mayImport: [], packages: ['@orpc/contract', 'zod'], node: [] },

  ...coreLayers,

  {
    path: 'packages/api-client',
    mayImport: [],
    packages: ['openapi-fetch', 'openapi-typescript'],
    node: ['buffer', 'crypto', 'fs', 'timers'],
  },

  { path: 'packages/pcsclite', mayImport: [], packages: ['pcsc-mini'], node: ['events'] },

  ...shellLayers,
  ...rendererLayers,
  ...platformLayers,
  ...hubLayers,
];

/** Folders whose files must belong to a layer. */
export const layeredFolders = ['packages', 'src-main', 'src-renderer', 'src-platform', 'src-hub'];

/** Files that must hand something to a tool by a default export. */
export const defaultExportAllowed = ['vite.config.ts', 'test/closing-line.ts', 'test/global-setup.ts'];
