/**
 * A small app for tests, run inside the namespace of the virtual reader: the real reader driver, and the part of the
 * contract that the tap tool uses, over a WebSocket. The app writes `app.json` to the folder in its argument. A visitor
 * whose UID ends with 01 has a name.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { os } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import type { CardReading, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import { sourceTree } from '../../src-main/launch/tree.ts';
import { realClock } from '../../src-main/machine/real-time.ts';

const token = 'a-token-for-this-test';
const readers = new Set<string>();
const listeners = new Set<(event: TapEvent) => void>();
const seen = new Map<string, number>();
let service: DeviceState['cardService'] = 'starting';

function eventOf(card: CardReading): TapEvent {
  const at = Date.now();
  const { badge } = card;
  if (badge.kind !== 'badge') return { kind: 'refused', at, reason: badge.kind };
  const count = (seen.get(card.uid) ?? 0) + 1;
  seen.set(card.uid, count);
  return {
    kind: 'captured',
    at,
    factId: 'f',
    leadId: 'l',
    visitor: card.uid.endsWith('01') ? { name: 'Ada L.', company: 'Engines', language: null } : null,
    repeat: count === 1 ? null : { count, since: at },
    undoUntil: at,
    collected: null,
    checkin: null,
    asksConsent: false,
    openQuestions: [],
  };
}

function hear(event: ReaderEvent): void {
  if (event.kind === 'service') service = event.state;
  if (event.kind === 'attached') readers.add(event.reader);
  if (event.kind === 'detached') readers.delete(event.reader);
  const told = (tap: TapEvent) => {
    for (const listener of listeners) listener(tap);
  };
  if (event.kind === 'inserted') told({ kind: 'reading', at: Date.now() });
  if (event.kind === 'card') told(eventOf(event.card));
  if (event.kind === 'unread') told({ kind: 'notRead', at: Date.now(), reason: event.reason });
}

/** The part of the device's state that the tool reads. */
function state(): Pick<DeviceState, 'cardService' | 'readers'> {
  return {
    cardService: service,
    readers: [...readers].map((name) => ({ name })),
  };
}

const handler = new RPCHandler({
  device: {
    watch: os.handler(async function* () {
      for (;;) {
        yield state();
        await realClock.sleep(100);
      }
    }),
  },
  taps: {
    watch: os.handler(async function* ({ signal }) {
      const waiting: TapEvent[] = [];
      listeners.add((event) => void waiting.push(event));
      while (signal?.aborted !== true) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
        await realClock.sleep(20);
      }
    }),
  },
});

function quiet() {
  return undefined;
}
const log = { error: quiet, warn: quiet, info: quiet };
createNfcDriver({ clock: realClock, log, spawnProcess: sourceTree().spawnReader }).start(hear);

const server = createServer();
const sockets = new WebSocketServer({
  server,
  verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) =>
    req.headers.authorization === `Bearer ${token}`,
});
sockets.on('connection', (socket) => void handler.upgrade(socket, { context: {} }));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const app = { pid: process.pid, shell: 'browser', rpc: `ws://127.0.0.1:${port}/rpc`, token };
  writeFileSync(join(process.argv[2] ?? '', 'app.json'), JSON.stringify(app), { mode: 0o600 });
});
