/**
 * One insertion: the stay of one card on a reader, from its coming to its outcome and its removal.
 *
 * ```
 *   open ──UID──► identified ──outcome──► settled ──card leaves──► removed
 *     └───────────────┴─card leaves──► left, outcome within 250 ms ──► settled, removed
 * ```
 *
 * Invariants: exactly one outcome is sent, whatever is tried afterwards; a card whose UID was sent is never `unread`;
 * at most one `removed`, after the outcome.
 */
import type { CardIdentity, NfcCard } from '../../core/foundations/badge/nfc-card.ts';
import type { Clock, UnreadReason } from '../../core/foundations/ports.ts';
import type { FromReader } from './messages.ts';

/** How an insertion ended. */
export type Outcome =
  | { readonly kind: 'card'; readonly card: NfcCard }
  | { readonly kind: 'unread'; readonly reason: UnreadReason };

export type Insertion = {
  /** Aborts when the outcome is sent. */
  readonly settled: AbortSignal;
  readonly hasLeft: () => boolean;
  /** Sends who the card is, once: from now on the outcome is a card. */
  readonly identify: (card: CardIdentity) => void;
  /** Sends the outcome, unless there is one. */
  readonly settle: (outcome: Outcome) => void;
  /** The card left, with the reader's counter after it: without an outcome within 250 ms it was pulled. */
  readonly leave: (counter: number) => void;
};

type Ports = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly reader: string;
  /** Number of the insertion on this reader. */
  readonly number: number;
  readonly send: (message: FromReader) => void;
};

/** For the outcome of a card that left while it was read. */
const pulledAfterMs = 250;

/** Opens an insertion; that it began is sent by the caller. */
export function openInsertion({ clock, reader, number, send }: Ports): Insertion {
  const settled = new AbortController();
  let leftAt: number | null = null;
  let identity: CardIdentity | null = null;

  const identify = (card: CardIdentity): void => {
    if (settled.signal.aborted || identity !== null) return;
    identity = card;
    send({ kind: 'uid', uid: card.uid, atr: card.atr, reader, insertion: number });
  };

  const settle = (outcome: Outcome): void => {
    if (settled.signal.aborted) return;
    settled.abort();
    send({ ...(identity === null ? outcome : cardOf(identity, outcome)), reader, insertion: number });
    if (leftAt !== null) send({ kind: 'removed', reader, insertion: number, counter: leftAt });
  };

  const leave = (counter: number): void => {
    leftAt = counter;
    if (settled.signal.aborted) send({ kind: 'removed', reader, insertion: number, counter });
    else void clock.sleep(pulledAfterMs, settled.signal).then(() => settle(unread('pulled')));
  };

  return { settled: settled.signal, hasLeft: () => leftAt !== null, identify, settle, leave };
}

/** The outcome of a card whose UID is known: what else went wrong is about its message only. */
export function cardOf(identity: CardIdentity, outcome: Outcome): Extract<Outcome, { kind: 'card' }> {
  if (outcome.kind === 'card') return outcome;
  return { kind: 'card', card: { ...identity, ndef: { state: 'failed', reason: outcome.reason } } };
}

/** The outcome of a card that was not read. */
export function unread(reason: UnreadReason): Outcome {
  return { kind: 'unread', reason };
}
