/** The code rules over a set of source files. Pure: a breach is a sentence, and a correct tree has no breach. */
import { posix } from 'node:path';
import { cyclesOf } from './cycles.ts';
import type { Layer } from './layer.ts';
import { defaultExportAllowed, layeredFolders, layers } from './layers.ts';
import { type Import, readSource, type SourceFile } from './source-file.ts';

/** All breaches in these files (path relative to the repository, and text). */
export function breaches(files: ReadonlyMap<string, string>): readonly string[] {
  const sources = [...files].map(([path, text]) => readSource(path, text));
  return [
    ...sources.flatMap((file) => [
      ...shapeBreaches(file),
      ...functionBreaches(file),
      ...importBreaches(file),
    ]),
    ...cycleBreaches(sources),
    ...loadBreaches(sources),
  ];
}

function shapeBreaches(file: SourceFile): readonly string[] {
  const { path } = file;
  const found: string[] = [];
  const name = posix.basename(path);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config|\.d)?\.(ts|tsx|mjs)$/.test(name))
    found.push(`${path}: name is not kebab-case`);
  if (isLayered(path) && !file.text.startsWith('/**')) found.push(`${path}: no header comment`);
  if (file.defaultExport && !defaultExportAllowed.includes(path)) found.push(`${path}: default export`);
  if (file.barrel) found.push(`${path}: barrel`);
  if (isLayered(path)) {
    for (const variable of file.mutable) found.push(`${path}: module-level mutable state (${variable})`);
  }
  return found;
}

function functionBreaches({ path, exportedArrows }: SourceFile): readonly string[] {
  if (!isLayered(path) && !path.startsWith('setup/')) return [];
  return exportedArrows.map(
    (name) => `${path}: ${name} is exported as a constant, not declared as a function`,
  );
}

/**
 * Files (including tests) and layers that import each other. Rows with an ordered list of imports cannot
 * form a cycle; the others can.
 */
function cycleBreaches(files: readonly SourceFile[]): readonly string[] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map((file) => [file.path, ownImports(file).filter((target) => known.has(target))]),
  );
  const rooms = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    if (!isLayered(path)) continue;
    const room = layerOf(path)?.path ?? path;
    const others = targets.map((target) => layerOf(target)?.path ?? target).filter((other) => other !== room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
  }
  return [...cyclesOf(imports), ...cyclesOf(rooms)].map((circle) => `cycle: ${circle.join(' -> ')}`);
}

/**
 * Files of the renderer that load a package through the contract. The contract's schemas need zod, which does not
 * belong into the page: it is large, and its start breaks the page's content policy. Types load nothing.
 */
function loadBreaches(files: readonly SourceFile[]): readonly string[] {
  const known = new Map(files.map((file) => [file.path, { ...file, imports: loadedImports(file) }]));
  const loads = (path: string): boolean => {
    const file = known.get(path);
    if (file === undefined) return false;
    const isPackage = file.imports.some(({ target }) => target !== null && !target.startsWith('.'));
    return isPackage || ownImports(file).some(loads);
  };
  return files
    .filter(({ path }) => path.startsWith('src-renderer/'))
    .flatMap((file) =>
      ownImports({ ...file, imports: loadedImports(file) })
        .filter((target) => target.startsWith('src-main/contract/') && loads(target))
        .map((target) => `${file.path}: loads a package through ${target}`),
    );
}

function loadedImports({ imports }: SourceFile): readonly Import[] {
  return imports.filter(({ typeOnly }) => !typeOnly);
}

function ownImports({ path, imports }: SourceFile): readonly string[] {
  return imports.flatMap(({ target }) =>
    target?.startsWith('.') ? [posix.join(posix.dirname(path), target.replace(/\?.*$/, ''))] : [],
  );
}

function isLayered(path: string): boolean {
  return layeredFolders.some((folder) => path.startsWith(`${folder}/`));
}

function importBreaches(file: SourceFile): readonly string[] {
  if (!isLayered(file.path)) return [];
  const layer = layerOf(file.path);
  if (layer === null) return [`${file.path}: belongs to no layer`];
  return file.imports.flatMap((used) => {
    const breach = importBreach(file.path, layer, used);
    return breach === null ? [] : [`${file.path}: ${breach}`];
  });
}

/** The layer with the longest path that contains this file. */
function layerOf(path: string): Layer | null {
  const holding = layers.filter((layer) => covers(layer.path, path));
  return holding.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}

function covers(part: string, path: string): boolean {
  return path === part || path.startsWith(`${part}/`);
}

function importBreach(path: string, layer: Layer, { target, typeOnly }: Import): string | null {
  if (target === null) return 'imports something computed';
  if (target.startsWith('.')) return ownBreach(path, layer, target);
  if (target.startsWith('node:')) {
    const part = target.slice(5).split('/')[0] ?? '';
    return layer.node === 'all' || layer.node.includes(part) ? null : `imports ${target}`;
  }
  const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
  const allowed =
    layer.packages.includes(name) || (typeOnly && layer.packages.includes(`${name} types only`));
  return allowed ? null : `imports the package ${name}`;
}

function ownBreach(path: string, layer: Layer, target: string): string | null {
  if (!/\.(ts|tsx|json|css|svg|html)(\?url|\?raw|\?worker&url)?$/.test(target))
    return `imports ${target} without its ending`;
  const resolved = posix.join(posix.dirname(path), target);
  const own = layerOf(resolved) === layer;
  return own || layer.mayImport.some((part) => covers(part, resolved)) ? null : `imports ${resolved}`;
}
