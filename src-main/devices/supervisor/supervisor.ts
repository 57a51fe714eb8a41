/**
 * The reader driver of the core: keeps one reader process alive and turns its words into reader events.
 *
 * ```
 *   starting ──start, looks──► running ──heartbeat lost 5 s, no reader for 60 s──► killed
 *       ▲                         │ `over`, exit, crash                               │
 *       └──── back-off ◄──────────┴───────────────────────────────────────────────────┘
 * ```
 *
 * Invariants: at most one reader process; whatever happens to it, every insertion it opened gets its outcome, and a
 * card it left unfinished is offered once more by the next process as a new insertion; messages that are none are
 * logged and dropped; events are told in order and never from inside `tell`.
 */
import type { Clock, Log, ReaderDriver, ReaderEvent } from '../../core/ports.ts';
import { type FromReader, readFromReader, toWire } from '../reader/messages.ts';
import { createReaderBook } from './reader-registry.ts';

/** A running reader process. `kill` must end it at once, whatever it is doing; `onExit` is called once. */
export type ReaderProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (hear: (message: unknown) => void) => void;
  readonly onExit: (hear: (how: string) => void) => void;
  readonly kill: () => void;
};

type Ports = {
  readonly clock: Clock;
  readonly log: Log;
  readonly spawnProcess: () => ReaderProcess;
};

/** Milliseconds. */
const heartbeatLost = 5000;
const firstWordWithin = 15_000;
const noReaderFor = 60_000;
const checkEvery = 500;
const firstBackOff = 100;
const mostBackOff = 2000;
const steadyAfter = 10_000;

const noReader = 'no reader for a minute';

/** So many ends in a row without a steady run, and the service is called failing. */
const failingAfter = 3;

/** One life of the reader process. */
type Life = {
  readonly process: ReaderProcess;
  readonly ended: AbortController;
  /** When it was last heard, and when that was last looked at. */
  heardAt: number;
  lookedAt: number;
  spoke: boolean;
  readerSeenAt: number;
  why: string;
  /** It saw the card service go. */
  serviceLost: boolean;
};

/** Why a life ended; `expected` when the process itself was in order. */
type LifeEnd = { readonly why: string; readonly expected: boolean };

/** Creates the driver; nothing runs before `start`. */
export function createNfcDriver({ clock, log, spawnProcess }: Ports): ReaderDriver {
  const stopped = new AbortController();
  const queue: ReaderEvent[] = [];
  let tellCore: ((event: ReaderEvent) => void) | null = null;
  let telling = false;
  let service: string | null = null;
  let life: Life | null = null;
  let quickEnds = 0;
  let running: Promise<void> = Promise.resolve();

  const tell = (event: ReaderEvent): void => {
    queue.push(event);
    if (telling) return;
    telling = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) tellCore?.(next);
    } finally {
      telling = false;
    }
  };

  const book = createReaderBook(tell);

  const tellService = (state: Extract<ReaderEvent, { kind: 'service' }>['state']): void => {
    if (service === state) return;
    service = state;
    tell({ kind: 'service', state });
  };

  const hearService = (word: Extract<FromReader, { kind: 'service' }>): void => {
    if (word.state === 'absent') book.forget();
    if (service === word.state) return;
    if (word.state === 'failing') log.error('The badge readers cannot be used', { why: word.why });
    else log.info('Card service', { state: word.state });
    tellService(word.state);
  };

  const hear = (of: Life, message: FromReader): void => {
    switch (message.kind) {
      case 'alive':
        return;
      case 'service':
        of.readerSeenAt = clock.monotonic();
        hearService(message);
        return;
      case 'over':
        of.why = message.why;
        of.serviceLost = message.serviceLost;
        return;
      case 'trouble':
        log.warn('Trouble in the reader process', { what: message.what, why: message.why });
        return;
      default:
        book.hear(message);
    }
  };

  const begin = (): Life => {
    const now = clock.monotonic();
    const begun: Life = {
      process: spawnProcess(),
      heardAt: now,
      lookedAt: now,
      spoke: false,
      readerSeenAt: now,
      ended: new AbortController(),
      why: '',
      serviceLost: false,
    };
    begun.process.onExit((how) => {
      if (begun.why === '') begun.why = how;
      begun.ended.abort();
    });
    begun.process.onMessage((received) => {
      if (begun.ended.signal.aborted || stopped.signal.aborted) return;
      begun.heardAt = clock.monotonic();
      begun.spoke = true;
      const message = readFromReader(received);
      if (message === null) log.warn('The reader process said something that is no message');
      else hear(begun, message);
    });
    begun.process.send(toWire({ kind: 'start', looks: book.looks() }));
    return begun;
  };

  /** The reason to end this life now, or null. */
  const faultIn = (of: Life): string | null => {
    const now = clock.monotonic();
    // This thread was blocked or the machine slept: what the child said meanwhile is still in the line.
    if (now - of.lookedAt > 3 * checkEvery) of.heardAt = now;
    of.lookedAt = now;
    if (now - of.heardAt > (of.spoke ? heartbeatLost : firstWordWithin)) return 'no heartbeat';
    if (book.readers() > 0 || service !== 'up') of.readerSeenAt = now;
    return now - of.readerSeenAt > noReaderFor ? noReader : null;
  };

  /** Lives one life to its end; the reason of it. */
  const live = async (): Promise<LifeEnd> => {
    const now = begin();
    life = now;
    while (!now.ended.signal.aborted && !stopped.signal.aborted) {
      await clock.sleep(checkEvery, AbortSignal.any([now.ended.signal, stopped.signal]));
      const fault = now.ended.signal.aborted ? null : faultIn(now);
      if (fault === null) continue;
      now.why = fault;
      now.process.kill();
      now.ended.abort();
    }
    now.process.kill();
    life = null;
    book.processEnded();
    // Counters begin anew with the card service, so what they said before is worth nothing.
    if (now.serviceLost) book.forget();
    return { why: now.why, expected: now.serviceLost || now.why === noReader };
  };

  /** Milliseconds to the next life. Only lives that end early by themselves make it longer. */
  const pauseAfter = (end: LifeEnd, lived: number): number => {
    if (!end.expected) quickEnds = lived >= steadyAfter ? 0 : quickEnds + 1;
    return end.expected ? firstBackOff : Math.min(mostBackOff, firstBackOff * 2 ** Math.min(quickEnds, 10));
  };

  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const from = clock.monotonic();
      const end = await live().catch(
        (error: unknown): LifeEnd => ({ why: `cannot be started: ${String(error)}`, expected: false }),
      );
      if (stopped.signal.aborted) return;
      const afterMs = pauseAfter(end, clock.monotonic() - from);
      const say = end.expected ? log.info : log.warn;
      say('The reader process is started again', { why: end.why, afterMs });
      if (quickEnds >= failingAfter) tellService('failing');
      await clock.sleep(afterMs, stopped.signal);
    }
  };

  return {
    start: (core) => {
      tellCore = core;
      tellService('starting');
      running = run();
    },
    feedback: (reader, what) => life?.process.send(toWire({ kind: 'feedback', reader, what })),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
