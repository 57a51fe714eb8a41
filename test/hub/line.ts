/**
 * The network between devices and a hub: slow, lossy, cut, or redirected to another hub. It does not change the
 * bytes.
 *
 * Invariants:
 * - It has its own port and is gone when the test ends.
 * - A seed decides which packets are lost. Each direction keeps its order.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';
import { seededRandom } from '../chaos/faults.ts';

export type Line = {
  /** Base address of the hub through this line. */
  readonly baseUrl: string;
  /** Closes all connections, and each new one at once. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** From now on, redirects to this hub. */
  readonly leadTo: (baseUrl: string) => void;
  /**
   * From now on, each packet is delayed by `delayMs` in each direction, and `lossShare` of the packets (0 to 1) are
   * lost. A lost packet also closes its connection.
   */
  readonly worsen: (delayMs: number, lossShare: number) => void;
  /** Number of requests, and of lost connections. */
  readonly counts: () => { readonly requests: number; readonly lost: number };
};

/** A line to the hub at `baseUrl`. */
export const startLine = async (baseUrl: string): Promise<Line> => {
  let target = new URL(baseUrl);
  let isCut = false;
  let delayMs = 0;
  let lossShare = 0;
  const random = seededRandom(7);
  const sockets = new Set<Socket>();
  const counts = { requests: 0, lost: 0 };

  /** One direction: delayed, in order, and sometimes lost. */
  const direction = (lose: () => void): Transform =>
    new Transform({
      transform: (chunk, _encoding, done) => {
        if (random() < lossShare) {
          counts.lost += 1;
          lose();
          return;
        }
        if (delayMs === 0) done(null, chunk);
        else setTimeout(() => done(null, chunk), delayMs);
      },
    });

  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const lose = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', lose);
      socket.on('close', () => {
        sockets.delete(socket);
        lose();
      });
    }
    near.on('data', (chunk: Buffer) => {
      if (/^(?:GET|POST) \//u.test(chunk.toString('latin1', 0, 10))) counts.requests += 1;
    });
    near.pipe(direction(lose)).pipe(far);
    far.pipe(direction(lose)).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    cut,
    mend: () => {
      isCut = false;
    },
    leadTo: (other) => {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    worsen: (ms, share) => {
      delayMs = ms;
      lossShare = share;
    },
    counts: () => ({ ...counts }),
  };
};
