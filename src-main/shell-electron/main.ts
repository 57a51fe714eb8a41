/**
 * Entry of the Electron app.
 *
 * Invariant: no top-level await. Electron becomes ready only after this module has ended, so an await for it here never
 * returns (electron/electron#40719).
 */
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  MessageChannelMain,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { realClock } from '../machine/real-time.ts';
import type { ElectronApi } from './electron-api.ts';
import { startDetached } from './relaunch.ts';
import { startShell } from './shell.ts';
import { readUpdateKey } from './updates/update-signature.ts';

const electron: ElectronApi = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  MessageChannelMain,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
};
const out = join(import.meta.dirname, '..');

/** From a source tree, `npm start` passes the Node.js for helper processes. */
const program = app.isPackaged ? undefined : process.env.TOUCHPOINT_NODE;
const node =
  program === undefined ? null : { program, endWithParent: join(out, '..', 'setup', 'end-with-parent.mjs') };

startShell(electron, {
  args: process.argv.slice(app.isPackaged ? 1 : 2),
  env: process.env,
  places: {
    core: join(out, 'core', 'core-process.js'),
    reader: join(out, 'reader', 'reader-process.js'),
    platform: join(out, 'platform', 'main.js'),
    drawing: join(out, 'drawing', 'drawing-process.js'),
    sharing: join(out, 'hub', 'sharing-process.js'),
    reading: join(out, 'reading', 'reading-process.js'),
    leads: join(out, 'leads', 'worker.js'),
    exports: join(out, 'exports', 'export-worker.js'),
    snapshot: join(out, 'snapshot', 'snapshot-worker.js'),
    preload: join(out, 'preload', 'preload.cjs'),
    page: join(out, 'renderer'),
    node,
  },
  clock: realClock,
  system: process.platform,
  appPath: app.isPackaged ? null : (process.argv[1] ?? null),
  startDetached,
  onDefect: (listener) => {
    process.on('uncaughtException', listener);
    process.on('unhandledRejection', listener);
  },
  updateKey: readUpdateKey(join(out, '..', 'package.json')),
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (sentence) => process.stderr.write(`${sentence}\n`),
});

for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
