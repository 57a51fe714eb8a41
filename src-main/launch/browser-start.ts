/**
 * A start with the browser shell, from options to the printed address.
 *
 * Invariant: stdout carries the announced lines and nothing else; pressing Enter prints a fresh link.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { forkReaderProcess } from '../devices/nfc/fork.ts';
import { readPageFiles } from '../page/page-files.ts';
import { openBrowserShell } from '../shell-browser/browser-shell.ts';
import { writeAppFile } from './app-file.ts';
import { bringUp, type House } from './bring-up.ts';
import { openAddress } from './open-address.ts';
import type { Options } from './options.ts';
import { spawnPlatformChild } from './platform-child.ts';
import { realClock, realRandom } from './real-time.ts';

const pageFolder = fileURLToPath(new URL('../../out/renderer', import.meta.url));
const packageFile = new URL('../../package.json', import.meta.url);

/** Brings everything up and prints where. @throws {StartRefusal} with everything taken down again. */
export async function startInBrowser(options: Options): Promise<House> {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const host = { version, spawnPlatform: spawnPlatformChild, spawnReader: forkReaderProcess };
  const house = await bringUp(options, host);
  try {
    await openShell(options, house);
  } catch (error) {
    await house.stop();
    throw error;
  }
  return house;
}

async function openShell(
  options: Options,
  { kiosk, folder, log, token, demoLine, onStop }: House,
): Promise<void> {
  const shell = await openBrowserShell({
    clock: realClock,
    random: realRandom,
    log,
    router: kiosk.router,
    files: readPageFiles(pageFolder),
    folder,
    port: options.port,
    token,
  });
  onStop(shell.stop);
  kiosk.start();
  onStop(writeAppFile(folder, { pid: process.pid, shell: 'browser', rpc: shell.rpc, token }));
  const address = shell.freshLink();
  if (demoLine !== null) say(demoLine);
  say(`Touchpoint is ready: ${address}`);
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
