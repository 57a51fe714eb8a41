/**
 * Creates the folder of the app for one system: bundles, page, demo files, and the npm packages that it needs.
 *
 * Invariants:
 * - packages come from npm by the checksums of the lockfile, and their install scripts do not run;
 * - files that only developers need (sources, types, tests, other systems' binaries) are left out.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Licences, licencesAsText } from './licences.ts';
import { isNativeSharp, type LockedPackages, lockedFor, neverLoaded, type Part, partsOf } from './parts.ts';
import { packReaderModule, pruneReaderBinaries } from './reader-addon.ts';
import { electronVersion } from './runtime.ts';
import { SBOM_FILE, type SbomRuntime, sbomOf } from './sbom.ts';
import type { System } from './systems.ts';

/**
 * Files that both shells with a screen contain, without packages: `platform` for the demo event, `hub` for sharing
 * laptops.
 */
const sharedBundles = [
  ...['reader', 'drawing', 'reading', 'exports', 'leads', 'snapshot'],
  ...['platform', 'hub', 'renderer'],
];
const sharedFiles = ['assets/demo', 'LICENSE'];

/** The file with the licences, for users. */
export const LICENCES_FILE = 'LICENCES.txt';

/** The files of the hub's pages, beside its bundle in a package (`src-hub/packed-file.ts`). */
const hubFiles = [
  'src-renderer/theme/tokens.css',
  'src-renderer/theme/ground.css',
  'src-renderer/staff/parts/rail.css',
  'src-renderer/staff/parts/sum.css',
  'src-hub/fleet/fleet.css',
  'src-hub/fleet/fleet.js',
  'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
];

/** The content of each shell; the hub has no screen. */
const bundlesOf = {
  electron: [...sharedBundles, 'main', 'core', 'preload'],
  browser: [...sharedBundles, 'browser'],
  hub: ['hub'],
} as const;
const filesOf = {
  electron: sharedFiles,
  browser: [...sharedFiles, 'setup/end-with-parent.mjs'],
  hub: ['LICENSE'],
} as const;

/** A folder with an app for `system`. */
export type Stage = { readonly folder: string; readonly system: System; readonly parts: readonly Part[] };

type Words = Readonly<Record<string, string>>;
type Manifest = { readonly version: string; readonly dependencies: Words; readonly overrides: object };

/** The sources of a stage. */
export type Sources = {
  readonly root: string;
  /** Folder of the bundles (`buildBundles`). */
  readonly bundles: string;
};

/** Creates the app in `folder`, which is emptied first. @throws Error with npm's output */
export function layOut(
  { root, bundles }: Sources,
  folder: string,
  system: System,
  shell: keyof typeof bundlesOf,
): Stage {
  const manifest = readJson(join(root, 'package.json')) as Manifest;
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: LockedPackages };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const entries = entriesOf(packages);
  writeManifests(folder, manifest, entries);
  for (const path of linked(entries)) cpSync(join(root, path), join(folder, path), { recursive: true });
  install(folder, system);
  packReaderModule(root, folder);
  rmSync(join(folder, 'package-lock.json'));
  prune(join(folder, 'node_modules'), system, shell);
  for (const name of bundlesOf[shell]) {
    cpSync(join(bundles, name), join(folder, 'out', name), { recursive: true });
  }
  for (const path of filesOf[shell]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const path of hubFiles) cpSync(join(root, path), join(folder, 'out', 'hub', basename(path)));
  const parts = partsOf(packages, system).filter(({ path }) => existsSync(join(folder, path)));
  const runtime: SbomRuntime =
    shell === 'electron'
      ? { name: 'electron', version: electronVersion(root) }
      : { name: 'node', version: process.versions.node };
  const licences = readJson(join(bundles, 'renderer', 'licences.json')) as Licences;
  writeFileSync(join(folder, LICENCES_FILE), licencesAsText(licences));
  const sbom = sbomOf({ version: manifest.version, parts, licences, packages, runtime });
  writeFileSync(join(folder, SBOM_FILE), `${JSON.stringify(sbom, null, 1)}\n`);
  return { folder, system, parts };
}

