/**
 * Keeps the state of every reader (open insertion, last status) for the supervisor, and sends reader events to the
 * core. It decodes cards to badges, so the core receives codes and no ATR.
 *
 * Invariants:
 * - An insertion number is never reused, even after a restart of the reader process or a reconnection of the reader.
 * - Every `inserted` event is followed by exactly one outcome, `card` or `unread`, at the latest when the reader
 *   process ends. If a `uid` event was sent for the insertion, the outcome is a `card`.
 * - `removed` and `detached` are sent after the outcome.
 * - Messages about a reader that is not attached are discarded, except `attached` and `polling`.
 */
import { readingOfCard } from '../../core/foundations/badge/decode.ts';
import type { CardIdentity } from '../../core/foundations/badge/nfc-card.ts';
import { openProfile } from '../../core/foundations/badge/profile.ts';
import type { ReaderEvent } from '../../core/foundations/ports.ts';
import { cardOf, type Outcome, unread } from '../reader/insertion.ts';
import type { FromReader, KnownStatus } from '../reader/messages.ts';
import type { ReaderStatus } from '../reader/reader-status.ts';

/** Messages of the reader process that concern one reader. */
type ReaderMessage = Extract<FromReader, { readonly reader: string }>;

type Interval = Extract<ReaderEvent, { kind: 'interval' }>;

type ReaderRegistry = {
  readonly receive: (message: ReaderMessage) => void;
  /**
   * Call it when the reader process ended. Sends the outcome of each open insertion and detaches the readers. Keeps
   * their statuses.
   */
  readonly processEnded: () => void;
  /** Call it when the card service stopped. Discards the statuses, because a new service restarts its counters. */
  readonly forget: () => void;
  /** The last status of each reader, for the next reader process. */
  readonly statuses: () => readonly KnownStatus[];
  /** The number of attached readers. */
  readonly readers: () => number;
};

/** The state of one reader. It is kept until the app ends. */
type Entry = {
  readonly reader: string;
  attached: boolean;
  /** The number of insertions so far. It is also the number of the latest insertion. */
  insertions: number;
  /**
   * The insertion whose card lies on the reader. `number`: its number within its reader process. `counter`: the
   * reader's event counter at the insertion. `open` until the outcome is sent. `identity` is set when the UID is
   * sent.
   */
  current: {
    readonly number: number;
    readonly counter: number;
    open: boolean;
    identity: CardIdentity | null;
  } | null;
  status: ReaderStatus | null;
  /** The polling interval of the reader. The process may report it before the reader is attached. */
  interval: Interval | null;
  /**
   * The counter of the insertion that was open when an earlier process ended. Its card is offered to the next process
   * only once.
   */
  offeredAgain: number | null;
};

type Tell = (event: ReaderEvent) => void;

/**
 * Maximum number of insertions that one `missed` message reports. The counter of a faulty driver may have any value.
 */
const maxMissed = 64;

/** An empty registry that sends events to the core through `tell`. */
export function createReaderRegistry(tell: Tell): ReaderRegistry {
  const entries = new Map<string, Entry>();

  const entryOf = (reader: string): Entry => {
    const known = entries.get(reader);
    if (known !== undefined) return known;
    const entry: Entry = {
      reader,
      attached: false,
      insertions: 0,
      current: null,
      status: null,
      interval: null,
      offeredAgain: null,
    };
    entries.set(reader, entry);
    return entry;
  };

  return {
    receive: (message) => {
      const entry = entryOf(message.reader);
      if (message.kind === 'attached') attach(entry, tell);
      else if (message.kind === 'polling') noteInterval(entry, message, tell);
      else if (entry.attached) update(entry, message, tell);
    },
    processEnded: () => {
      for (const entry of entries.values()) {
        offerAgain(entry);
        detach(entry, tell);
      }
    },
    forget: () => {
      for (const entry of entries.values()) {
        entry.status = null;
        entry.offeredAgain = null;
      }
    },
    statuses: () =>
      [...entries.values()].flatMap(({ reader, status }) => (status === null ? [] : [{ reader, ...status }])),
    readers: () => [...entries.values()].filter(({ attached }) => attached).length,
  };
}

