/**
 * Virtual time, which advances only when no work is left. Events happen one after another, in an order that the seed
 * decides.
 *
 * Invariants:
 * - Sleepers wake up in the order of their due times. Equal times are ordered by the seed.
 * - All effects of an event are complete before the next event.
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
  /** Sleeps in virtual time for `owner`. */
  readonly sleep: (ms: number, owner: number, signal?: AbortSignal) => Promise<void>;
  /** Advances time by `ms`. Calls `after` with the owner of each event once its effects are complete. */
  readonly pass: (ms: number, after: (owner: number) => void) => Promise<void>;
  /** Completes the effects of what already happened. Wakes no sleeper. */
  readonly settle: () => Promise<void>;
  /** A clock on this time. Its wall clock is off by `skew` milliseconds. */
  readonly clockOf: (owner: number, skew: number | (() => number)) => Clock;
};

/** The real time at which a world begins, in epoch milliseconds. */
export const BEGINNING = Date.UTC(2026, 10, 21, 9);

/** Virtual time. The world's own events have owner 0. */
export const createVirtualTime = (chance: Chance): VirtualTime => {
  let now = 0;
  const sleepers: Sleeper[] = [];

  const isLater = (a: Sleeper, b: Sleeper): boolean =>
    a.due > b.due || (a.due === b.due && a.order > b.order);

  const insert = (sleeper: Sleeper): void => {
    let low = 0;
    let high = sleepers.length;
    // Sorted so that the next one is last, which makes removing it cheap.
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
      now: () => BEGINNING + (typeof skew === 'number' ? skew : skew()) + Math.floor(now),
      monotonic: () => now,
      sleep: (ms, signal) => sleep(ms, owner, signal),
    }),
  };
};
