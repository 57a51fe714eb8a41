/**
 * The machine's own clock and randomness, for processes that tests start.
 *
 * Invariant: free of vitest, so that plain Node can run what imports it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createStamper, type Stamper } from '../../src-main/core/journal/stamp.ts';
import type { Clock, Random } from '../../src-main/core/ports.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
};

export const realRandom: Random = {
  fraction: () => Math.random(),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/** A stamper for one run on the machine's clock, or on `clock`. */
export const stamperOf = (clock: Clock = realClock): Stamper => createStamper(clock, realRandom);
