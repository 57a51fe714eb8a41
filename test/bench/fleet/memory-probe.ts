/**
 * Loaded into a hub of the bench (`--import`, `--expose-gc`): answers the message `memory` with the memory in use after a
 * garbage collection, in bytes.
 *
 * Invariant: it does not keep the hub alive.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Memory in use: objects and buffers that the garbage collector knows, and all memory of the process. */
export type Memory = { readonly used: number; readonly resident: number };

const tell = async (): Promise<void> => {
  // Each collection frees what the previous one finalized.
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await delay(200);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, resident: rss } satisfies Memory);
};
process.on('message', (message) => {
  if (message === 'memory') void tell();
});
process.channel?.unref();
