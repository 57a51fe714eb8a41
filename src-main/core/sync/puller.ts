/**
 * Keeps the mirror equal to the event, for ever: the loop of the sync.
 *
 *     round: the event's name; then each resource (`resource-puller.ts`);
 *            then the background jobs: what else the stand wants of the platform
 *     then:  wait about ten seconds (or until woken), next round
 *
 * Invariants: no transaction is open across an await (docs/laws.md#law-11); this loop and the sender's are the only
 * ones that retry (docs/laws.md#law-12); after a fault the round goes on where it struck: devices that share a key
 * and are turned away now and then would otherwise never come to the end.
 */
import type { Pause } from '../../contract/device.ts';
import type { Connection } from '../api/connection.ts';
import { ApiError } from '../api/error-class.ts';
import { RESOURCES, type Resource } from '../mirror/resources.ts';
import type { Random } from '../ports.ts';
import { backoffMs } from '../time/backoff.ts';
import { RETRY, ROUND_EVERY_MS } from '../time/times.ts';
import { createWakeableSleep } from '../time/wakeable-sleep.ts';
import { refreshEvent } from './event.ts';
import { createResourcePuller, type ResourcePullerPorts } from './resource-puller.ts';
import type { SnapshotTaker } from './snapshot.ts';

export type PullerPorts = Omit<ResourcePullerPorts, 'onAnswer'> & {
  readonly random: Random;
  readonly connection: Connection;
  /**
   * A round compared whole resources with the platform (once a day, on demand, in doubt). Whatever made us compare
   * may have taken confirmed interactions, too: the outbox looks for them again.
   */
  readonly onCompared: () => void;
  /** The last step of each round: small things to ask besides the resources (details, pictures, e-mails). */
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** After a whole round. */
  readonly onRound: () => void;
  /** How a first copy may come all at once; absent: page by page. */
  readonly snapshot?: SnapshotTaker;
};

export type Puller = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Asks for a round soon. */
  readonly wake: () => void;
  /** Asks for a round now; resolves when one that began after the call has ended, or a fault struck first. */
  readonly pullNow: (signal: AbortSignal) => Promise<'done' | 'failed'>;
  /** Asks for a pass over everything: compare record by record, remove what is gone. */
  readonly reconcile: () => void;
  /** Why the event cannot be read at the moment, or null. */
  readonly pause: () => Pause | null;
  /** Wall time at which the last whole round ended, or null. */
  readonly lastRoundAt: () => number | null;
  /** Share and seconds left of a long first sync, or null. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
  /** The box in the hall gives other devices their first copy before this one. */
  readonly waitsForTurn: () => boolean;
};

/** What is left of a round: resources in their order (after the first, a snapshot of the others), then the background jobs. */
type Step = Resource | 'snapshot' | 'backgroundJobs';

/** The puller of one event. */
export function createPuller(ports: PullerPorts): Puller {
  const { client, expoId, mirror, clock, random, connection } = ports;
  const waker = createWakeableSleep(clock);
  const resources = createResourcePuller({ ...ports, onAnswer: connection.succeeded });
  const callers = createRoundCallers();
  let lastRoundAt: number | null = null;
  let pause: Pause | null = null;
  let failures = 0;
  let left: readonly Step[] = [];

  /** Does the next step of the round, or the first of a new one. @throws ApiError */
  const takeStep = async (signal: AbortSignal): Promise<void> => {
    if (left.length === 0) {
      callers.begin();
      await refreshEvent(client, expoId, mirror, signal);
      const [first, ...others] = ports.resources ?? RESOURCES;
      left = [...(first === undefined ? [] : [first]), 'snapshot', ...others, 'backgroundJobs'];
    }
    const [step, ...rest] = left;
    if (step === 'snapshot') await ports.snapshot?.take(signal);
    else if (step === 'backgroundJobs') await ports.backgroundJobs(signal);
    else if (step !== undefined) await resources.pull(step, signal);
    left = rest;
  };

  const endRound = (): void => {
    callers.answer('done');
    lastRoundAt = clock.now();
    if (resources.endRound()) ports.onCompared();
    ports.onRound();
  };

  const failed = (error: unknown): number => {
    connection.failed(error);
    pause = pauseOf(error) ?? pause;
    callers.answer('failed');
    failures += 1;
    tellFault(ports, error);
    const wait = backoffMs(RETRY, failures, random.fraction());
    const isBusy = error instanceof ApiError && error.errorClass.kind === 'busy';
    return isBusy ? wait + (error.errorClass.retryAfterMs ?? 0) : wait;
  };

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        let wait = 0;
        try {
          await takeStep(signal);
          failures = 0;
          pause = null;
          if (left.length === 0) {
            endRound();
            wait = ROUND_EVERY_MS * (0.8 + 0.4 * random.fraction());
          }
        } catch (error) {
          if (signal.aborted) return;
          wait = failed(error);
        }
        if (wait > 0) await waker.sleep(wait, signal);
      }
    },
    wake: waker.wake,
    pullNow: (signal) =>
      new Promise((resolve) => {
        callers.add(resolve);
        signal.addEventListener('abort', () => resolve('failed'), { once: true });
        waker.wake();
      }),
    reconcile: () => {
      resources.wantPasses();
      waker.wake();
    },
    pause: () => pause,
    lastRoundAt: () => lastRoundAt,
    remaining: () => ports.snapshot?.remaining() ?? resources.remaining(),
    waitsForTurn: () => ports.snapshot?.waitsForTurn() ?? false,
  };
}

/** Who waits for a round that began after they called. */
function createRoundCallers(): {
  readonly begin: () => void;
  readonly add: (resolve: (outcome: 'done' | 'failed') => void) => void;
  readonly answer: (outcome: 'done' | 'failed') => void;
} {
  let rounds = 0;
  let waiting: { readonly round: number; readonly resolve: (outcome: 'done' | 'failed') => void }[] = [];
  return {
    begin: () => {
      rounds += 1;
    },
    add: (resolve) => void waiting.push({ round: rounds + 1, resolve }),
    answer: (outcome) => {
      const answered = waiting.filter((entry) => entry.round <= rounds);
      waiting = waiting.filter((entry) => entry.round > rounds);
      for (const { resolve } of answered) resolve(outcome);
    },
  };
}

function tellFault({ log }: PullerPorts, error: unknown): void {
  if (error instanceof ApiError) {
    log.info('the mirror waits', { why: error.message, errorClass: error.errorClass.kind });
  } else {
    log.error('the mirror could not be written', {
      error: error instanceof Error ? error.message : 'unknown',
    });
  }
}

/** A list that is refused for good is no list of this platform: most likely its address is wrong. */
function pauseOf(error: unknown): Pause | null {
  if (!(error instanceof ApiError)) return null;
  if (error.errorClass.kind === 'stop') return error.errorClass.pause;
  return error.errorClass.kind === 'reject' ? 'notAPlatform' : null;
}
