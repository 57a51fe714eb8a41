/**
 * The connection to the cards of one reader, and what is read over it within an insertion's time.
 *
 * Invariants: one connection at a time; what a card answers after its insertion was settled is dropped; an insertion
 * that was read without success is settled with the reason of the last try.
 */
import { meaningOfUid } from '../../core/badge/uid.ts';
import type { Clock, NdefReading, UnreadReason } from '../../core/ports.ts';
import { type CardFault, type CardPort, faultOf } from '../card/card-port.ts';
import { type Exchange, isDesfireAtr, readNdef, readUid } from '../card/read-card.ts';
import { type Insertion, unread } from './insertion.ts';

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

/** None of its calls may overlap. */
export type CardSession = {
  /** Reads the card of this insertion and settles it. */
  readonly read: (insertion: Insertion) => Promise<void>;
  /** Sends a command to the card that was read; does nothing without a connection. */
  readonly transmit: (command: Uint8Array) => Promise<void>;
  /** Ends the connection, if there is one. */
  readonly disconnect: (how: 'leave' | 'reset') => Promise<void>;
};

type UidResult = { readonly uid: string } | { readonly reason: UnreadReason };

/** A session over `card`, not connected. */
export function createCardSession(card: CardPort, clock: Pick<Clock, 'sleep'>): CardSession {
  let connected = false;

  const disconnect = async (how: 'leave' | 'reset'): Promise<void> => {
    if (!connected) return;
    connected = false;
    await card.disconnect(how);
  };

  const connect = async (insertion: Insertion): Promise<void> => {
    await connectWithRetries(card, clock, insertion);
    connected = true;
  };

  /** One try at the UID; a card that could not be reached leaves the connection reset. */
  const tryUid = async (insertion: Insertion): Promise<UidResult> => {
    const reasonUnlessLeft = (reason: UnreadReason) => (insertion.hasLeft() ? 'pulled' : reason);
    try {
      await disconnect('leave');
      await connect(insertion);
      const reading = await run(readUid(), card, insertion);
      if (reading.kind === 'uid') return { uid: reading.uid };
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
    if ('uid' in result) await readMessage(insertion, result.uid);
    else insertion.settle(unread(result.reason));
  };

  /** The NDEF message of a card whose UID is known and counts, whatever comes of the message. */
  const readMessage = async (insertion: Insertion, uid: string): Promise<void> => {
    const { atr, settled, settle } = insertion;
    const settleWith = (ndef: NdefReading) => settle({ kind: 'card', card: { uid, atr, ndef } });
    // A phone is refused whatever its memory says, and asking it for an application wakes its wallet.
    const isPhone = meaningOfUid(uid, atr) === 'phone' && !isDesfireAtr(atr);
    if (isPhone) return settleWith({ state: 'none' });
    void clock.sleep(ndefBudgetMs, settled).then(() => settleWith({ state: 'timeout' }));
    settleWith(
      await run(readNdef(atr), card, insertion).catch(
        // The UID is known and counts; that the card left during the rest is an outcome, not a fault.
        (error: unknown): NdefReading => ({ state: 'failed', reason: faultOf(error) }),
      ),
    );
  };

  return {
    read,
    disconnect,
    transmit: async (command) => {
      if (connected) await card.transmit(command);
    },
  };
}

async function connectWithRetries(
  card: CardPort,
  clock: Pick<Clock, 'sleep'>,
  insertion: Insertion,
): Promise<void> {
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

/** Runs an exchange to its end. @throws {Error} of the card port, or when the insertion is settled meanwhile */
async function run<T>(exchange: Exchange<T>, card: CardPort, insertion: Insertion): Promise<T> {
  let step = exchange.next();
  while (step.done !== true) {
    if (insertion.settled.aborted) throw new Error('The insertion is settled');
    step = exchange.next(await card.transmit(step.value));
  }
  return step.value;
}
