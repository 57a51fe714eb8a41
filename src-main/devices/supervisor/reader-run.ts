/**
 * One run of the reader process, from its start to its end.
 *
 * Invariants:
 * - A run ends when its process exits. The process is killed after 5 s without a message (15 s before the first one),
 *   after a minute without an expected reader, or when `stopped` aborts.
 * - Messages after its end are discarded.
 */
import type { Clock, Log } from '../../core/foundations/ports.ts';
import {
  type FromReader,
  type KnownStatus,
  parseFromReader,
  type ToReader,
  toWire,
} from '../reader/messages.ts';

/** A running reader process. `kill` must end it at once. */
export type ReaderProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (hear: (message: unknown) => void) => void;
  readonly onExit: (hear: (how: string) => void) => void;
  readonly kill: () => void;
};

/** The messages that the supervisor handles. */
export type RunMessage = Exclude<FromReader, { kind: 'heartbeat' | 'exiting' }>;

/** Why a run ended. `expected`: it was killed because a reader was missing, not because of a fault. */
export type RunEnd = { readonly why: string; readonly expected: boolean };

export type ReaderRun = {
  readonly send: (message: ToReader) => void;
  /** Supervises the run to its end. `lacksReader` returns whether an expected reader is missing. */
  readonly toEnd: (lacksReader: () => boolean) => Promise<RunEnd>;
};

type Ports = {
  readonly clock: Clock;
  readonly log: Log;
  readonly spawnProcess: () => ReaderProcess;
  /** The statuses of the readers in the previous run. */
  readonly statuses: readonly KnownStatus[];
  readonly receive: (message: RunMessage) => void;
  /** Ends the run when it aborts. */
  readonly stopped: AbortSignal;
};

const heartbeatLostMs = 5000;
const firstMessageWithinMs = 15_000;
const noReaderForMs = 60_000;
const checkEveryMs = 500;

const noReader = 'no reader for a minute';

/** Starts a reader process. @throws when the start fails */
export function startReaderRun({ clock, log, spawnProcess, statuses, receive, stopped }: Ports): ReaderRun {
  const child = spawnProcess();
  const ended = new AbortController();
  const startedAt = clock.monotonic();
  let heardAt = startedAt;
  let checkedAt = startedAt;
  let readerSeenAt = startedAt;
  let heard = false;
  let why = '';

  const receiveAny = (received: unknown): void => {
    if (ended.signal.aborted || stopped.aborted) return;
    heardAt = clock.monotonic();
    heard = true;
    const message = parseFromReader(received);
    if (message === null) log.warn('The reader process sent an invalid message');
    else if (message.kind === 'exiting') why = message.why;
    else if (message.kind !== 'heartbeat') {
      if (message.kind === 'service') readerSeenAt = heardAt;
      receive(message);
    }
  };

  /** The reason to end this run now, or null. */
  const fault = (lacksReader: boolean): string | null => {
    const now = clock.monotonic();
    // This thread was blocked or the machine slept. The child's messages of that time are still in the channel.
    if (now - checkedAt > 3 * checkEveryMs) heardAt = now;
    checkedAt = now;
    if (now - heardAt > (heard ? heartbeatLostMs : firstMessageWithinMs)) return 'no heartbeat';
    if (!lacksReader) readerSeenAt = now;
    return now - readerSeenAt > noReaderForMs ? noReader : null;
  };

  child.onExit((how) => {
    if (why === '') why = how;
    ended.abort();
  });
  child.onMessage(receiveAny);
  child.send(toWire({ kind: 'start', statuses }));

  return {
    send: (message) => child.send(toWire(message)),
    toEnd: async (lacksReader) => {
      const over = AbortSignal.any([ended.signal, stopped]);
      while (!over.aborted) {
        await clock.sleep(checkEveryMs, over);
        const found = ended.signal.aborted ? null : fault(lacksReader());
        if (found === null) continue;
        why = found;
        ended.abort();
      }
      child.kill();
      ended.abort();
      return { why, expected: why === noReader };
    },
  };
}