/** Writes the app's manifest without the fields for developers, and the matching lockfile. */
function writeManifests(folder: string, manifest: Manifest, locked: LockedPackages): void {
  const { version, dependencies, overrides } = manifest;
  const app = {
    name: 'touchpoint',
    productName: 'Touchpoint',
    version,
    description: 'Badge taps at a trade-fair stand become safe leads.',
    author: 'Touchpoint contributors',
    license: 'Apache-2.0',
    private: true,
    type: 'module',
    main: 'out/main/main.js',
    dependencies,
    overrides,
    workspaces: linked(locked),
    ...updateKey(),
  };
  const lock = {
    name: app.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': app, ...locked },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(app, null, 2)}\n`);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** The lockfile entries of a stage, with the targets of links to our own packages. */
function entriesOf(packages: LockedPackages): LockedPackages {
  const paths = lockedFor(packages).map(({ path }) => path);
  return Object.fromEntries(
    paths
      .flatMap((path) => (packages[path]?.link === true ? [path, packages[path].resolved ?? ''] : [path]))
      .map((path) => [path, packages[path] ?? {}]),
  );
}

/** Folders of our own packages among `entries`. */
function linked(entries: LockedPackages): readonly string[] {
  return Object.values(entries).flatMap(({ link, resolved }) =>
    link === true && resolved !== undefined ? [resolved] : [],
  );
}

/** The public key for updates of this build, if `TOUCHPOINT_UPDATE_KEY` names its file. @throws Error */
function updateKey(): { readonly updateKey?: string } {
  const path = process.env.TOUCHPOINT_UPDATE_KEY;
  return path === undefined ? {} : { updateKey: readFileSync(path, 'utf8') };
}

function install(folder: string, { os, cpu, libc }: System): void {
  const kind = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === null ? [] : [`--libc=${libc}`])];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const args = ['ci', '--ignore-scripts', '--prefer-offline', ...kind, ...quiet];
  const npm = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  if (npm.status !== 0) throw new Error(`The packages for ${os} could not be installed:\n${npm.stderr}`);
}

const needlessFolders =
  /^(include|glib-2\.0|test|tests|__tests__|docs?|examples?|benchmarks?|bench|browser|fixtures|\.github|\.bin)$/;
const needlessFiles =
  /(\.map|\.d\.[cm]?ts|\.ts|\.md|\.markdown|\.flow|\.gyp|\.gypi|\.tsbuildinfo)$|^(\..*|tsconfig.*\.json|package-lock\.json|eslint\..*)$/;
const licenceFile = /^(licen[cs]e|notice|copying)/i;

/** Files to remove: sources of native packages, their binaries for other systems, and bundles for other uses. */
const needlessOfPackages = [
  'better-sqlite3/deps',
  'better-sqlite3/src',
  'sharp/src',
  'sharp/install',

  // Keeps only the variant of the engine that Node.js 24 and Electron load, and the language data in the size that we
  // use.
  'tesseract.js/dist',
  'tesseract.js/scripts',
  ...['', '-lstm', '-simd', '-simd-lstm', '-relaxedsimd'].flatMap((variant) => [
    `tesseract.js-core/tesseract-core${variant}.js`,
    `tesseract.js-core/tesseract-core${variant}.wasm`,
    `tesseract.js-core/tesseract-core${variant}.wasm.js`,
  ]),
  'tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm.js',
  ...['build', 'bundle', 'es6-modern', 'max', 'mobile', 'source'].map(
    (folder) => `libphonenumber-js/${folder}`,
  ),
  ...['full', 'max', 'mobile'].flatMap((set) => [
    `libphonenumber-js/metadata.${set}.json`,
    `libphonenumber-js/metadata.${set}.json.js`,
  ]),
];

/** Text recognition, which a hub does not need. */
const recognition = [
  'tesseract.js',
  'tesseract.js-core',
  '@tesseract.js-data',
  'bmp-js',
  'is-url',
  'regenerator-runtime',
];

function prune(modules: string, system: System, shell: keyof typeof bundlesOf): void {
  for (const path of [...needlessOfPackages, ...neverLoaded])
    rmSync(join(modules, path), { recursive: true, force: true });
  if (shell === 'hub') for (const path of recognition) rmSync(join(modules, path), { recursive: true });
  const languages = join(modules, '@tesseract.js-data');
  if (existsSync(languages))
    for (const name of readdirSync(languages)) rmSync(join(languages, name, '4.0.0'), { recursive: true });
  pruneReaderBinaries(modules, system);
  const images = join(modules, '@img');
  for (const name of readdirSync(images)) {
    if (isNativeSharp(`@img/${name}`)) rmSync(join(images, name), { recursive: true });
  }
  const prebuilds = join(modules, 'better-sqlite3', 'prebuilds');
  for (const name of readdirSync(prebuilds)) {
    if (name !== system.sqlite) rmSync(join(prebuilds, name));
  }
  pruneBelow(modules);
}

function pruneBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !needlessFolders.test(entry.name)) pruneBelow(path);
    else if (entry.isDirectory() || (needlessFiles.test(entry.name) && !licenceFile.test(entry.name))) {
      rmSync(path, { recursive: true });
    }
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${basename(path)} cannot be read`, { cause: error });
  }
}

/** Builds all bundles into `folder`, because the page in `out/` may be in use. @throws Error with the bundler's output */
export function buildBundles(root: string, folder: string): void {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, TOUCHPOINT_BUNDLES: folder },
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The bundles were not built:\n${built.stdout}${built.stderr}`);
}
