/**
 * One config for every bundle and for the tests.
 *
 * Plain Node strips the types and runs the TypeScript of `src-main` and `src-platform`, so only other code
 * is bundled: the renderer for both shells (`vite build`), and with `vite build --app` the programs of
 * packed apps: main, core and preload of Electron, the browser shell with its commands, reader, drawing,
 * text reading, threads, platform and hub. Packages stay outside those bundles: the packed app contains them.
 */
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { readLicences, unlicensed } from './packaging/licences.ts';
import { leftOut } from './test/in-turn.ts';
import { SlowFirst } from './test/slow-first.ts';

/** Packages use separate bundles, so that a page in use does not disappear meanwhile. */
const out = process.env.TOUCHPOINT_BUNDLES ?? 'out';

const isPackage = (id: string) => !id.startsWith('.') && !isAbsolute(id);

/** The packages that make a certificate. The app contains them, because it uses a small part of them. */
const ofCertificate = /^(pkijs|asn1js|bytestreamjs|pvtsutils|pvutils|tslib|@noble\/hashes)(\/|$)/;

/**
 * The demo platform in the app and the hub in the kiosk's package contain their own packages, because no
 * installer has them. Native code and packages that only a separate platform needs are left out.
 */
const isOutsideThePlatform = (id: string) =>
  /^(better-sqlite3|pino|pg|nodemailer|sharp|@fastify\/swagger|@fastify\/swagger-ui)(\/|$)/.test(id);

/** A hub may work on PostgreSQL. */
const isOutsideTheHub = (id: string) => isOutsideThePlatform(id) && !/^pg(\/|$)/.test(id);

/** Programs of the packed app on Node.js: the start with the browser shell, and the technicians' commands. */
const browserPrograms = {
  start: 'src-main/launch/packed-main.ts',
  ...Object.fromEntries(
    [
      'backup',
      'diagnostics',
      'facts',
      'health',
      'leads',
      'restore',
      'screen',
      'staff-pin',
      'sync-doctor',
      'tap',
      'touchpoints',
    ].map((name) => [name, `src-main/commands/${name}.ts`]),
  ),
};

const nodeBundle = (
  input: string | Record<string, string>,
  outDir: string,
  format: 'es' | 'cjs',
  external: (id: string) => boolean = isPackage,
) => ({
  consumer: 'server' as const,
  build: {
    outDir,
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input,
      external,
      output: {
        format,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        // As deep as the sources, so that paths to the assets are the same from both.
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: format !== 'cjs',
      },
    },
  },
});

/** A bundle of the app. It contains no npm packages, except those for certificates. */
const appBundle = (input: string | Record<string, string>, outDir: string) => ({
  ...nodeBundle(input, outDir, 'es', (id) => isPackage(id) && !ofCertificate.test(id)),
  resolve: { noExternal: [ofCertificate] },
});

/** The page is at the top of `out/renderer`, not in a folder like its source. */
const pageAtTop = {
  name: 'touchpoint:page-at-top',
  enforce: 'post' as const,
  generateBundle(_options: unknown, bundle: Record<string, { fileName: string }>) {
    const page = bundle['src-renderer/index.html'];
    if (page) page.fileName = 'index.html';
  },
};

/** The licences of all parts are beside the page, for the staff pages; each bundle contains only those parts. */
const licencesBeside = {
  name: 'touchpoint:licences',
  enforce: 'post' as const,
  generateBundle(
    this: {
      emitFile: (file: { type: 'asset'; fileName: string; source: string }) => unknown;
      error: (words: string) => never;
    },
    _options: unknown,
    bundle: Record<string, { moduleIds?: readonly string[] }>,
  ) {
    const licences = readLicences(import.meta.dirname);
    const strangers = unlicensed(
      licences,
      Object.values(bundle).flatMap(({ moduleIds = [] }) => [...moduleIds]),
    );
    if (strangers.length > 0) this.error(`packaging/licences.ts does not know ${strangers.join(', ')}`);
    if (bundle['src-renderer/index.html'] === undefined) return;
    this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(licences) });
  },
};

/**
 * Test files that need a process of their own: they change its environment, count what it loads or replace
 * modules. The others share a process with the files before them, which saves loading the same modules again.
 */
const alone = [
  'test/hub/postgres-suite.test.ts',
  'test/platform/postgres/{shared-semaphore,suite}.test.ts',
  'test/shell-electron/{page-ports,updates}*.test.ts',
  'test/simulation/**/*.test.ts',
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), licencesBeside, pageAtTop],
  worker: { format: 'es' },
  environments: {
    client: {
      build: {
        outDir: `${out}/renderer`,
        emptyOutDir: true,
        target: 'chrome140',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { input: 'src-renderer/index.html' },
      },
    },
    main: nodeBundle('src-main/shell-electron/main.ts', `${out}/main`, 'es'),
    browser: appBundle(browserPrograms, `${out}/browser`),
    core: appBundle('src-main/shell-electron/core-process.ts', `${out}/core`),
    preload: nodeBundle('src-main/shell-electron/preload.ts', `${out}/preload`, 'cjs'),
    reader: nodeBundle('src-main/devices/reader/reader-process.ts', `${out}/reader`, 'es'),
    drawing: nodeBundle('src-main/drawing/drawing-process.ts', `${out}/drawing`, 'es'),
    reading: nodeBundle('src-main/reading/reading-process.ts', `${out}/reading`, 'es'),
    leads: nodeBundle('src-main/core/team/leads/worker.ts', `${out}/leads`, 'es'),
    exports: nodeBundle('src-main/core/team/exports/export-worker.ts', `${out}/exports`, 'es'),
    snapshot: nodeBundle('src-main/core/event/sync/snapshot-worker.ts', `${out}/snapshot`, 'es'),
    hub: {
      ...nodeBundle(
        {
          main: 'src-hub/main.ts',
          build: 'src-hub/snapshot/build.ts',
          'sharing-process': 'src-hub/sharing/sharing-process.ts',
        },
        `${out}/hub`,
        'es',
        isOutsideTheHub,
      ),
      resolve: { noExternal: true as const },
    },
    platform: {
      ...nodeBundle('src-platform/main.ts', `${out}/platform`, 'es', isOutsideThePlatform),
      resolve: { noExternal: true as const },
    },
  },
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...leftOut()],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    // More than there are cores: most tests wait for a browser, a process or a disk.
    maxWorkers: availableParallelism() * 2,
    // A slow test on a busy machine is not a failure.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: './test/global-setup.ts',
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './test/closing-line.ts'],
  },
});
