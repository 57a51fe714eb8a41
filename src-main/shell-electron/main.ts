/**
 * The Electron shell: one locked-down window around the page, and supervision. Nothing of the product is decided here.
 *
 * Invariants: one instance per data folder; a refused start says one sentence and ends with code 2; quitting ends all.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, ipcMain, MessageChannelMain, powerMonitor, protocol, session } from 'electron';
import { StartRefusal } from '../core/refusal.ts';
import { writeAppFile } from '../data-folder/app-file.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { type Backend, bringUp } from '../launch/bring-up.ts';
import { helpText, type Options, parseOptions } from '../launch/options.ts';
import { standLineOf } from '../launch/stand-line.ts';
import { readPageFiles } from '../page/page-files.ts';
import { createPortHandler } from './contract-port.ts';
import { createCrashGuard } from './crash-guard.ts';
import { lockContents, lockedPreferences, lockSession, openingSwitch } from './lock-down.ts';
import { answerPage, PAGE_ADDRESS, SAFE_ADDRESS } from './page-protocol.ts';
import { forkPlatform, forkReader } from './utility.ts';

const bundles = join(import.meta.dirname, '..');

async function main(): Promise<void> {
  const opening = openingSwitch((name) => app.commandLine.hasSwitch(name));
  if (opening !== null) throw new StartRefusal('options', `Touchpoint does not start with --${opening}.`);
  const parsed = parseOptions(process.argv.slice(app.isPackaged ? 1 : 2), process.env);
  if (parsed.kind === 'help') {
    process.stdout.write(helpText);
    app.exit(0);
    return;
  }
  if (parsed.kind === 'wrong') throw new StartRefusal('options', parsed.sentence);
  await start(parsed.options);
}

async function start(options: Options): Promise<void> {
  app.setPath('userData', join(dataFolderPath(options), 'electron'));
  if (!app.requestSingleInstanceLock()) {
    throw new StartRefusal(
      'options',
      `Touchpoint is already running on the data folder ${dataFolderPath(options)}.`,
    );
  }
  // Linux alone: without it Chromium looks for no voice of the system.
  app.commandLine.appendSwitch('enable-speech-dispatcher');
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  app.on('session-created', lockSession);
  app.on('web-contents-created', (_event, contents) => lockContents(contents));
  await app.whenReady();

  const backend = await bringUp(options, {
    version: app.getVersion(),
    spawnPlatform: (args) => forkPlatform(join(bundles, 'platform', 'main.js'), args),
    spawnReader: () => forkReader(join(bundles, 'reader', 'reader-process.js')),
    leadReader: pathToFileURL(join(bundles, 'leads', 'worker.js')),
    exportWriter: pathToFileURL(join(bundles, 'exports', 'export-worker.js')),
  });
  endInOrder(backend);
  servePage(backend);
  backend.station.start();
  backend.onStop(
    writeAppFile(backend.folder, { pid: process.pid, shell: 'electron', rpc: null, token: backend.token }),
  );
  if (options.open) openWindow(backend);
  powerMonitor.on('resume', () => backend.log.info('the machine woke up'));
  if (backend.demoLine !== null) process.stdout.write(`${backend.demoLine}\n`);
  if (backend.staffLine !== null) process.stdout.write(`${backend.staffLine}\n`);
  process.stdout.write(`${standLineOf(backend.station.state())}\n`);
  process.stdout.write(`Touchpoint is ready: ${PAGE_ADDRESS}\n`);
}

function servePage({ station }: Backend): void {
  lockSession(session.defaultSession);
  const given = { files: readPageFiles(join(bundles, 'renderer')), attract: station.attract };
  protocol.handle('app', ({ method, url, headers }) => answerPage(given, method, url, headers.get('range')));
  const ports = createPortHandler(station.router(), () => new MessageChannelMain());
  station.onRouter(ports.serve);
  ipcMain.on('touchpoint:connect', ports.connect);
}

function openWindow({ log }: Backend): void {
  const kiosk = process.env.TOUCHPOINT_KIOSK === '1';
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    kiosk,
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      ...lockedPreferences(join(bundles, 'preload', 'preload.cjs')),
      devTools: !app.isPackaged,
    },
  });
  const guard = createCrashGuard(() => performance.now());
  window.removeMenu();
  window.once('ready-to-show', () => window.show());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const next = guard.gone();
    log.error('The screen stopped', { reason, next });
    void window.loadURL(next === 'reload' ? PAGE_ADDRESS : SAFE_ADDRESS);
  });
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  void window.loadURL(PAGE_ADDRESS);
}

function endInOrder(backend: Backend): void {
  let ending = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (ending) return;
    ending = true;
    setTimeout(() => app.exit(1), 1_800);
    backend.stop().then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

try {
  await main();
} catch (error) {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  app.exit(refused ? 2 : 1);
}
