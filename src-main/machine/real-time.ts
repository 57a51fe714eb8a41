/**
 * The real clock and random generator for the core. Only this module reads the machine's clocks for the core.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from '../core/foundations/ports.ts';

/** The machine's clocks. A sleep ends early, without an error, when its signal aborts. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {
      // A timer rejects only on abort, which is a normal end here.
    }),
};

/** Unpredictable numbers: 53 bits of the system's generator. */
export const realRandom: Random = {
  fraction: () => Number(randomBytes(8).readBigUInt64BE() >> 11n) / 2 ** 53,
  bytes: (length) => randomBytes(length),
};
