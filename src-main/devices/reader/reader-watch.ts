/**
 * Watches one reader inside the reader process: from raw status words to insertions and their outcomes.
 *
 * ```
 *            present                       outcome told
 *   EMPTY ───────────► VISIT, reading ──────────────────► VISIT, resting
 *     ▲                     │ empty: outcome within 250 ms      │ empty
 *     └─────────────────────┴───────────────────────────────────┘  `removed` told, after the outcome
 * ```
 *
 * Invariants: every `inserted` gets exactly one `card` or `unread`, then at most one `removed`; commands to the card
 * never overlap; what a card answers after its visit ended is dropped. A command that never returns ends the visit
 * as `mute` after 3 s; when it still hangs 2 s later, `stuck` says that this process is of no more use.
 */
import { meaningOfUid } from '../../core/badge/uid.ts';
import type { CardReading, Clock, NdefReading, ReaderFeedback, UnreadReason } from '../../core/ports.ts';
import { hexOf } from '../card/apdu.ts';
import { type CardFault, type CardPort, faultOf } from '../card/card-port.ts';
import { readNdef, readUid, type Talk } from '../card/read-card.ts';
import { feedbackCommand, hasLightAndBuzzer, silenceAutoBeep } from './feedback.ts';
import type { FromReader } from './messages.ts';
import { changeBetween, lookOfState, type ReaderLook } from './reader-status.ts';

/** Milliseconds: whole visit until an outcome must be told, and the parts of it. */
const visitBudget = 3000;
const ndefBudget = 800;
const stuckAfter = 2000;
const pulledGrace = 250;
const retryAfter = 150;
const sharedRetryAfter = 100;
const sharedRetries = 3;

export type ReaderWatch = {
  /** A raw status word, and the ATR when a card is there. */
  readonly status: (state: number, atr: Uint8Array | undefined) => void;
  /** Shows `what` on the reader, if it can and its card is still there. */
  readonly feedback: (what: ReaderFeedback) => void;
  /** The reader was unplugged: ends what is open. */
  readonly gone: () => void;
};

type Ports = {
  readonly reader: string;
  readonly card: CardPort;
  readonly clock: Clock;
  readonly tell: (message: FromReader) => void;
  /** A command to the card does not come back. */
  readonly stuck: () => void;
  /** How a former process last saw this reader, or null. */
  readonly known: ReaderLook | null;
};

/** One stay of a card on the reader. */
type Visit = {
  readonly number: number;
  readonly atr: string;
  /** Aborts when the outcome is told. */
  readonly settled: AbortController;
  /** The counter when the card left, or null while it is there. */
  leftAt: number | null;
};

type Outcome =
  | { readonly kind: 'card'; readonly card: CardReading }
  | { readonly kind: 'unread'; readonly reason: UnreadReason };

function unread(reason: UnreadReason): Outcome {
  return { kind: 'unread', reason };
}

const unreadByFault: Readonly<Record<CardFault, UnreadReason>> = {
  gone: 'pulled',
  mute: 'mute',
  shared: 'busy',
  denied: 'busy',
  service: 'missed',
  other: 'mute',
};

