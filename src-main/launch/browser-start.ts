/**
 * A start with the browser shell, from options to the printed address.
 *
 * Invariant: stdout carries the announced lines and nothing else; pressing Enter prints a fresh link.
 */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pause } from '../contract/device.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { writeAppFile } from '../data-folder/app-file.ts';
import { openAddress } from '../machine/open-address.ts';
import { realClock, realRandom } from '../machine/real-time.ts';
import { readPageFiles } from '../page/page-files.ts';
import { openBrowserShell } from '../shell-browser/browser-shell.ts';
import { listenOnLoopback } from '../shell-browser/loopback.ts';
import { type Backend, bringUp, type Host } from './bring-up.ts';
import type { Options } from './options.ts';
import { standLineOf } from './stand-line.ts';

/** Where this app lies and what it starts: the source tree, or a packed one. */
export type Tree = { readonly host: Host; readonly pageFolder: string };

/** Brings everything up and prints where. @throws {StartRefusal} with everything taken down again. */
export async function startInBrowser(options: Options, { host, pageFolder }: Tree): Promise<Backend> {
  const file = options.file === null ? null : resolve(options.file);
  if (file !== null && !existsSync(file)) throw new StartRefusal('options', `There is no file ${file}.`);
  if (options.port !== null) await refusePortInUse(options.port);
  const backend = await bringUp(options, host);
  try {
    await openShell(options, backend, pageFolder);
    if (file !== null) await backend.giveFile(file);
  } catch (error) {
    await backend.stop();
    throw error;
  }
  return backend;
}

/** Tried before anything is made, so that a refused start leaves nothing behind. @throws {StartRefusal} */
async function refusePortInUse(port: number): Promise<void> {
  const probe = await listenOnLoopback(port, {
    request: (_request, response) => response.destroy(),
    upgrade: (_request, connection) => connection.destroy(),
  });
  await probe.close();
}

/** Whose stand this is, and what keeps a device from its event, is told where it was started, too; screens show both. */
function tellTerminal(station: Backend['station']): () => void {
  let stand: string | null = null;
  let pause: Pause | null = null;
  const tell = (): void => {
    const state = station.state();
    const line = standLineOf(state);
    if (line !== stand) say(line);
    stand = line;
    const now = state?.delivery.pause ?? null;
    const sentence = now === null || now === pause ? null : pauseSentences[now];
    if (sentence !== null) process.stderr.write(`${sentence}\n`);
    pause = now;
  };
  tell();
  const timer = setInterval(tell, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}

/** For the technician at the terminal; losing the network is no news there. */
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
  refusesAll: 'The platform refuses everything alike at the moment; nothing is put aside, it is asked again.',
  tls: 'The encrypted connection to the platform cannot be trusted. Check address, clock and certificates.',
  wrongHub:
    'What answers at this address is not the hub that set this device up. Everything is kept here; check the network, and where the hub is.',
  addressUnknown: null,
  offline: null,
  notAPlatform:
    'What answers at this address is not the event platform. Check it in the set-up, or after --platform (it ends in the version).',
  wrongClock: "This computer's clock is wrong. Set date and time.",
};

async function openShell(
  options: Options,
  { station, folder, log, token, demoLine, staffLine, provisionLine, onStop }: Backend,
  pageFolder: string,
): Promise<void> {
  const shell = await openBrowserShell({
    clock: realClock,
    random: realRandom,
    log,
    router: station.router(),
    files: readPageFiles(pageFolder),
    attract: station.attract,
    folder,
    port: options.port,
    token,
  });
  onStop(shell.stop);
  station.onRouter(shell.serve);
  station.start();
  onStop(writeAppFile(folder, { pid: process.pid, shell: 'browser', rpc: shell.rpc, token }));
  const address = shell.freshLink();
  if (provisionLine !== null) process.stderr.write(`${provisionLine}\n`);
  if (demoLine !== null) say(demoLine);
  say(`Touchpoint is ready: ${address}`);
  if (staffLine !== null) say(staffLine);
  onStop(tellTerminal(station));
  log.info('ready', { port: shell.port });
  if (options.open) openAddress(address);
  onStop(offerFreshLinks(shell.freshLink));
}

/** A link works once: whoever needs another presses Enter where the app was started. */
function offerFreshLinks(freshLink: () => string): () => void {
  if (!ownsTerminal()) return () => undefined;
  process.stderr.write('Press Enter for a fresh link, Ctrl-C to end.\n');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => say(`Touchpoint is ready: ${freshLink()}`));
  process.stdin.on('error', () => lines.close());
  return () => lines.close();
}

/**
 * Whether the keyboard is ours. A program in the background (`npm start &`) that reads its terminal is stopped by the
 * system, so only the terminal's foreground group reads: proc(5), fields 5 and 8 of stat.
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
