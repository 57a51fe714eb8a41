/**
 * A port of this machine for a test that has to know it before somebody listens there, or to find it free once more.
 *
 * Invariant: none of those that the system gives out by itself (Linux from 32768, others from 49152): what listens at no
 * port of its choice, and each connection from here, would take it in between.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const [FIRST, LAST] = [20_000, 32_000];

/** A port of 127.0.0.1 that nobody listens at. */
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
