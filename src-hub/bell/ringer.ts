/**
 * Rings: what is due of what was noted is published to whoever listens, over a connection that is made again when it ends.
 *
 * Invariants: rings are numbered over all lists of the event; what is noted while nothing can be rung waits, and the first ring
 * of a connection says that anything may have changed.
 */
import { type BellKey, type BellLink, openLink } from '../../src-main/core/bell/link.ts';
import { ANY_LIST, writeRing } from '../../src-main/core/bell/ring.ts';
import type { Clock, Log, Random } from '../../src-main/core/ports.ts';
import { backoffMs } from '../../src-main/core/time/backoff.ts';
import { IDLE_MS, RETRY } from '../../src-main/core/time/times.ts';
import { createWakeableSleep } from '../../src-main/core/time/wakeable-sleep.ts';
import { createRingQueue, type RingKind } from './ring-queue.ts';
import { listSubject } from './users.ts';

/** So many tries fail before it is said: the first may come before the server is up. */
const TOLD_AFTER = 4;

/** What is noted meanwhile is rung together. */
const RING_GAP_MS = 250;

export type RingerPorts = {
  readonly expo: string;
  /** Names this run of the box. */
  readonly run: string;
  /** Where the box reaches its server. */
  readonly urlHere: string;
  /** How many devices listen. */
  readonly listeners: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

export type Ringer = {
  /** Rings at a subject, soon. */
  readonly note: (subject: string, kind: 'team' | 'command') => void;
  /** Rings for a list of the event. */
  readonly noteList: (list: string) => void;
  /** Whether it can ring now. */
  readonly isRinging: () => boolean;
  /** Rings with `key` until `signal` aborts. */
  readonly serve: (key: BellKey, signal: AbortSignal) => Promise<void>;
};

/** The ringer of one box. */
export function createRinger({ expo, run, urlHere, listeners, clock, random, log }: RingerPorts): Ringer {
  const waker = createWakeableSleep(clock);
  const queue = createRingQueue(clock, listeners);
  let number = 0;
  let link: BellLink | null = null;

  const note = (subject: string, kind: RingKind): void => {
    queue.note(subject, kind);
    waker.wake();
  };
  const noteList = (list: string): void => note(listSubject(expo, list), 'list');

  const ringAll = (through: BellLink): void => {
    for (const [subject, kind] of queue.take()) {
      if (kind === 'list') number += 1;
      through.publish(subject, kind === 'list' ? writeRing({ run, number }) : '{}');
    }
  };

  /** Rings over one connection until it ends. @throws Error where there is none */
  const ring = async (key: BellKey, signal: AbortSignal): Promise<void> => {
    const through = await openLink(urlHere, key);
    link = through;
    void through.closed.then(() => {
      link = null;
      waker.wake();
    });
    log.info('the bell rings');
    noteList(ANY_LIST);
    try {
      while (link !== null && !signal.aborted) {
        ringAll(through);
        await clock.sleep(RING_GAP_MS, signal);
        await waker.sleep(queue.waitMs() ?? IDLE_MS, signal);
      }
    } finally {
      link = null;
      await through.close();
    }
  };

  return {
    note,
    noteList,
    isRinging: () => link !== null,
    serve: async (key, signal) => {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          await ring(key, signal);
          failures = 1;
          if (!signal.aborted) log.warn('the bell is silent; devices poll');
        } catch (error) {
          if (failures === TOLD_AFTER) log.info('the bell cannot be rung', { why: String(error) });
        }
        await clock.sleep(backoffMs(RETRY, failures, random.fraction()), signal);
      }
    },
  };
}
