/**
 * The supervisor's state of every reader: the open insertion and the last status. Cards are decoded to badges
 * here, so the core receives codes and no ATR.
 *
 * Invariants:
 * - An insertion number is never reused, across reader processes and unplugging.
 * - Every `inserted` event is followed by exactly one `card` or `unread`, at the latest when its process
 *   ends. After a UID event it is a `card`.
 * - `removed` and `detached` come after the outcome.
 * - Messages about a reader that is not attached are discarded.
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
  /** The process ended: settles open insertions, detaches the readers, and keeps their statuses. */
  readonly processEnded: () => void;
  /** The card service is gone, and its counters restart. */
  readonly forget: () => void;
  /** The last statuses of the readers, for the next process. */
  readonly statuses: () => readonly KnownStatus[];
  /** How many readers are attached. */
  readonly readers: () => number;
};

/** One reader, for the life of the app. */
type Entry = {
  readonly reader: string;
  attached: boolean;
  /** Number of insertions so far, which is the number of the latest. */
  insertions: number;
  /**
   * The insertion on the reader: its number in its process, and the counter at that time. `open` until its outcome is
   * sent. `identity` is set once its UID is sent.
   */
  current: {
    readonly number: number;
    readonly counter: number;
    open: boolean;
    identity: CardIdentity | null;
  } | null;
  status: ReaderStatus | null;
  /** The polling interval. The process may report it before the reader is attached. */
  interval: Interval | null;
  /** Counter of an insertion during which an earlier process died. The insertion is offered again only once. */
  offeredAgain: number | null;
};

type Tell = (event: ReaderEvent) => void;

/** Maximum insertions of one `missed`. The counter of a faulty driver could have any value. */
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

/** The card of the current insertion left. Without an outcome it counts as missed. */
function remove(entry: Entry, tell: Tell): void {
  if (entry.current === null) return;
  settle(entry, unread('missed'), tell);
  entry.current = null;
  tell({ kind: 'removed', reader: entry.reader });
}

/** Sends events for cards that came and went undetected. */
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

/** Offers an unfinished card again: the stored status is from before that card arrived. */
function offerAgain(entry: Entry): void {
  const { current } = entry;
  // A card whose UID was sent already has its outcome.
  if (current === null || !current.open || current.identity !== null) return;
  const { counter } = current;
  if (entry.offeredAgain === counter) return;
  entry.offeredAgain = counter;
  entry.status = { present: false, counter: (counter - 1) & 0xffff };
}
