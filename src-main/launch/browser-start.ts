/**
 * A start with the browser shell: from options to the printed address, and the signals and faults that end it.
 *
 * Invariants:
 * - stdout contains only the lines that `say` prints; pressing Enter prints a new link;
 * - a signal stops everything within two seconds;
 * - an uncaught exception is logged once and ends the process with the exit code for a defect; a failing stdout or
 *   stderr does not end it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pause } from '../contract/device.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { traceOf } from '../core/foundations/trace.ts';
import { writeAppFile } from '../data-folder/app-file.ts';
import { openAddress } from '../machine/open-address.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import { readPageFiles } from '../page/page-files.ts';
import { openBrowserShell } from '../shell-browser/browser-shell.ts';
import { listenOnLoopback } from '../shell-browser/loopback.ts';
import { type Backend, bringUp, type Host } from './bring-up.ts';
import type { Options } from './options.ts';
import { DEFECT_CODE } from './refused.ts';
import { standLineOf } from './stand-line.ts';

const END_WITHIN_MS = 1_800;

/** Starts the app and keeps it running until a signal ends it. @throws {StartRefusal} */
export async function runBrowserShell(options: Options, host: Host): Promise<void> {
  // A full disk, or the exit of a program that reads our output, does not end the app.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  // Only the owner of this account can read our files, even if others can read their folder.
  process.umask(0o077);
  let log: Backend['log'] | null = null;
  process.on('uncaughtException', (error) => {
    log?.error('A defect ended the app', { error: traceOf(error) });
    log?.flush();
    if (log === null) process.stderr.write(`${traceOf(error)}\n`);
    process.exit(DEFECT_CODE);
  });
  const starting = start(options, host);
  endOnSignals(async () => (await starting).stop());
  ({ log } = await starting);
}

/** The first signal stops everything within a limit; later signals have no effect. */
function endOnSignals(stop: () => Promise<void>): void {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

/** Starts everything and prints the address. @throws {StartRefusal} after everything was stopped again */
async function start(options: Options, host: Host): Promise<Backend> {
  const file = options.file === null ? null : resolve(options.file);
  if (file !== null && !existsSync(file)) throw new StartRefusal('options', `There is no file ${file}.`);
  if (options.port !== null) await refusePortInUse(options.port);
  const backend = await bringUp(options, host);
  try {
    await openShell(options, backend, host.pageFolder);
    if (file !== null) await backend.giveFile(file);
  } catch (error) {
    await backend.stop();
    throw error;
  }
  return backend;
}

/** Tries the port before anything is created, so that a refused start leaves nothing behind. @throws {StartRefusal} */
async function refusePortInUse(port: number): Promise<void> {
  const probe = await listenOnLoopback(port, {
    request: (_request, response) => response.destroy(),
    upgrade: (_request, connection) => connection.destroy(),
  });
  await probe.close();
}

/**
 * Prints the stand and each new reason that pauses delivery, for the technician at the terminal. Screens also show
 * both.
 */
function reportToTerminal(app: Backend['app']): () => void {
  let stand: string | null = null;
  let pause: Pause | null = null;
  const report = (): void => {
    const state = app.state();
    const line = standLineOf(state);
    if (line !== stand) say(line);
    stand = line;
    const now = state?.delivery.pause ?? null;
    const sentence = now === null || now === pause ? null : pauseSentences[now];
    if (sentence !== null) process.stderr.write(`${sentence}\n`);
    pause = now;
  };
  report();
  const timer = setInterval(report, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Null if the pause is not reported, because a lost network is not a fault at a stand. */
const pauseSentences: Readonly<Record<Pause, string | null>> = {
  noEvent: 'The platform does not know this event. Check it in the set-up, or after --expo.',
  keyRefused:
    'The platform refuses the key. Check it in the set-up, or after --key, or ask the organiser for a new one.',
  keyMissing:
    'The key is kept in a keychain that is locked or lost. Unlock it, or type the key again in the set-up.',
  forbidden: 'The platform does not allow this key or this address to use the event.',
  noWritePermission: 'The key may read but not send. Ask the organiser for write permission.',
  addressNotAllowed: 'The platform does not accept this network address. Ask the organiser to allow it.',
  takesNoScans: 'This platform takes no scans; everything is kept here.',
  refusesAll: 'The platform refuses everything now. All facts are kept and sent again.',
  tls: 'The encrypted connection to the platform cannot be trusted. Check address, clock and certificates.',
  wrongHub:
    'The server at the address of the hub is not the hub that set this device up. Everything is kept here; check the network and the address of the hub.',
  addressUnknown: null,
  offline: null,
  notAPlatform:
    'The server at this address is not the event platform. Check the address in the set-up, or after --platform (it ends in the version).',
  wrongClock: "This computer's clock is wrong. Set date and time.",
};

async function openShell(
  options: Options,
  { app, folder, log, token, demoLine, staffLine, provisionLine, onStop }: Backend,
  pageFolder: string,
): Promise<void> {
  const shell = await openBrowserShell({
    clock: realClock,
    random: realRandom,
    log,
    router: app.router(),
    files: readPageFiles(pageFolder),
    attract: app.attract,
    folder,
    port: options.port,
    token,
  });
  onStop(shell.stop);
  app.onRouter(shell.serve);
  app.start();
  onStop(writeAppFile(folder, { pid: process.pid, shell: 'browser', rpc: shell.rpc, token }));
  const address = shell.freshLink();
  if (provisionLine !== null) process.stderr.write(`${provisionLine}\n`);
  if (demoLine !== null) say(demoLine);
  say(`Touchpoint is ready: ${address}`);
  if (staffLine !== null) say(staffLine);
  onStop(reportToTerminal(app));
  log.info('ready', { port: shell.port });
  // After a restart, a page that is already open reconnects.
  if (options.open && process.env.TOUCHPOINT_RESTARTED === undefined) openAddress(address);
  onStop(offerFreshLinks(shell.freshLink));
}

/** A link works once. Enter in the terminal prints another one. */
function offerFreshLinks(freshLink: () => string): () => void {
  if (!ownsTerminal()) return () => undefined;
  process.stderr.write('Press Enter for a fresh link, Ctrl-C to end.\n');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => say(`Touchpoint is ready: ${freshLink()}`));
  process.stdin.on('error', () => lines.close());
  return () => lines.close();
}

/**
 * Whether this process may read the terminal. The system stops a background program (`npm start &`) that reads it, so
 * only the terminal's foreground process group reads: proc(5), fields 5 and 8 of stat.
 */
function ownsTerminal(): boolean {
  if (!process.stdin.isTTY) return false;
  if (process.platform !== 'linux') return true;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[2] === fields[5];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
