/**
 * One config for every bundle and for the tests.
 *
 * Plain Node runs the TypeScript of `src-main` and `src-platform` as it stands (Node 24 strips the types),
 * so only what Node cannot run is bundled: the renderer for both shells, and main, preload and reader for
 * the packaged Electron app.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const builtIn = [/^node:/, 'electron', 'better-sqlite3', 'nfc-pcsc', '@pokusew/pcsclite'];

const nodeBundle = (entry: string, outDir: string, format: 'es' | 'cjs') => ({
  consumer: 'server' as const,
  resolve: { conditions: ['node', 'import'] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: {
      input: entry,
      external: format === 'cjs' ? ['electron'] : builtIn,
      output: { format, entryFileNames: '[name].js', ...(format === 'cjs' ? { codeSplitting: false } : {}) },
    },
  },
});

/** The page belongs at the top of `out/renderer`, not under the folder it was written in. */
const pageAtTop = {
  name: 'touchpoint:page-at-top',
  enforce: 'post' as const,
  generateBundle(_options: unknown, bundle: Record<string, { fileName: string }>) {
    const page = bundle['src-renderer/index.html'];
    if (page) page.fileName = 'index.html';
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pageAtTop],
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'out/renderer',
        emptyOutDir: true,
        target: 'chrome140',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { input: 'src-renderer/index.html' },
      },
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
  },
});

export { nodeBundle };
