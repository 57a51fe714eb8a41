/**
 * The npm packages in an app for one system, from the lockfile. Pure.
 *
 * Invariants:
 * - the result contains only transitive dependencies of the app, resolved as Node.js resolves them;
 * - of the packages for certain systems, it contains only those for the requested system;
 * - it contains no package that is never loaded.
 */
import { isOtherReaderBinary } from './reader-addon.ts';
import type { System } from './systems.ts';

/** The fields that we use from an entry of `packages` in npm's lockfile. */
export type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  /** For our own workspaces: the entry is a link to the one that `resolved` names. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
export type LockedPackages = Readonly<Record<string, Locked>>;

/**
 * One package. `path`: its key in the lockfile, such as `node_modules/zod`; `locked`: its entry, or the
 * target of a link.
 */
export type Part = { readonly path: string; readonly name: string; readonly locked: Locked };

/**
 * Packages that are never loaded: headers for compilers, and packages that `tesseract.js` needs only in browsers and
 * in older Node.js.
 */
export const neverLoaded = [
  'node-addon-api',
  'idb-keyval',
  'node-fetch',
  'opencollective-postinstall',
  'tr46',
  'wasm-feature-detect',
  'webidl-conversions',
  'whatwg-url',
  'zlibjs',
];

/**
 * Packages of sharp for one system. Our packages use the WebAssembly version, which does not crash Electron's
 * processes.
 */
export function isNativeSharp(name: string): boolean {
  return /^@img\/sharp-(?!wasm32$)/.test(name);
}

/** The parts of the app on `system`, by path. */
export function partsOf(packages: LockedPackages, system: System): readonly Part[] {
  const wanted: Wanted = (name, locked) =>
    !neverLoaded.includes(name) &&
    !isNativeSharp(name) &&
    !isOtherReaderBinary(name, system) &&
    fits(locked, system);
  return reachable(packages, [{ from: '', names: namesIn(packages[''] ?? {}) }], wanted);
}

/** Every entry of the lockfile that the app depends on, for any system, including packages that it never loads. */
export function lockedFor(packages: LockedPackages): readonly Part[] {
  return reachable(packages, [{ from: '', names: namesIn(packages[''] ?? {}) }], () => true);
}

/** The packages `names`, resolved from folder `from`, and their transitive dependencies, without `except`. */
export function partsBelow(
  packages: LockedPackages,
  start: Start,
  except: readonly string[] = [],
): readonly Part[] {
  return reachable(packages, [start], (name) => !except.includes(name));
}

type Start = { readonly from: string; readonly names: readonly string[] };
type Wanted = (name: string, locked: Locked) => boolean;

/** The names of the dependencies of `locked`. */
export function namesIn({ dependencies = {}, optionalDependencies = {} }: Locked): readonly string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

function reachable(packages: LockedPackages, starts: readonly Start[], wanted: Wanted): readonly Part[] {
  const found = new Map<string, Part>();
  const follow = ({ from, names }: Start): void => {
    for (const name of names) {
      const path = placeOf(packages, from, name);
      const locked = path === null ? undefined : targetOf(packages, path);
      if (path === null || locked === undefined || found.has(path) || !wanted(name, locked)) continue;
      found.set(path, { path, name, locked });
      follow({ from: path, names: namesIn(locked) });
    }
  };
  for (const start of starts) follow(start);
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function targetOf(packages: LockedPackages, path: string): Locked | undefined {
  const entry = packages[path];
  return entry?.link === true ? packages[entry.resolved ?? ''] : entry;
}

/** Searches from the folder upwards, as `require` does. */
function placeOf(packages: LockedPackages, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules') - 1))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
  }
}

function fits({ os, cpu, libc }: Locked, system: System): boolean {
  const allowed = (list: readonly string[] | undefined, word: string | null) =>
    list === undefined || word === null || list.includes(word);
  return allowed(os, system.os) && allowed(cpu, system.cpu) && allowed(libc, system.libc);
}
