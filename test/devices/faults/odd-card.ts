/**
 * A separate card client for vpcd that behaves like no real card. It shares no code with `src-main/devices/virtual`.
 *
 * Invariant: the seed alone decides what a card does. A card never sends a truncated frame, because that crashes pcscd
 * with vpcd 3.3, or makes vpcd report an error. pcscd 1.9.9 does not count such an error as a removal
 * (eventhandler.c, SCARD_UNKNOWN), so the driver reports more insertions than pcscd counts (once 107 and 106).
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createChance } from '../../simulation/chance.ts';

/**
 * Numbers in [0, 1) from a seed. Neighbouring seeds must give different first numbers, because each card has its own
 * seed.
 */
export function chance(seed: number): () => number {
  return createChance(seed).fraction;
}

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const bytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

const atrs: readonly ((random: Random) => Buffer)[] = [
  () => Buffer.from('3B8F8001804F0CA0000003060300030000000068', 'hex'),
  () => Buffer.from('3B8180018080', 'hex'),
  () => Buffer.from('3B80800101', 'hex'),
  (random) => bytes(random, 1 + Math.floor(random() * 32)),
  () => Buffer.alloc(0),
];

/** The answer to a command. Null if the card does not answer. */
const answers: readonly ((random: Random) => Buffer | null)[] = [
  () => Buffer.from('04A1B2C3D4E5F69000', 'hex'),
  () => Buffer.from('6300', 'hex'),
  () => Buffer.from('90', 'hex'),
  () => Buffer.alloc(0),
  (random) => bytes(random, 1 + Math.floor(random() * 257)),
  (random) => Buffer.concat([bytes(random, 256), Buffer.from('9000', 'hex')]),
  () => null,
];

/** When an answer is sent: immediately or late. */
const ways = ['whole', 'whole', 'whole', 'late'] as const;

/** Puts one odd card on the slot of `port` for `holdMs`. */
export async function layOddCard(port: number, holdMs: number, random: Random): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect').catch(() => undefined);
  const atr = pick(random, atrs)(random);
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at + 2 <= chunk.length; at += 2 + chunk.readUInt16BE(at)) {
      const length = chunk.readUInt16BE(at);
      if (length === 1 && chunk[at + 2] === 4) send(socket, atr, 'whole');
      else if (length > 1) {
        const answer = pick(random, answers)(random);
        if (answer !== null) send(socket, answer, pick(random, ways));
      }
    }
  });
  await wait(holdMs);
  if (!socket.closed) {
    socket.destroy();
    await once(socket, 'close');
  }
}

function send(socket: Socket, body: Buffer, way: (typeof ways)[number]): void {
  const frame = Buffer.concat([Buffer.from([body.length >> 8, body.length & 0xff]), body]);
  if (way === 'whole') socket.write(frame);
  else setTimeout(() => socket.destroyed || socket.write(frame), 200);
}
