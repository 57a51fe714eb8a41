/**
 * The layer table: the permitted imports of each part of the product. docs/laws.md#law-10, as data.
 *
 * Invariants:
 * - Every source file belongs to exactly one layer, the one with the longest matching path.
 * - A layer may import only what its row lists: our own parts, packages, and modules of Node.js.
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

/** Folders in which every file must belong to a layer. */
export const layeredFolders = ['packages', 'src-main', 'src-renderer', 'src-platform', 'src-hub'];

/** Files for which a tool requires a default export. */
export const defaultExportAllowed = ['vite.config.ts', 'test/closing-line.ts', 'test/global-setup.ts'];