function attach(entry: Entry, tell: Tell): void {
  if (entry.attached) return;
  entry.attached = true;
  tell({ kind: 'attached', reader: entry.reader });
  if (entry.interval !== null) tell(entry.interval);
}

function noteInterval(entry: Entry, message: Extract<ReaderMessage, { kind: 'polling' }>, tell: Tell): void {
  const { foundMs, everyMs } = message;
  entry.interval = { kind: 'interval', reader: entry.reader, foundMs, everyMs };
  if (entry.attached) tell(entry.interval);
}

function detach(entry: Entry, tell: Tell): void {
  remove(entry, tell);
  if (entry.attached) tell({ kind: 'detached', reader: entry.reader });
  entry.attached = false;
  entry.interval = null;
}

function update(
  entry: Entry,
  message: Exclude<ReaderMessage, { kind: 'attached' | 'polling' }>,
  tell: Tell,
): void {
  switch (message.kind) {
    case 'detached':
      entry.status = null;
      detach(entry, tell);
      return;
    case 'empty':
      entry.status = { present: false, counter: message.counter };
      return;
    case 'inserted':
      insert(entry, message.insertion, message.counter, tell);
      return;
    case 'missed':
      remove(entry, tell);
      entry.status = { present: false, counter: message.counter };
      miss(entry, message.count, tell);
      return;
    case 'removed':
      entry.status = { present: false, counter: message.counter };
      if (entry.current?.number === message.insertion) remove(entry, tell);
      return;
    case 'uid':
      identify(entry, message, tell);
      return;
    case 'card':
    case 'unread':
      if (entry.current?.number === message.insertion) settle(entry, message, tell);
  }
}

function insert(entry: Entry, number: number, counter: number, tell: Tell): void {
  remove(entry, tell);
  entry.insertions += 1;
  entry.current = { number, counter, open: true, identity: null };
  entry.status = { present: true, counter };
  tell({ kind: 'inserted', reader: entry.reader, insertion: entry.insertions });
}

/** Sends the UID of the current insertion, once. */
function identify(entry: Entry, message: Extract<ReaderMessage, { kind: 'uid' }>, tell: Tell): void {
  const { reader, current, insertions: insertion } = entry;
  if (current?.number !== message.insertion || !current.open || current.identity !== null) return;
  const { uid, atr } = message;
  current.identity = { uid, atr };
  tell({
    kind: 'uid',
    reader,
    insertion,
    card: readingOfCard({ uid, atr, ndef: { state: 'none' } }, openProfile),
  });
}

/** Sends the outcome of the current insertion, once. */
function settle({ reader, current, insertions: insertion }: Entry, outcome: Outcome, tell: Tell): void {
  if (current === null || !current.open) return;
  current.open = false;
  const told = current.identity === null ? outcome : cardOf(current.identity, outcome);
  if (told.kind === 'card')
    tell({ kind: 'card', reader, insertion, card: readingOfCard(told.card, openProfile) });
  else tell({ kind: 'unread', reader, insertion, reason: told.reason });
}

/** Ends the current insertion because its card left the reader. Without an outcome or a UID it counts as missed. */
function remove(entry: Entry, tell: Tell): void {
  if (entry.current === null) return;
  settle(entry, unread('missed'), tell);
  entry.current = null;
  tell({ kind: 'removed', reader: entry.reader });
}

/** Sends the events of cards that were inserted and removed between two polls. */
function miss(entry: Entry, count: number, tell: Tell): void {
  const { reader } = entry;
  for (let i = 0; i < Math.min(count, maxMissed); i += 1) {
    entry.insertions += 1;
    const insertion = entry.insertions;
    tell({ kind: 'inserted', reader, insertion });
    tell({ kind: 'unread', reader, insertion, reason: 'missed' });
    tell({ kind: 'removed', reader });
  }
}

/** Makes the next reader process read the unfinished card again: stores a status from before the card was inserted. */
function offerAgain(entry: Entry): void {
  const { current } = entry;
  // If the UID was sent, the insertion gets a `card` as its outcome and needs no second reading.
  if (current === null || !current.open || current.identity !== null) return;
  const { counter } = current;
  if (entry.offeredAgain === counter) return;
  entry.offeredAgain = counter;
  entry.status = { present: false, counter: (counter - 1) & 0xffff };
}
