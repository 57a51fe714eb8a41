/**
 * Real time and real randomness, as the core asks for them. The only place that reads the machine's clocks for it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from '../core/foundations/ports.ts';

/** The machine's clocks; a sleep ends early, without an error, when its signal aborts. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {
      // The only rejection of a timer is its abort, which the port defines as a normal end.
    }),
};

/** Numbers nobody can foresee (53 bits of the machine's generator). */
export const realRandom: Random = {
  fraction: () => Number(randomBytes(8).readBigUInt64BE() >> 11n) / 2 ** 53,
  bytes: (length) => randomBytes(length),
};
