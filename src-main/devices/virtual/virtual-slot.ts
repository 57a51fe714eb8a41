/**
 * One slot of the virtual reader `vpcd`: inserts a card model and removes it.
 *
 * Source: vsmartcard, virtualsmartcard/src/vpcd/vpcd.h. The card is a TCP client. Every message is a 2-byte
 * big-endian length and a body. Bodies of one byte are control (0 power off, 1 power on, 2 reset, without answer; 4
 * asks for the ATR). Anything else is a command to answer. A connected card is an inserted card.
 *
 * Invariants:
 * - Answers are sent in the order of the commands.
 * - A slot holds at most one card.
 */
import { connect, type Socket } from 'node:net';
import type { CardModel } from './card-model.ts';

/** Port of the first slot. The second reader of vpcd listens on the next port. */
export const firstSlotPort = 35963;

/** A card in the slot. `traffic` grows while the reader uses the card. */
export type LyingCard = {
  readonly traffic: readonly CardTraffic[];
  /** Removes the card. Resolves when the connection is closed. */
  readonly remove: () => Promise<void>;
  /** Resolves when the connection ended, by `remove` or because the service stopped. */
  readonly ended: Promise<void>;
};

/** An action of the reader: a change of power, or a command with its answer. */
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
 * Inserts a card into the slot of `port`.
 * @throws {Error} with `code` ECONNREFUSED when no card service with the virtual reader runs.
 */
export async function layCard(model: CardModel, port = firstSlotPort): Promise<LyingCard> {
  const socket = await connected(port);
  const traffic: CardTraffic[] = [];
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {
    // A service that dies resets the connection. `close` follows and removes the card.
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
