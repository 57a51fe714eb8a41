/**
 * Watches one reader inside the reader process: from raw status words to insertions and their outcomes.
 *
 * ```
 *            present                          outcome sent
 *   EMPTY ───────────► INSERTION, open ──────────────────► INSERTION, settled
 *     ▲                     │ empty: outcome within 250 ms      │ empty
 *     └─────────────────────┴───────────────────────────────────┘  `removed` sent, after the outcome
 * ```
 *
 * Invariants: every `inserted` gets exactly one `card` or `unread`, then at most one `removed`; commands to the card
 * never overlap. A command that never returns ends the insertion as `mute` after 3 s; when it still hangs 2 s later,
 * `stuck` says that this process is of no more use.
 */
import type { Clock, ReaderFeedback } from '../../core/foundations/ports.ts';
import type { CardPort } from '../card/card-port.ts';
import { createCardSession } from './card-session.ts';
import { feedbackCommand, hasLightAndBuzzer, silenceAutoBeep } from './feedback.ts';
import { type Insertion, openInsertion, unread } from './insertion.ts';
import type { FromReader } from './messages.ts';
import { hasPollInterval, pollSettingOf, readPollSetting } from './poll-interval.ts';
import { createReadManners } from './read-manners.ts';
import { changeBetween, type ReaderStatus, statusOfState } from './reader-status.ts';
import { createSerialQueue } from './serial-queue.ts';

/** From insertion to outcome, and from there until a command counts as lost. */
const insertionBudgetMs = 3000;
const stuckAfterMs = 2000;

export type ReaderWatch = {
  /** A raw status word. */
  readonly status: (state: number) => void;
  /** Shows `what` on the reader, if it can and its card is still there. */
  readonly feedback: (what: ReaderFeedback) => void;
  /** The reader was unplugged, or its service is gone: ends what is open. */
  readonly gone: () => void;
};

type Ports = {
  readonly reader: string;
  readonly card: CardPort;
  readonly clock: Clock;
  readonly send: (message: FromReader) => void;
  /** A command to the card does not come back. */
  readonly stuck: () => void;
  /** The status a former process last saw of this reader, or null. */
  readonly known: ReaderStatus | null;
};

/** Begins to watch a reader; `status` must be called for every status word the native reader gives. */
export function createReaderWatch({ reader, card, clock, send, stuck, known }: Ports): ReaderWatch {
  const session = createCardSession(card, clock, createReadManners(reader));
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

  /** `mute` after the budget, and `stuck` if the queue does not move after that. */
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

  /** A driver may refuse; then the reader looks as often as it did. What it does now is read, not assumed. */
  const shortenPollInterval = async (): Promise<void> => {
    const found = pollSettingOf(await card.control(readPollSetting()));
    if (found === null) return;
    let { everyMs } = found;
    if (found.shorten !== null) {
      const now = await card.control(found.shorten).then(
        () => card.control(readPollSetting()).then(pollSettingOf),
        () => null,
      );
      everyMs = now?.everyMs ?? found.everyMs;
    }
    send({ kind: 'polling', reader, foundMs: found.everyMs, everyMs });
  };

  if (hasLightAndBuzzer(reader)) {
    queue.add(() =>
      card.control(silenceAutoBeep()).then(
        () => undefined,
        () => undefined,
      ),
    );
  }

  if (hasPollInterval(reader)) {
    queue.add(() => shortenPollInterval().catch(() => undefined));
  }

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
      if (!hasLightAndBuzzer(reader)) return;
      queue.add(() => session.transmit(feedbackCommand(what)).catch(() => undefined));
    },
    gone: () => end(last?.counter ?? 0, true),
  };
}
