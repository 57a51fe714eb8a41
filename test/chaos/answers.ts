/**
 * How each fault delivers an answer of the platform, as raw bytes on the device's connection.
 *
 * Invariant: every connection closes or is ready for the next request, so that one fault does not hide the next.
 */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { AnswerFault } from './faults.ts';

/** An answer of the platform. */
export type WholeAnswer = { readonly status: number; readonly contentType: string; readonly body: Buffer };

/** The proxy's resources for a fault. */
export type Channel = {
  readonly socket: Socket;
  /** The device's current wall time. */
  readonly now: () => number;
  readonly random: () => number;
};

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** Breaks a connection like a dying peer: with a reset where the system allows it. */
export const reset = (socket: Socket): void => {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
};

/** Sends nothing until the device gives up, because every request must end by its own timeout. */
export const stall = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

/** Sends these bytes separately, so that the client reads them before the next bytes. */
const sendAlone = async (socket: Socket, bytes: string | Uint8Array): Promise<void> => {
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  await nextTurn();
};

/** The header section of an answer with these lines. */
export const headOf = (status: number, lines: readonly string[]): string =>
  `HTTP/1.1 ${status} Status\r\n${lines.join('\r\n')}\r\n\r\n`;

/** The whole answer in one piece. The connection stays open. */
export const wholeOf = ({ status, contentType, body }: WholeAnswer, date: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      headOf(status, [
        `date: ${new Date(date).toUTCString()}`,
        `content-type: ${contentType}`,
        `content-length: ${body.length}`,
      ]),
    ),
    body,
  ]);

/** Delivers `answer` with `fault`. */
export const deliver = async (fault: AnswerFault, answer: WholeAnswer, channel: Channel): Promise<void> => {
  const { socket, now, random } = channel;
  const { body, contentType, status } = answer;
  const common = [`date: ${new Date(now()).toUTCString()}`, `content-type: ${contentType}`];
  const half = body.subarray(0, Math.floor(body.length / 2));
  switch (fault) {
    case 'lostAnswer':
      return reset(socket);
    case 'stallAfterCommit':
      return stall(socket);
    case 'gatewayAfterCommit': {
      const page = Buffer.from('<html><h1>504 Gateway Time-out</h1></html>');
      socket.write(wholeOf({ status: 504, contentType: 'text/html', body: page }, now()));
      return;
    }
    case 'resetAfterHeaders':
      await sendAlone(socket, headOf(status, [...common, `content-length: ${body.length + 1}`]));
      return reset(socket);
    case 'halfBody':
      socket.write(headOf(status, [...common, `content-length: ${body.length + 1}`]));
      socket.end(half);
      return;
    case 'truncatedChunk':
      socket.write(headOf(status, [...common, 'transfer-encoding: chunked']));
      socket.write(`${(body.length + 1).toString(16)}\r\n`);
      socket.end(half);
      return;
    case 'truncatedJson':
      // Complete according to its length, but truncated by something that rewrites bodies.
      socket.write(wholeOf({ ...answer, body: body.subarray(0, Math.max(0, body.length - 1)) }, now()));
      return;
    case 'wrongLength':
      socket.end(
        Buffer.concat([Buffer.from(headOf(status, [...common, `content-length: ${half.length}`])), body]),
      );
      return;
    case 'slowClose':
      // Without a length, the end of the connection is the end of the body. It comes after the last piece of the
      // body.
      await sendAlone(socket, headOf(status, [...common, 'connection: close']));
      await sendAlone(socket, half);
      await sendAlone(socket, body.subarray(half.length));
      socket.end();
      return;
    case 'compressedBomb':
      socket.write(headOf(status, [...common, 'content-encoding: gzip', `content-length: ${BOMB.length}`]));
      socket.write(BOMB);
      return;
    case 'duplicateAnswer': {
      const once = wholeOf(answer, now());
      socket.write(Buffer.concat([once, once]));
      return;
    }
    case 'wrongClock': {
      const off = (random() - 0.5) * 2 * 86_400_000;
      socket.write(wholeOf(answer, now() + off));
      return;
    }
  }
};
