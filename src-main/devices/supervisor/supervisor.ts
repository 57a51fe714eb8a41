/**
 * The reader driver of the core: keeps one reader process alive and converts its messages to reader events.
 *
 *     starting ──start, statuses──► running ──heartbeat lost 5 s, no reader for 60 s──► killed
 *         ▲                            │ `exiting`, exit, crash                             │
 *         └──── backoff ◄──────────────┴────────────────────────────────────────────────────┘
 *
 * Invariants:
 * - At most one reader process runs.
 * - Every insertion gets its outcome, at the latest when the process ends. If the UID was not read by then, the next
 *   process reads the card again once, as a new insertion.
 * - Anything that is not a message is logged and discarded.
 * - Events are delivered in order, one at a time.
 */
import type {
  Clock,
  Log,
  ReaderDriver,
  ReaderEvent,
  ReaderServiceState,
} from '../../core/foundations/ports.ts';
import { createReaderRegistry } from './reader-registry.ts';
import {
  type ReaderProcess,
  type ReaderRun,
  type RunEnd,
  type RunMessage,
  startReaderRun,
} from './reader-run.ts';

type Ports = {
  readonly clock: Clock;
  readonly log: Log;
  readonly spawnProcess: () => ReaderProcess;
};

const firstBackoffMs = 100;
const maxBackoffMs = 2000;
/** A run that lasts this long is not a quick failure. */
const steadyAfterMs = 10_000;
/** After this many quick failures in a row the service counts as failing. */
const failingAfter = 3;

/** Creates the driver. Nothing runs before `start`. */
export function createNfcDriver({ clock, log, spawnProcess }: Ports): ReaderDriver {
  const stopped = new AbortController();
  let tellCore: ((event: ReaderEvent) => void) | null = null;
  let service: ReaderServiceState | null = null;
  let current: ReaderRun | null = null;
  let running: Promise<void> = Promise.resolve();
  const tell = createEventQueue((event: ReaderEvent) => tellCore?.(event));
  const registry = createReaderRegistry(tell);

  const tellService = (state: ReaderServiceState): void => {
    if (service === state) return;
    service = state;
    tell({ kind: 'service', state });
  };

  const receiveService = (message: Extract<RunMessage, { kind: 'service' }>): void => {
    // Counters restart at zero with the card service.
    if (message.state === 'absent') registry.forget();
    if (service === message.state) return;
    if (message.state === 'failing') log.error('The badge readers cannot be used', { why: message.why });
    else if (message.state === 'silent') log.error('The card service does not answer');
    else log.info('Card service', { state: message.state });
    tellService(message.state);
  };

  const receive = (message: RunMessage): void => {
    if (message.kind === 'service') receiveService(message);
    else if (message.kind === 'polling') {
      const { reader, foundMs, everyMs } = message;
      log.info('Polling interval of the reader', { reader, foundMs, everyMs });
      registry.receive(message);
    } else if (message.kind !== 'warning') registry.receive(message);
    else log.warn('Error in the reader process', { what: message.what, why: message.why });
  };

  const runOnce = async (): Promise<RunEnd> => {
    const statuses = registry.statuses();
    const run = startReaderRun({ clock, log, spawnProcess, statuses, receive, stopped: stopped.signal });
    current = run;
    const end = await run.toEnd(() => registry.readers() === 0 && service === 'up');
    current = null;
    registry.processEnded();
    return end;
  };

  const keepRunning = async (): Promise<void> => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      const startedAt = clock.monotonic();
      const end = await runOnce().catch(cannotBeStarted);
      if (stopped.signal.aborted) return;
      if (!end.expected) failures = clock.monotonic() - startedAt >= steadyAfterMs ? 0 : failures + 1;
      const afterMs = end.expected ? firstBackoffMs : backoffMs(failures);
      const say = end.expected ? log.info : log.warn;
      say('The reader process is started again', { why: end.why, afterMs });
      if (failures >= failingAfter) tellService('failing');
      await clock.sleep(afterMs, stopped.signal);
    }
  };

  return {
    start: (core) => {
      tellCore = core;
      tellService('starting');
      running = keepRunning();
    },
    feedback: (reader, what) => current?.send({ kind: 'feedback', reader, what }),
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

function cannotBeStarted(error: unknown): RunEnd {
  return { why: `cannot be started: ${String(error)}`, expected: false };
}

/** Milliseconds until the next run after this many quick failures in a row. */
function backoffMs(failures: number): number {
  return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 10));
}

/**
 * Returns a function that sends events to `deliver` in order, one at a time. An event sent during a delivery waits for
 * its end, so a listener is never re-entered.
 */
function createEventQueue<E>(deliver: (event: E) => void): (event: E) => void {
  const waiting: E[] = [];
  let delivering = false;
  return (event) => {
    waiting.push(event);
    if (delivering) return;
    delivering = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
    } finally {
      delivering = false;
    }
  };
}
