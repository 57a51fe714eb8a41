/**
 * A whole kiosk without a shell in a process of its own, driven over IPC by tests that kill it.
 *
 * Invariant: what it reports comes through the router, as a screen would hear it.
 */
import { mkdirSync } from 'node:fs';
import { createRouterClient } from '@orpc/server';
import { createKiosk } from '../../src-main/core/kiosk.ts';
import type { ReaderEvent } from '../../src-main/core/ports.ts';
import { realClock, realRandom } from './real-parts.ts';

/** `node kiosk-child.ts <folder> <base url> <key> <expo>`; messages in: `{ tap: uid }`, `{ pass: ms }`, out: events and states. */
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
const screen = createRouterClient(kiosk.router);

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
process.on('message', (message: { tap?: string; pass?: number; stop?: true }) => {
  ahead += message.pass ?? 0;
  if (message.tap !== undefined) {
    insertion += 1;
    tell({ kind: 'inserted', reader: 'test', insertion });
    const card = { uid: message.tap, atr: '', ndef: { state: 'none' as const } };
    tell({ kind: 'card', reader: 'test', insertion, card });
    tell({ kind: 'removed', reader: 'test' });
  }
  if (message.stop === true) void kiosk.stop().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
