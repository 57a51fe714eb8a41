/**
 * Entry of the core's process: everything below the shell, and the message line to the shell.
 *
 * ```
 *   start ─► bring up ─► ready ─► pages, children ... ─► stop ─► exit 0
 *              └─► refused
 * ```
 *
 * Invariants:
 * - new files are readable by this user only;
 * - an uncaught exception is logged and ends the process, and the shell starts it again;
 * - the process ends with the shell.
 */
import { pathToFileURL } from 'node:url';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { traceOf } from '../core/foundations/trace.ts';
import { writeAppFile } from '../data-folder/app-file.ts';
import { demoSettings, readStandSettings } from '../data-folder/stand-settings.ts';
import { openParentChannel, type ParentChannel } from '../devices/reader/parent-channel.ts';
import { type Backend, bringUp } from '../launch/bring-up.ts';
import { standLineOf } from '../launch/stand-line.ts';
import { realClock } from '../machine/real-time.ts';
import { type CoreChildren, createCoreChildren } from './core-children.ts';
import type { Display, FromCore, ToCore, UpdateAsk } from './core-messages.ts';
import { type CorePages, createCorePages } from './core-pages.ts';
import { createKeychainLine, type KeychainLine } from './keychain/keychain-line.ts';

/** The shell's interface for the running core. */
type Shell = { readonly children: CoreChildren; readonly keychain: KeychainLine };
type Running = { readonly backend: Backend; readonly pages: CorePages };
type Send = (message: FromCore) => void;

function run(channel: ParentChannel): void {
  process.umask(0o077);
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const send: Send = (message) => channel.send(message);
  const children = createCoreChildren(send);
  const keychain = createKeychainLine((ask) => send({ kind: 'keychain', ask }), realClock);
  let running: Promise<Running | null> = Promise.resolve(null);
  const use = (work: (running: Running) => void) =>
    void running.then((now) => {
      if (now !== null) work(now);
    });
  // A terminal sends its signals to every process. This process ends only when the shell asks it to.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  channel.onEnd(() => process.exit(1));
  process.on('uncaughtException', (error) => void endByDefect(running, error));
  channel.onMessage((received) => {
    const message = received as ToCore;
    switch (message.kind) {
      case 'start':
        running = start(message, { children, keychain }, send);
        return;
      case 'page-opened':
        return use(({ pages }) => pages.opened(message.page));
      case 'page-said':
        return use(({ pages }) => pages.said(message.page, message.data));
      case 'page-closed':
        return use(({ pages }) => pages.closed(message.page));
      case 'log':
        return use(({ backend }) => backend.log[message.level](message.what, message.details));
      case 'update-ask':
        return use(({ backend }) => void answerUpdate(backend, message.what, send));
      case 'file':
        return use(({ backend }) => void backend.giveFile(message.path));
      case 'keychain-said':
        return keychain.take(message.answer);
      case 'stop':
        return void end(running);
      default:
        children.take(message);
    }
  });
}

async function start(
  { options, version, programs }: Extract<ToCore, { readonly kind: 'start' }>,
  { children, keychain }: Shell,
  send: Send,
): Promise<Running | null> {
  try {
    const backend = await bringUp(options, {
      version,
      pageFolder: programs.page,
      spawnPlatform: children.platform,
      spawnReader: children.reader,
      spawnDrawing: children.drawing,
      spawnSharing: children.sharing,
      spawnReading: children.reading,
      keychain: keychain.keychain,
      leadReader: pathToFileURL(programs.leads),
      exportWriter: pathToFileURL(programs.exports),
      snapshotReader: pathToFileURL(programs.snapshot),
    });
    const { app, folder, token, demoLine, staffLine, onStop } = backend;
    const pages = createCorePages(app.router(), send);
    const sendDisplay = () => send({ kind: 'display', display: displayOf(backend) });
    app.onRouter((router) => {
      sendDisplay();
      pages.serve(router);
    });
    app.camera.onChange(sendDisplay);
    app.start();
    onStop(writeAppFile(folder, { pid: process.pid, shell: 'electron', rpc: null, token }));
    sendDisplay();
    const lines = [demoLine, staffLine, standLineOf(app.state())].filter((line) => line !== null);
    send({ kind: 'ready', lines });
    return { backend, pages };
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    send({ kind: 'refused', sentence: error.message });
    return null;
  }
}

/** With unreadable settings the screens use defaults; the app lifecycle reports the fault. */
function displayOf({ folder, demoLine, app }: Backend): Display {
  const reads = app.camera.isUsed('camera');
  const microphone = app.camera.isUsed('microphone');
  try {
    const settings = readStandSettings(folder) ?? (demoLine === null ? null : demoSettings());
    return {
      camera: reads || (settings?.screen.camera ?? false),
      microphone,
      attract: settings?.attract ?? null,
    };
  } catch (error) {
    if (error instanceof StartRefusal) return { camera: reads, microphone, attract: null };
    throw error;
  }
}

/** Without a kiosk there is no journal to back up, so the backup counts as made. A failure is answered with null. */
async function answerUpdate({ app }: Backend, what: UpdateAsk, send: Send): Promise<void> {
  const update = app.kiosk()?.update ?? null;
  const ask = async (): Promise<unknown> => {
    if (what === 'moment') return update?.moment() ?? { fair: null, lastFactAt: null, waiting: 0 };
    return update?.backUp() ?? true;
  };
  send({ kind: 'update-said', what, answer: await ask().catch(() => null) });
}

async function end(running: Promise<Running | null>): Promise<void> {
  const now = await running.catch(() => null);
  await now?.backend.stop();
  process.exit(0);
}

async function endByDefect(running: Promise<Running | null>, error: Error): Promise<void> {
  const now = await running.catch(() => null);
  now?.backend.log.error('A defect ended the core', { error: traceOf(error) });
  now?.backend.log.flush();
  if (now === null) process.stderr.write(`${traceOf(error)}\n`);
  process.exit(1);
}

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else run(channel);
