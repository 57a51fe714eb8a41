/**
 * A port of this machine for a test that must know the port before a server listens on it, or that must find it free
 * again.
 *
 * Invariant: the port is outside the range from which the system assigns ports (Linux from 32768, others from 49152).
 * Otherwise a server without a fixed port, or any connection from here, could take it in between.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const [FIRST, LAST] = [20_000, 32_000];

/** An unused port of 127.0.0.1. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
};
