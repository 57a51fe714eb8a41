/**
 * A complete device without a shell in its own process. Tests that kill it control it over IPC.
 *
 * Invariant: its events and states come through the router, as for a screen.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import type { ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk } from '../../src-main/core/kiosk.ts';
import { cardReading } from '../card-reading.ts';
import { realClock, realRandom } from './real-parts.ts';
import { screenOf } from './screen.ts';

/**
 * `node kiosk-child.ts <folder> <base url> <key> <expo>`. It receives an `Order` as a message. It sends events, states
 * and logged errors.
 */
const [folder = '', baseUrl = '', key = '', expoId = ''] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
let ahead = 0;
let tell: (event: ReaderEvent) => void = () => undefined;
const kiosk = createKiosk({
  clock: {
    ...realClock,
    now: () => realClock.now() + ahead,
    monotonic: () => realClock.monotonic() + ahead,
  },
  random: realRandom,
  log: {
    error: (what, details) => process.send?.({ log: 'error', what, details }),
    warn: () => undefined,
    info: () => undefined,
  },
  folder,
  platform: { baseUrl, key, password: '', expoId },
  drivers: [
    { start: (listener) => (tell = listener), feedback: () => undefined, stop: async () => undefined },
  ],
  demoBadges: [],
  version: 'test',
  cardService: 'on',
});
const screen = screenOf(kiosk);

const follow = async (): Promise<void> => {
  for await (const event of await screen.taps.watch()) process.send?.({ event });
};
const followState = async (): Promise<void> => {
  for await (const state of await screen.device.watch()) process.send?.({ state });
};
void follow();
void followState();
kiosk.start();

let insertion = 0;
/** The file descriptors of databases that now refer to a folder. */
const broken = new Map<number, string>();
/**
 * Replaces every open database by a folder, which cannot be read or written as a file. SQLite gets a disk fault
 * (SQLITE_IOERR) at each read and write, as after a forced unmount.
 */
const breakDisk = (): void => {
  for (const name of readdirSync('/proc/self/fd')) {
    const file = Number(name);
    const target = targetOf(file) ?? '';
    if (!/\.db(-wal)?$/.test(target)) continue;
    replace(file, () => openSync(folder, 'r'));
    broken.set(file, target);
  }
};
/** Restores the databases. */
const mendDisk = (): void => {
  for (const [file, target] of broken) replace(file, () => openSync(target, 'r+'));
  broken.clear();
};
/** Makes the descriptor `file` refer to what `open` opens. */
const replace = (file: number, open: () => number): void => {
  closeSync(file);
  const others: number[] = [];
  for (let opened = open(); opened !== file; opened = open()) others.push(opened);
  for (const other of others) closeSync(other);
};
const targetOf = (file: number): string | null => {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    // The descriptor with which the folder was listed is already closed.
    return null;
  }
};

type Order = { tap?: string; pass?: number; stop?: true; disk?: 'broken' | 'whole' };
process.on('message', (message: Order) => {
  ahead += message.pass ?? 0;
  if (message.disk !== undefined) {
    if (message.disk === 'broken') breakDisk();
    else mendDisk();
    process.send?.({ disk: message.disk });
  }
  if (message.tap !== undefined) {
    insertion += 1;
    tell({ kind: 'inserted', reader: 'test', insertion });
    const card = cardReading(message.tap);
    tell({ kind: 'card', reader: 'test', insertion, card });
    tell({ kind: 'removed', reader: 'test' });
  }
  if (message.stop === true) void kiosk.stop().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
