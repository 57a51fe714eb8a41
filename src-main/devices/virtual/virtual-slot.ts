/**
 * One slot of the virtual reader `vpcd`: lays a card model on it and takes it away.
 *
 * Source: vsmartcard, virtualsmartcard/src/vpcd/vpcd.h: the card is a TCP client; every message is a 2-byte
 * big-endian length and a body; bodies of one byte are control (0 power off, 1 power on, 2 reset, without answer;
 * 4 wants the ATR), anything else is a command to answer. Connected = inserted.
 *
 * Invariants: answers go out in the order of the commands; a slot holds at most one card.
 */
import { connect, type Socket } from 'node:net';
import type { CardModel } from './card-model.ts';

/** Port of the first slot; the second reader of vpcd listens on the next one. */
export const firstSlotPort = 35963;

/** A card that lies on the slot. `traffic` grows while the reader talks to it. */
export type LyingCard = {
  readonly traffic: readonly CardTraffic[];
  /** Takes the card away; resolves when the slot has noticed. */
  readonly remove: () => Promise<void>;
  /** Resolves when the connection ended, by `remove` or because the service went away. */
  readonly ended: Promise<void>;
};

/** What the reader did: power, or a command with its answer. */
type CardTraffic =
  | { readonly kind: 'powerOn' | 'powerOff' | 'reset' }
  | {
      readonly kind: 'command';
      readonly command: Uint8Array;
      readonly answer: Uint8Array | null;
      /** Wall time of the answer in milliseconds, with fractions. */
      readonly at: number;
    };

const control = { off: 0, on: 1, reset: 2, atr: 4 } as const;

/**
 * Lays a card on the slot of `port`.
 * @throws {Error} with `code` ECONNREFUSED when no card service with the virtual reader runs.
 */
export async function layCard(model: CardModel, port = firstSlotPort): Promise<LyingCard> {
  const socket = await connected(port);
  const traffic: CardTraffic[] = [];
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {
    // A service that dies resets the line; `close` follows and ends the card's stay.
    socket.destroy();
  });
  onMessages(socket, (body) => {
    const answer =
      body.length === 1 ? answerControl(model, body[0] ?? 0, traffic) : answerCommand(model, body, traffic);
    if (answer !== null) socket.write(framed(answer));
  });
  return {
    traffic,
    ended,
    remove: async () => {
      socket.destroy();
      await ended;
    },
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function answerControl(model: CardModel, code: number, traffic: CardTraffic[]): Uint8Array | null {
  if (code === control.atr) return model.atr;
  if (code === control.on) traffic.push({ kind: 'powerOn' });
  if (code === control.off || code === control.reset) {
    model.reset();
    traffic.push({ kind: code === control.off ? 'powerOff' : 'reset' });
  }
  return null;
}

function answerCommand(model: CardModel, command: Uint8Array, traffic: CardTraffic[]): Uint8Array | null {
  const answer = model.answer(command);
  traffic.push({ kind: 'command', command, answer, at: performance.timeOrigin + performance.now() });
  return answer;
}

/** Splits the stream into bodies. */
function onMessages(socket: Socket, hear: (body: Uint8Array) => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      hear(new Uint8Array(waiting.subarray(2, end)));
      waiting = waiting.subarray(end);
    }
  });
}

function framed(body: Uint8Array): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(body.length);
  return Buffer.concat([head, body]);
}
