/** Insertions and removals of cards, derived from two statuses of a reader. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeBetween,
  type ReaderStatus,
  statusOfState,
} from '../../../src-main/devices/reader/reader-status.ts';

function status(present: boolean, counter: number): ReaderStatus {
  return { present, counter };
}
const inserted = { removed: false, missed: 0, inserted: true };
const removed = { removed: true, missed: 0, inserted: false };
const nothing = { removed: false, missed: 0, inserted: false };

test('Presence and counter are taken from the status word', () => {
  expect(statusOfState(0x90022)).toEqual(status(true, 9));
  expect(statusOfState(0xffff0012 | 0)).toEqual(status(false, 0xffff));
});

/** The changes in a reader's statuses, each compared with the previous result. */
function changesOf(...statuses: readonly ReaderStatus[]) {
  let kept: ReaderStatus | null = null;
  return statuses.map((now) => {
    const { status, ...change } = changeBetween(kept, now);
    kept = status;
    return change;
  });
}

function lastChangeOf(...statuses: readonly ReaderStatus[]) {
  return changesOf(...statuses).at(-1);
}

test('A first status reports only whether a card is present', () => {
  expect(changesOf(status(true, 7))).toEqual([inserted]);
  expect(changesOf(status(false, 7))).toEqual([nothing]);
});

test('A card swapped between two statuses is a removal and an insertion', () => {
  expect(lastChangeOf(status(true, 9), status(true, 11))).toEqual({
    removed: true,
    missed: 0,
    inserted: true,
  });
});

test('Cards that were inserted and removed between two statuses are counted', () => {
  expect(lastChangeOf(status(false, 8), status(false, 12))).toEqual({
    removed: false,
    missed: 2,
    inserted: false,
  });
  expect(lastChangeOf(status(true, 9), status(false, 12))).toEqual({
    removed: true,
    missed: 1,
    inserted: false,
  });
  expect(lastChangeOf(status(false, 8), status(true, 11))).toEqual({
    removed: false,
    missed: 1,
    inserted: true,
  });
  expect(lastChangeOf(status(false, 0xffff), status(false, 1))).toEqual({
    removed: false,
    missed: 1,
    inserted: false,
  });
});

test('A change that the daemon shows before it counts it is reported once', () => {
  expect(changesOf(status(true, 7), status(false, 7), status(false, 8))).toEqual([
    inserted,
    removed,
    nothing,
  ]);
  expect(changesOf(status(false, 8), status(true, 8), status(true, 8), status(true, 9))).toEqual([
    nothing,
    inserted,
    nothing,
    nothing,
  ]);
  expect(changesOf(status(true, 7), status(false, 7), status(true, 9))).toEqual([
    inserted,
    removed,
    inserted,
  ]);
  expect(lastChangeOf(status(false, 0), status(false, 1))).toEqual({
    removed: false,
    missed: 1,
    inserted: false,
  });
});

test('A counter that was reset with the card service does not report missed cards', () => {
  expect(lastChangeOf(status(true, 900), status(true, 1))).toEqual({
    removed: true,
    missed: 0,
    inserted: true,
  });
  expect(lastChangeOf(status(false, 900), status(false, 0))).toEqual(nothing);
});

test('If the counter does not change, only the presence bit decides', () => {
  const statuses = [
    status(false, 0),
    status(true, 0),
    status(true, 0),
    status(false, 0),
    status(false, 0),
    status(true, 0),
  ];
  expect(changesOf(...statuses)).toEqual([nothing, inserted, nothing, removed, nothing, inserted]);
});

test('With any events on a reader and any polling, every insertion is reported exactly once', () => {
  // One possible history: cards come and go, and status words come at any moment, even between showing and counting a
  // change.
  const statuses = fc.array(fc.record({ changes: fc.nat(9), lagging: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(statuses, fc.boolean(), fc.nat(0xffff), (history, startsPresent, startsAt) => {
      let present = startsPresent;
      let counter = startsAt;
      let lag = 0;
      let kept = status(present, counter);
      let insertions = 0;
      let told = 0;
      for (const { changes, lagging } of history) {
        for (let i = 0; i < changes; i += 1) {
          present = !present;
          counter = (counter + 1) & 0xffff;
          insertions += present ? 1 : 0;
        }
        lag = lagging && (changes > 0 || lag > 0) ? 1 : 0;
        const change = changeBetween(kept, status(present, (counter - lag) & 0xffff));
        told += change.missed + (change.inserted ? 1 : 0);
        kept = change.status;
      }
      expect(told).toBe(insertions);
    }),
    { numRuns: 20_000 },
  );
});
