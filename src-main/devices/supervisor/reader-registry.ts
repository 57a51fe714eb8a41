/**
 * What the supervisor knows of every reader: insertions that are open and how the reader was last seen.
 *
 * Invariants: an insertion number is never reused, also across reader processes and unplugging; every `inserted`
 * told to the core is followed by exactly one `card` or `unread`, at the latest when its process ends; `removed`
 * and `detached` come after the outcome; what is said of a reader that is not attached is dropped.
 */
import type { ReaderEvent } from '../../core/ports.ts';
import type { FromReader, KnownLook } from '../reader/messages.ts';
import type { ReaderLook } from '../reader/reader-status.ts';

/** Words of the reader process that concern one reader. */
type ReaderWord = Extract<
  FromReader,
  { kind: 'attached' | 'detached' | 'empty' | 'inserted' | 'card' | 'unread' | 'removed' | 'missed' }
>;

export type ReaderBook = {
  readonly hear: (word: ReaderWord) => void;
  /** The process is gone: ends what is open and detaches its readers, but remembers how they looked. */
  readonly processEnded: () => void;
  /** The card service is gone: its counters begin anew. */
  readonly forget: () => void;
  /** How the readers looked, for the next process. */
  readonly looks: () => readonly KnownLook[];
  /** How many readers are attached. */
  readonly readers: () => number;
};

/** One reader, for as long as the app runs. */
type Entry = {
  attached: boolean;
  insertions: number;
  /** The visit on the reader, with the counter at its insertion; `open` until its outcome is told. */
  visit: { readonly number: number; readonly counter: number; open: boolean } | null;
  look: ReaderLook | null;
  /** Counter of an insertion that a former process died over: it is offered once more, not for ever. */
  offeredAgain: number | null;
};

/** Most insertions one `missed` may stand for; the counter of a broken driver could say anything. */
const mostMissed = 64;

/** An empty book that tells the core through `tell`. */
export function createReaderBook(tell: (event: ReaderEvent) => void): ReaderBook {
  const entries = new Map<string, Entry>();

  const entryOf = (reader: string): Entry => {
    const known = entries.get(reader);
    if (known !== undefined) return known;
    const entry: Entry = { attached: false, insertions: 0, visit: null, look: null, offeredAgain: null };
    entries.set(reader, entry);
    return entry;
  };

  const leave = (reader: string, entry: Entry): void => {
    if (entry.visit === null) return;
    if (entry.visit.open) {
      tell({ kind: 'unread', reader, insertion: entry.insertions, reason: 'missed' });
    }
    entry.visit = null;
    tell({ kind: 'removed', reader });
  };

  const detach = (reader: string, entry: Entry): void => {
    leave(reader, entry);
    if (entry.attached) tell({ kind: 'detached', reader });
    entry.attached = false;
  };

  const miss = (reader: string, entry: Entry, count: number): void => {
    for (let i = 0; i < Math.min(count, mostMissed); i += 1) {
      entry.insertions += 1;
      tell({ kind: 'inserted', reader, insertion: entry.insertions });
      tell({ kind: 'unread', reader, insertion: entry.insertions, reason: 'missed' });
      tell({ kind: 'removed', reader });
    }
  };

  const insert = (reader: string, entry: Entry, visit: number, counter: number): void => {
    leave(reader, entry);
    entry.insertions += 1;
    entry.visit = { number: visit, counter, open: true };
    entry.look = { present: true, counter };
    tell({ kind: 'inserted', reader, insertion: entry.insertions });
  };

  const end = (entry: Entry, word: Extract<ReaderWord, { kind: 'card' | 'unread' }>): void => {
    if (entry.visit?.number !== word.visit || !entry.visit.open) return;
    entry.visit.open = false;
    const { reader } = word;
    if (word.kind === 'card') tell({ kind: 'card', reader, insertion: entry.insertions, card: word.card });
    else tell({ kind: 'unread', reader, insertion: entry.insertions, reason: word.reason });
  };

  const hear = (word: ReaderWord): void => {
    const { reader } = word;
    const entry = entryOf(reader);
    if (word.kind === 'attached') {
      if (!entry.attached) tell({ kind: 'attached', reader });
      entry.attached = true;
      return;
    }
    if (!entry.attached) return;
    switch (word.kind) {
      case 'detached':
        entry.look = null;
        detach(reader, entry);
        return;
      case 'empty':
        entry.look = { present: false, counter: word.counter };
        return;
      case 'inserted':
        insert(reader, entry, word.visit, word.counter);
        return;
      case 'missed':
        leave(reader, entry);
        entry.look = { present: false, counter: word.counter };
        miss(reader, entry, word.count);
        return;
      case 'removed':
        entry.look = { present: false, counter: word.counter };
        if (entry.visit?.number === word.visit) leave(reader, entry);
        return;
      case 'card':
      case 'unread':
        end(entry, word);
    }
  };

  /** Offers an unfinished card once more: the reader is remembered as it looked before that card came. */
  const offerAgain = (entry: Entry): void => {
    if (entry.visit === null || !entry.visit.open) return;
    const { counter } = entry.visit;
    if (entry.offeredAgain === counter) return;
    entry.offeredAgain = counter;
    entry.look = { present: false, counter: (counter - 1) & 0xffff };
  };

  return {
    hear,
    processEnded: () => {
      for (const [reader, entry] of entries) {
        offerAgain(entry);
        detach(reader, entry);
      }
    },
    forget: () => {
      for (const entry of entries.values()) {
        entry.look = null;
        entry.offeredAgain = null;
      }
    },
    looks: () =>
      [...entries].flatMap(([reader, entry]) => (entry.look === null ? [] : [{ reader, ...entry.look }])),
    readers: () => [...entries.values()].filter((entry) => entry.attached).length,
  };
}
