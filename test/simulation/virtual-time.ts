/**
 * Time that passes only when nobody has anything left to do: one event after the other, in an order the seed decides.
 *
 * Invariants: sleepers wake in order of their due time, equals in seeded order; after each event everything that
 * follows from it has happened before the next.
 */
import { setImmediate as afterMicrotasks } from 'node:timers/promises';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { Chance } from './chance.ts';

type Sleeper = {
  readonly due: number;
  readonly order: number;
  readonly owner: number;
  wake: (() => void) | null;
};

export type VirtualTime = {
  readonly now: () => number;
  /** Sleeps in virtual time on behalf of `owner`. */
  readonly sleep: (ms: number, owner: number, signal?: AbortSignal) => Promise<void>;
  /** Lets `ms` pass; calls `after` with the owner of each event once it has had its effects. */
  readonly pass: (ms: number, after: (owner: number) => void) => Promise<void>;
  /** Lets everything that is due now happen. */
  readonly settle: () => Promise<void>;
  /** A clock on this time; its wall clock is off by `skew` milliseconds. */
  readonly clockOf: (owner: number, skew: number | (() => number)) => Clock;
};

/** Virtual time; the world's own events have owner 0. */
export const createVirtualTime = (chance: Chance): VirtualTime => {
  let now = 0;
  const sleepers: Sleeper[] = [];

  const isLater = (a: Sleeper, b: Sleeper): boolean =>
    a.due > b.due || (a.due === b.due && a.order > b.order);

  const insert = (sleeper: Sleeper): void => {
    let low = 0;
    let high = sleepers.length;
    // Kept with the next one last, so that taking it is cheap.
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = sleepers[middle];
      if (other !== undefined && isLater(other, sleeper)) low = middle + 1;
      else high = middle;
    }
    sleepers.splice(low, 0, sleeper);
  };

  const sleep = (ms: number, owner: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const giveUp = (): void => {
        sleeper.wake = null;
        resolve();
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const sleeper: Sleeper = { due: now + Math.max(0, ms), order: chance.fraction(), owner, wake };
      signal?.addEventListener('abort', giveUp, { once: true });
      insert(sleeper);
    });

  const settle = async (): Promise<void> => {
    await afterMicrotasks();
  };

  return {
    now: () => now,
    sleep,
    settle,
    pass: async (ms, after) => {
      const end = now + ms;
      await settle();
      for (let next = sleepers.at(-1); next !== undefined && next.due <= end; next = sleepers.at(-1)) {
        sleepers.pop();
        if (next.wake === null) continue;
        now = next.due;
        next.wake();
        await settle();
        after(next.owner);
      }
      now = end;
    },
    clockOf: (owner, skew) => ({
      now: () => Date.UTC(2026, 10, 21, 9) + (typeof skew === 'number' ? skew : skew()) + Math.floor(now),
      monotonic: () => now,
      sleep: (ms, signal) => sleep(ms, owner, signal),
    }),
  };
};