/** Begins to watch a reader; `status` must be called for every status word the native reader gives. */
export function createReaderWatch(ports: Ports): ReaderWatch {
  const { reader, card, clock, tell } = ports;
  let look = ports.known;
  let visit: Visit | null = null;
  let visits = 0;
  let connected = false;
  let chain: Promise<void> = Promise.resolve();

  /** Queues work on the reader; nothing on one reader ever overlaps. */
  const inTurn = (work: () => Promise<void>): void => {
    chain = chain.then(work).catch((error: unknown) => {
      tell({ kind: 'trouble', what: 'work on a reader failed', why: String(error).slice(0, 500) });
    });
  };

  const settle = (of: Visit, outcome: Outcome): void => {
    if (of.settled.signal.aborted) return;
    of.settled.abort();
    tell({ ...outcome, reader, visit: of.number });
    if (of.leftAt !== null) tell({ kind: 'removed', reader, visit: of.number, counter: of.leftAt });
  };

  const begin = (counter: number, atr: string): void => {
    visits += 1;
    const begun: Visit = { number: visits, atr, settled: new AbortController(), leftAt: null };
    visit = begun;
    tell({ kind: 'inserted', reader, visit: begun.number, counter });
    void guard(begun);
    inTurn(() => readVisit(begun));
  };

  /** The promise of 3 s: `mute`, and later `stuck` if the reader's queue does not move. */
  const guard = async (of: Visit): Promise<void> => {
    await clock.sleep(visitBudget, of.settled.signal);
    if (of.settled.signal.aborted) return;
    settle(of, unread('mute'));
    const moved = new AbortController();
    chain.then(
      () => moved.abort(),
      () => moved.abort(),
    );
    await clock.sleep(stuckAfter, moved.signal);
    if (!moved.signal.aborted) ports.stuck();
  };

  const leave = async (of: Visit, counter: number): Promise<void> => {
    of.leftAt = counter;
    if (of.settled.signal.aborted) {
      tell({ kind: 'removed', reader, visit: of.number, counter });
      return;
    }
    await clock.sleep(pulledGrace, of.settled.signal);
    settle(of, unread('pulled'));
  };

  const end = (counter: number, atOnce: boolean): void => {
    if (visit === null) return;
    const left = visit;
    visit = null;
    void leave(left, counter);
    if (atOnce) settle(left, unread('pulled'));
    inTurn(() => disconnect('leave'));
  };

  const disconnect = async (how: 'leave' | 'reset'): Promise<void> => {
    if (!connected) return;
    connected = false;
    await card.disconnect(how);
  };

  const connect = async (of: Visit): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await card.connect();
        connected = true;
        return;
      } catch (error) {
        const shared = faultOf(error) === 'shared';
        if (of.settled.signal.aborted || of.leftAt !== null || attempt >= (shared ? sharedRetries : 1))
          throw error;
        await clock.sleep(shared ? sharedRetryAfter : retryAfter);
      }
    }
  };

  const converse = async <T>(talk: Talk<T>, of: Visit): Promise<T> => {
    let step = talk.next();
    while (step.done !== true) {
      if (of.settled.signal.aborted) throw new Error('The visit is over');
      step = talk.next(await card.transmit(step.value));
    }
    return step.value;
  };

  /** One try at the UID; a card that could not be reached leaves the connection reset. */
  const askUid = async (of: Visit): Promise<{ readonly uid: string } | { readonly reason: UnreadReason }> => {
    try {
      await disconnect('leave');
      await connect(of);
      const reading = await converse(readUid(), of);
      if (reading.kind === 'uid') return { uid: reading.uid };
      await disconnect('reset');
      return { reason: of.leftAt === null ? 'mute' : 'pulled' };
    } catch (error) {
      await disconnect('reset');
      return { reason: of.leftAt === null ? unreadByFault[faultOf(error)] : 'pulled' };
    }
  };

  const readVisit = async (of: Visit): Promise<void> => {
    if (of.settled.signal.aborted) return;
    let asked = await askUid(of);
    if (!('uid' in asked) && asked.reason !== 'busy' && of.leftAt === null && !of.settled.signal.aborted) {
      await clock.sleep(retryAfter, of.settled.signal);
      asked = await askUid(of);
    }
    if (!('uid' in asked)) {
      settle(of, unread(asked.reason));
      return;
    }
    const { uid } = asked;
    const told = (ndef: NdefReading) => settle(of, { kind: 'card', card: { uid, atr: of.atr, ndef } });
    // A phone is refused whatever its memory says, and asking it for an application wakes its wallet.
    if (meaningOfUid(uid, of.atr) === 'phone') {
      told({ state: 'none' });
      return;
    }
    void clock.sleep(ndefBudget, of.settled.signal).then(() => told({ state: 'timeout' }));
    told(await askNdef(of));
  };

  const askNdef = async (of: Visit): Promise<NdefReading> => {
    try {
      return await converse(readNdef(of.atr), of);
    } catch (error) {
      // The UID is known and counts; that the card left during the rest is an outcome, not a fault.
      return { state: 'failed', reason: faultOf(error) };
    }
  };

  if (hasLightAndBuzzer(reader)) inTurn(() => card.control(silenceAutoBeep()).catch(() => undefined));

  return {
    status: (state, atr) => {
      const first = look === null;
      const change = changeBetween(look, lookOfState(state));
      look = change.look;
      const { counter } = look;
      if (first && !change.inserted) tell({ kind: 'empty', reader, counter });
      if (change.removed) end(counter, change.missed > 0 || change.inserted);
      if (change.missed > 0) tell({ kind: 'missed', reader, count: change.missed, counter });
      if (change.inserted) begin(counter, hexOf(atr ?? new Uint8Array()));
    },
    feedback: (what) => {
      if (!hasLightAndBuzzer(reader)) return;
      inTurn(async () => {
        if (!connected) return;
        await card.transmit(feedbackCommand(what)).catch(() => undefined);
      });
    },
    gone: () => end(look?.counter ?? 0, true),
  };
}
