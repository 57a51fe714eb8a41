/** Checks that each folder of the renderer has a row in the layers, and that rows can fail. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rendererLayers } from './renderer-layers.ts';
import { breaches } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const header = '/** Seeded. */\n';
const found = (path: string, text: string) => breaches(new Map([[path, `${header}${text}`]]));

/** Folders of the renderer with source files. */
function folders(): readonly string[] {
  const entries = readdirSync(join(root, 'src-renderer'), { recursive: true, withFileTypes: true });
  const holding = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => entry.parentPath.slice(root.length + 1).replaceAll('\\', '/'));
  return [...new Set(holding)];
}

describe('the layers of the renderer', () => {
  it('have a row for every folder', () => {
    const rows = new Set(rendererLayers.map(({ path }) => path));
    expect(folders().filter((folder) => !rows.has(folder))).toEqual([]);
  });

  it('are ordered: a row names only rows before it and the contract', () => {
    const before = new Set(['src-main/contract']);
    for (const { path, mayImport } of rendererLayers) {
      if (path !== 'src-renderer') expect(mayImport.filter((part) => !before.has(part))).toEqual([]);
      before.add(path);
    }
  });

  it.each([
    ['times.ts', 'src-renderer/link/link.ts', './link/link.ts'],
    ['link/x.ts', 'src-renderer/messages/clock.ts', '../messages/clock.ts'],
    ['messages/x.ts', 'src-renderer/link/link.ts', '../link/link.ts'],
    ['theme/x.ts', 'src-renderer/visitor/comfort/comfort.ts', '../visitor/comfort/comfort.ts'],
    ['sound/x.ts', 'src-renderer/visitor/state/view.ts', '../visitor/state/view.ts'],
    ['device/x.ts', 'src-renderer/visitor/state/view.ts', '../visitor/state/view.ts'],
    ['widgets/x.tsx', 'src-renderer/visitor/state/runtime.ts', '../visitor/state/runtime.ts'],
    ['visitor/state/x.ts', 'src-renderer/messages/catalogue.ts', '../../messages/catalogue.ts'],
    ['visitor/wording/x.ts', 'src-renderer/visitor/session/step-frame.tsx', '../session/step-frame.tsx'],
    ['visitor/input/x.ts', 'src-renderer/visitor/content/content-card.tsx', '../content/content-card.tsx'],
    ['visitor/notice/x.ts', 'src-renderer/visitor/session/consent-step.tsx', '../session/consent-step.tsx'],
    ['visitor/content/x.ts', 'src-renderer/visitor/session/step-frame.tsx', '../session/step-frame.tsx'],
    ['visitor/session/x.ts', 'src-renderer/visitor/outcome/idle-prompt.tsx', '../outcome/idle-prompt.tsx'],
    ['visitor/outcome/x.ts', 'src-renderer/visitor/attract/attract-side.tsx', '../attract/attract-side.tsx'],
    ['visitor/ring/x.ts', 'src-renderer/visitor/screen/display.tsx', '../screen/display.tsx'],
    ['visitor/camera/x.ts', 'src-renderer/visitor/state/runtime.ts', '../state/runtime.ts'],
    ['visitor/comfort/x.ts', 'src-renderer/visitor/attract/attract-side.tsx', '../attract/attract-side.tsx'],
    ['visitor/attract/x.ts', 'src-renderer/visitor/ring/ring.tsx', '../ring/ring.tsx'],
    ['visitor/screen/x.ts', 'src-renderer/staff/sections.ts', '../../staff/sections.ts'],
    ['staff/x.ts', 'src-renderer/visitor/state/idle-view.ts', '../visitor/state/idle-view.ts'],
    ['x.ts', 'src-main/core/foundations/ports.ts', '../src-main/core/foundations/ports.ts'],
  ])('fail where %s imports %s', (file, target, specifier) => {
    const path = `src-renderer/${file}`;
    expect(found(path, `import type { A } from '${specifier}';`)).toEqual([`${path}: imports ${target}`]);
  });

  it.each([
    ['visitor/state/x.ts', 'react', "import { useState } from 'react';"],
    ['visitor/state/x.ts', '@orpc/contract', "import { oc } from '@orpc/contract';"],
    ['visitor/input/x.ts', 'zxing-wasm', "import { readBarcodes } from 'zxing-wasm/reader';"],
    ['staff/x.ts', 'partysocket', "import WebSocket from 'partysocket/ws';"],
  ])('fail where %s imports the package %s', (file, name, text) => {
    const path = `src-renderer/${file}`;
    expect(found(path, text)).toEqual([`${path}: imports the package ${name}`]);
  });
});
