/**
 * One insertion: the time of one card on a reader, from its arrival to its outcome and its removal.
 *
 *     open ──UID──► identified ──outcome──► settled ──card leaves──► removed
 *       └───────────────┴─card leaves──► left, outcome within 250 ms ──► settled, removed
 *
 * Invariants:
 * - Exactly one outcome is sent.
 * - A card whose UID was sent is never `unread`.
 * - At most one `removed` is sent, after the outcome.
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
  /** Sends the card's identity, once. After that the outcome is a `card`. */
  readonly identify: (card: CardIdentity) => void;
  /** Sends the outcome, unless one was sent. */
  readonly settle: (outcome: Outcome) => void;
  /**
   * The card left. `counter` is the reader's count afterwards. Without an outcome within 250 ms the card counts as
   * removed too early.
   */
  readonly leave: (counter: number) => void;
};

type Ports = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly reader: string;
  /** Number of the insertion on this reader. */
  readonly number: number;
  readonly send: (message: FromReader) => void;
};

/** Time for the outcome of a card that left during the read. */
const pulledAfterMs = 250;

/** Opens an insertion. The caller has sent `inserted`. */
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

/** The outcome of a card with a known UID. Any other fault concerns its message only. */
export function cardOf(identity: CardIdentity, outcome: Outcome): Extract<Outcome, { kind: 'card' }> {
  if (outcome.kind === 'card') return outcome;
  return { kind: 'card', card: { ...identity, ndef: { state: 'failed', reason: outcome.reason } } };
}

/** The outcome of a card that was not read. */
export function unread(reason: UnreadReason): Outcome {
  return { kind: 'unread', reason };
}
