/**
 * A man-in-the-middle proxy between devices and their hub, at its own address. It forwards the bytes, or it answers
 * in place of the hub with another certificate and forwards the decrypted requests.
 *
 * Invariants:
 * - It records what devices send: the bytes that it forwards, and the text that it decrypts.
 * - It ends with the test.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { makeCertificate } from '../../chaos/certificate.ts';

export type Middleman = {
  readonly port: number;
  /** Sets its mode from now on. Open connections are cut. */
  readonly become: (mood: 'through' | 'inTheMiddle') => void;
  /** What devices sent: the bytes forwarded in mode `through`, and the text decrypted in mode `inTheMiddle`. */
  readonly heard: { readonly wire: () => string; readonly plain: () => string };
  /** Number of connections that it answered itself. */
  readonly asked: () => number;
};

/** A man-in-the-middle proxy in front of the hub at `port`. */
export const startMiddleman = async (port: number): Promise<Middleman> => {
  const secureContext = createSecureContext(makeCertificate('127.0.0.1'));
  const open = new Set<Socket>();
  const [wire, plain]: [Buffer[], Buffer[]] = [[], []];
  let mood: Parameters<Middleman['become']>[0] = 'through';
  let asked = 0;

  const join = (one: Socket, other: Socket): void => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (mood === 'through') {
      socket.on('data', (bytes) => wire.push(bytes));
      return join(socket, connect(port, '127.0.0.1'));
    }
    asked += 1;
    const reading = new TLSSocket(socket, { isServer: true, secureContext });
    reading.on('error', () => socket.destroy());
    reading.on('data', (bytes) => plain.push(bytes));
    join(reading, connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cutAll();
  });
  return {
    port: (server.address() as AddressInfo).port,
    become: (next) => {
      mood = next;
      cutAll();
    },
    heard: { wire: () => textOf(wire), plain: () => textOf(plain) },
    asked: () => asked,
  };
};

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('latin1');
}
