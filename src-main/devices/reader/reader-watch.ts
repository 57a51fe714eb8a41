/**
 * Observes one reader inside the reader process: converts raw status words to insertions and outcomes.
 *
 *              present                          outcome sent
 *     EMPTY ───────────► INSERTION, open ──────────────────► INSERTION, settled
 *       ▲                     │ empty: outcome within 250 ms      │ empty
 *       └─────────────────────┴───────────────────────────────────┘  `removed` sent, after the outcome
 *
 * Invariants:
 * - Every `inserted` gets exactly one `card` or `unread`, then at most one `removed`.
 * - Commands to the card never overlap.
 * - An insertion ends after 3 s, as `mute` if there is no UID. If a command still hangs 2 s later, `stuck` reports that
 *   this process is unusable.
 */
import type { Clock, ReaderFeedback } from '../../core/foundations/ports.ts';
import type { CardPort } from '../card/card-port.ts';
import { createCardSession } from './card-session.ts';
import { feedbackCommand, isAcr122u, silenceAutoBeep } from './feedback.ts';
import { type Insertion, openInsertion, unread } from './insertion.ts';
import type { FromReader } from './messages.ts';
import { type PollCommands, pollCommandsOf } from './poll-interval.ts';
import { createReadStrategies } from './read-strategies.ts';
import { changeBetween, type ReaderStatus, statusOfState } from './reader-status.ts';

/** Time limits: from insertion to outcome, and from the outcome until a command counts as hanging. */
const insertionBudgetMs = 3000;
const stuckAfterMs = 2000;

export type ReaderWatch = {
  /** A raw status word. */
  readonly status: (state: number) => void;
  /** Shows `what` on the reader, if it can and its card is still present. */
  readonly feedback: (what: ReaderFeedback) => void;
  /** The reader was unplugged, or its service is gone: this ends the open insertion. */
  readonly gone: () => void;
};

type Ports = {
  readonly reader: string;
  readonly card: CardPort;
  readonly clock: Clock;
  readonly send: (message: FromReader) => void;
  /** Called when a command to the card hangs. */
  readonly stuck: () => void;
  /** The status of this reader in the previous process, or null. */
  readonly known: ReaderStatus | null;
};

/** Starts to observe a reader. Call `status` for every status word of the native reader. */
export function createReaderWatch({ reader, card, clock, send, stuck, known }: Ports): ReaderWatch {
  const session = createCardSession(card, clock, createReadStrategies(reader));
  const queue = createSerialQueue((error) =>
    send({ kind: 'warning', what: 'work on a reader failed', why: String(error).slice(0, 500) }),
  );
  let last = known;
  let current: Insertion | null = null;
  let insertions = 0;

  const begin = (counter: number): void => {
    insertions += 1;
    const insertion = openInsertion({ clock, reader, number: insertions, send });
    current = insertion;
    send({ kind: 'inserted', reader, insertion: insertions, counter });
    void limit(insertion);
    queue.add(() => session.read(insertion));
  };

  /** Settles with `mute` after the time limit, and calls `stuck` if the queue does not advance after that. */
  const limit = async ({ settled, settle }: Insertion): Promise<void> => {
    await clock.sleep(insertionBudgetMs, settled);
    if (settled.aborted) return;
    settle(unread('mute'));
    const idle = new AbortController();
    void queue.idle().then(() => idle.abort());
    await clock.sleep(stuckAfterMs, idle.signal);
    if (!idle.signal.aborted) stuck();
  };

  const end = (counter: number, atOnce: boolean): void => {
    const ended = current;
    if (ended === null) return;
    current = null;
    ended.leave(counter);
    if (atOnce) ended.settle(unread('pulled'));
    queue.add(() => session.disconnect('leave'));
  };

  /** A driver may refuse the new interval. So the interval is read back, not assumed. */
  const shortenPollInterval = async ({ read, settingOf }: PollCommands): Promise<void> => {
    const found = settingOf(await card.control(read));
    if (found === null) return;
    let { everyMs } = found;
    if (found.shorten !== null) {
      const now = await card.control(found.shorten).then(
        () => card.control(read).then(settingOf),
        () => null,
      );
      everyMs = now?.everyMs ?? found.everyMs;
    }
    send({ kind: 'polling', reader, foundMs: found.everyMs, everyMs });
  };

  if (isAcr122u(reader)) {
    queue.add(() =>
      card.control(silenceAutoBeep()).then(
        () => undefined,
        () => undefined,
      ),
    );
  }

  const polling = pollCommandsOf(reader);
  if (polling !== null) queue.add(() => shortenPollInterval(polling).catch(() => undefined));

  return {
    status: (state) => {
      const first = last === null;
      const { status, removed, missed, inserted } = changeBetween(last, statusOfState(state));
      last = status;
      const { counter } = status;
      if (first && !inserted) send({ kind: 'empty', reader, counter });
      if (removed) end(counter, missed > 0 || inserted);
      if (missed > 0) send({ kind: 'missed', reader, count: missed, counter });
      if (inserted) begin(counter);
    },
    feedback: (what) => {
      if (!isAcr122u(reader)) return;
      queue.add(() => session.transmit(feedbackCommand(what)).catch(() => undefined));
    },
    gone: () => end(last?.counter ?? 0, true),
  };
}

type SerialQueue = {
  readonly add: (work: () => Promise<void>) => void;
  /** Resolves when every task added so far is done. */
  readonly idle: () => Promise<void>;
};

/** Runs tasks one after the other. The error of a task is passed to `failed` and does not stop the next one. */
function createSerialQueue(failed: (error: unknown) => void): SerialQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    add: (work) => {
      last = last.then(work).catch(failed);
    },
    idle: () => last,
  };
}
