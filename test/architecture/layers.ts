/**
 * The layer table: what each part of the product may import. Law 10, as data.
 *
 * Invariants: every source file belongs to exactly one layer, the one with the longest matching path; what a layer does
 * not name it may not import, neither parts of ours, nor packages, nor parts of Node.js.
 */

import { coreLayers } from './core-layers.ts';
import type { Layer } from './layer.ts';
import { platformLayers } from './platform-layers.ts';

const orpcServer = '@orpc/server';
const core = 'src-main/core';
const contract = 'src-main/contract';

export const layers: readonly Layer[] = [
  { path: contract, mayImport: [], packages: ['@orpc/contract', 'zod'], node: [] },

  ...coreLayers,

  {
    path: 'packages/api-client',
    mayImport: [`${core}/api`, `${core}/ports.ts`],
    packages: [],
    node: ['buffer', 'crypto'],
  },

  {
    path: 'src-main/devices',
    mayImport: [`${core}/ports.ts`, `${core}/badge`],
    packages: ['nfc-pcsc', '@pokusew/pcsclite', 'zod'],
    node: 'all',
  },
  {
    path: 'src-main/devices/tap',
    mayImport: ['src-main/devices', `${core}/ports.ts`, `${core}/badge`, contract],
    packages: ['@orpc/client', '@orpc/contract', 'ws', 'zod'],
    node: 'all',
  },
  {
    path: 'src-main/devices/tap-tool.ts',
    mayImport: ['src-main/devices', 'src-main/launch/data-folder.ts'],
    packages: [],
    node: 'all',
  },
  { path: 'src-main/page', mayImport: [], packages: [], node: ['crypto', 'fs', 'path', 'stream'] },
  {
    path: 'src-main/shell-browser',
    mayImport: [`${core}/ports.ts`, `${core}/refusal.ts`, 'src-main/page'],
    packages: [orpcServer, 'ws', 'zod'],
    node: 'all',
  },
  {
    path: 'src-main/launch',
    mayImport: [contract, core, 'src-main/devices', 'src-main/page', 'src-main/shell-browser', 'assets'],
    packages: ['pino', 'pino-roll', 'zod'],
    node: 'all',
  },
  {
    path: 'src-main/shell-electron',
    mayImport: [core, 'src-main/devices', 'src-main/page', 'src-main/launch'],
    packages: ['electron', orpcServer],
    node: 'all',
  },

  {
    path: 'src-renderer',
    mayImport: [contract],
    packages: [
      '@fontsource-variable/figtree',
      '@orpc/client',
      '@orpc/contract types only',
      '@orpc/tanstack-query',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'partysocket',
      'react',
      'react-aria-components',
      'react-dom',
      'react-intl',
      'uqr',
      'zod',
      'zxing-wasm',
    ],
    node: [],
  },
  ...platformLayers,
];

/** Folders whose files must belong to a layer. */
export const layeredFolders = ['packages', 'src-main', 'src-renderer', 'src-platform'];

/** Files that must hand something to a tool by a default export. */
export const defaultExportAllowed = [
  'vite.config.ts',
  'test/closing-line.ts',
  'src-main/launch/pino-roll.d.ts',
];

/** Longest file, in lines. */
export const LINE_CEILING = 400;

/** Longest function, in lines. */
export const FUNCTION_CEILING = 80;

/** Most source files a folder may hold. */
export const FOLDER_CEILING = 20;

/** Longer functions that are a table of states, one case a state: the file, a blank, the function. */
export const longFunctionsAllowed: readonly string[] = [];
