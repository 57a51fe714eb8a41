/**
 * The connection to the cards of one reader, and the reading within the time of one insertion.
 *
 * Invariants:
 * - One connection at a time.
 * - Answers after the end of an insertion are discarded.
 * - An insertion without a successful read is settled with the reason of the last attempt.
 */
import type { CardIdentity, NdefReading } from '../../core/foundations/badge/nfc-card.ts';
import { meaningOfUid } from '../../core/foundations/badge/uid.ts';
import type { Clock, UnreadReason } from '../../core/foundations/ports.ts';
import { type CardFault, type CardPort, faultOf } from '../card/card-port.ts';
import type { Exchange } from '../card/exchange.ts';
import { readMessage, readUid, tagTypeOfAtr } from '../card/read-card.ts';
import { type Insertion, unread } from './insertion.ts';
import type { ReadStrategies } from './read-strategies.ts';

const ndefBudgetMs = 800;
const retryAfterMs = 150;
const sharedRetryAfterMs = 100;
const sharedRetries = 3;

const reasonByFault: Readonly<Record<CardFault, UnreadReason>> = {
  gone: 'pulled',
  mute: 'mute',
  shared: 'busy',
  denied: 'busy',
  service: 'missed',
  other: 'mute',
};

/** Its calls must not overlap. */
type CardSession = {
  /** Reads the card of this insertion and settles it. */
  readonly read: (insertion: Insertion) => Promise<void>;
  /** Sends a command to the card that was read. Without a connection it does nothing. */
  readonly transmit: (command: Uint8Array) => Promise<void>;
  /** Ends the connection, if there is one. */
  readonly disconnect: (how: 'leave' | 'reset') => Promise<void>;
};

type UidResult = CardIdentity | { readonly reason: UnreadReason };

/** A session for `card`, not connected. */
export function createCardSession(
  card: CardPort,
  clock: Pick<Clock, 'sleep'>,
  strategies: ReadStrategies,
): CardSession {
  const line = createLine(card, clock);
  const { connect, disconnect } = line;

  /** One attempt to read the UID. A card that could not be reached is disconnected with a reset. */
  const tryUid = async (insertion: Insertion): Promise<UidResult> => {
    const reasonUnlessLeft = (reason: UnreadReason) => (insertion.hasLeft() ? 'pulled' : reason);
    try {
      await disconnect('leave');
      const atr = await connect(insertion);
      const reading = await run(readUid(), card, insertion);
      if (reading.kind === 'uid') return { uid: reading.uid, atr };
      await disconnect('reset');
      return { reason: reasonUnlessLeft('mute') };
    } catch (error) {
      await disconnect('reset');
      return { reason: reasonUnlessLeft(reasonByFault[faultOf(error)]) };
    }
  };

  const read = async (insertion: Insertion): Promise<void> => {
    const { settled } = insertion;
    if (settled.aborted) return;
    let result = await tryUid(insertion);
    if (!('uid' in result) && result.reason !== 'busy' && !insertion.hasLeft() && !settled.aborted) {
      await clock.sleep(retryAfterMs, settled);
      result = await tryUid(insertion);
    }
    if ('uid' in result) await readRest(insertion, result);
    else insertion.settle(unread(result.reason));
  };

  /** Sends the UID at once, then the message or the reason why there is none. */
  const readRest = async (insertion: Insertion, identity: CardIdentity): Promise<void> => {
    const { settled, identify, settle } = insertion;
    const { uid, atr } = identity;
    const settleWith = (ndef: NdefReading) => settle({ kind: 'card', card: { uid, atr, ndef } });
    // A phone is refused regardless of its memory, and selecting an application opens its wallet. Every other card is
    // read, even one with a random UID, because an id in its message may identify the visitor.
    if (meaningOfUid(uid, atr) === 'phone') return settleWith({ state: 'none' });
    identify(identity);
    void clock.sleep(ndefBudgetMs, settled).then(() => settleWith({ state: 'timeout' }));
    settleWith(
      await readNdef(card, line, strategies, insertion, atr).catch(
        // The UID is known and sufficient. A card that leaves during the rest is an outcome, not a fault.
        (error: unknown): NdefReading => ({ state: 'failed', reason: faultOf(error) }),
      ),
    );
  };

  return {
    read,
    disconnect,
    transmit: async (command) => {
      if (line.isConnected()) await card.transmit(command);
    },
  };
}

/** The single connection to the card on the reader. */
type Line = {
  readonly isConnected: () => boolean;
  /** Resolves with the card's answer to reset. */
  readonly connect: (insertion: Insertion) => Promise<string>;
  readonly disconnect: (how: 'leave' | 'reset') => Promise<void>;
};

function createLine(card: CardPort, clock: Pick<Clock, 'sleep'>): Line {
  let connected = false;
  return {
    isConnected: () => connected,
    connect: async (insertion) => {
      const atr = await connectWithRetries(card, clock, insertion);
      connected = true;
      return atr;
    },
    disconnect: async (how) => {
      if (!connected) return;
      connected = false;
      await card.disconnect(how);
    },
  };
}

/** Reads the NDEF message. A card that stops answering after a bulk read is reset and read again in small pieces. */
async function readNdef(
  card: CardPort,
  { connect, disconnect }: Line,
  strategies: ReadStrategies,
  insertion: Insertion,
  atr: string,
): Promise<NdefReading> {
  const tag = tagTypeOfAtr(atr);
  const { ndef, bulk } = await run(readMessage(atr, strategies.of(tag)), card, insertion);
  if (bulk === 'refused') strategies.giveUp(tag);
  if (bulk !== 'lost') return ndef;
  await disconnect('reset');
  await connect(insertion);
  const again = await run(readMessage(atr, 'small'), card, insertion);
  // A card that is being removed also stops answering, so this proves nothing about the reader.
  if (again.ndef.state !== 'failed') strategies.giveUp(tag);
  return again.ndef;
}

async function connectWithRetries(
  card: CardPort,
  clock: Pick<Clock, 'sleep'>,
  insertion: Insertion,
): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await card.connect();
    } catch (error) {
      const shared = faultOf(error) === 'shared';
      const last = attempt >= (shared ? sharedRetries : 1);
      if (insertion.settled.aborted || insertion.hasLeft() || last) throw error;
      await clock.sleep(shared ? sharedRetryAfterMs : retryAfterMs);
    }
  }
}

/** Runs an exchange to its end. @throws {Error} of the card port, or if the insertion is settled before the end */
async function run<T>(exchange: Exchange<T>, card: CardPort, insertion: Insertion): Promise<T> {
  let step = exchange.next();
  while (step.done !== true) {
    if (insertion.settled.aborted) throw new Error('The insertion is settled');
    step = exchange.next(await card.transmit(step.value));
  }
  return step.value;
}
