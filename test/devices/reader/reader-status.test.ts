import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeBetween,
  lookOfState,
  type ReaderLook,
} from '../../../src-main/devices/reader/reader-status.ts';

function look(present: boolean, counter: number): ReaderLook {
  return { present, counter };
}
const inserted = { removed: false, missed: 0, inserted: true };
const removed = { removed: true, missed: 0, inserted: false };
const nothing = { removed: false, missed: 0, inserted: false };

test('Presence and counter are taken from the status word', () => {
  expect(lookOfState(0x90022)).toEqual(look(true, 9));
  expect(lookOfState(0xffff0012 | 0)).toEqual(look(false, 0xffff));
});

/** The changes that a reader's looks come to, each compared with what the one before left. */
function changesOf(...looks: readonly ReaderLook[]) {
  let kept: ReaderLook | null = null;
  return looks.map((now) => {
    const { look, ...change } = changeBetween(kept, now);
    kept = look;
    return change;
  });
}

function lastChangeOf(...looks: readonly ReaderLook[]) {
  return changesOf(...looks).at(-1);
}

test('A first look sees a card that is there, and nothing else', () => {
  expect(changesOf(look(true, 7))).toEqual([inserted]);
  expect(changesOf(look(false, 7))).toEqual([nothing]);
});

test('A card swapped between two looks is a removal and an insertion', () => {
  expect(lastChangeOf(look(true, 9), look(true, 11))).toEqual({ removed: true, missed: 0, inserted: true });
});

test('Cards that came and went between two looks are counted', () => {
  expect(lastChangeOf(look(false, 8), look(false, 12))).toEqual({
    removed: false,
    missed: 2,
    inserted: false,
  });
  expect(lastChangeOf(look(true, 9), look(false, 12))).toEqual({ removed: true, missed: 1, inserted: false });
  expect(lastChangeOf(look(false, 8), look(true, 11))).toEqual({ removed: false, missed: 1, inserted: true });
  expect(lastChangeOf(look(false, 0xffff), look(false, 1))).toEqual({
    removed: false,
    missed: 1,
    inserted: false,
  });
});

test('A change that the daemon shows before it counts it happens once', () => {
  expect(changesOf(look(true, 7), look(false, 7), look(false, 8))).toEqual([inserted, removed, nothing]);
  expect(changesOf(look(false, 8), look(true, 8), look(true, 8), look(true, 9))).toEqual([
    nothing,
    inserted,
    nothing,
    nothing,
  ]);
  expect(changesOf(look(true, 7), look(false, 7), look(true, 9))).toEqual([inserted, removed, inserted]);
  expect(lastChangeOf(look(false, 0), look(false, 1))).toEqual({
    removed: false,
    missed: 1,
    inserted: false,
  });
});

test('A counter that was reset with its service is not taken for a crowd', () => {
  expect(lastChangeOf(look(true, 900), look(true, 1))).toEqual({ removed: true, missed: 0, inserted: true });
  expect(lastChangeOf(look(false, 900), look(false, 0))).toEqual(nothing);
});

test('Where the counter stands still, presence alone decides', () => {
  const looks = [look(false, 0), look(true, 0), look(true, 0), look(false, 0), look(false, 0), look(true, 0)];
  expect(changesOf(...looks)).toEqual([nothing, inserted, nothing, removed, nothing, inserted]);
});

test('Whatever happens on a reader and however seldom it is looked at, every insertion is told exactly once', () => {
  // A true history: cards come and go; looks happen at any moment, also between showing and counting.
  const looks = fc.array(fc.record({ changes: fc.nat(9), lagging: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(looks, fc.boolean(), fc.nat(0xffff), (history, startsPresent, startsAt) => {
      let present = startsPresent;
      let counter = startsAt;
      let lag = 0;
      let kept = look(present, counter);
      let insertions = 0;
      let told = 0;
      for (const { changes, lagging } of history) {
        for (let i = 0; i < changes; i += 1) {
          present = !present;
          counter = (counter + 1) & 0xffff;
          insertions += present ? 1 : 0;
        }
        lag = lagging && (changes > 0 || lag > 0) ? 1 : 0;
        const change = changeBetween(kept, look(present, (counter - lag) & 0xffff));
        told += change.missed + (change.inserted ? 1 : 0);
        kept = change.look;
      }
      expect(told).toBe(insertions);
    }),
    { numRuns: 20_000 },
  );
});
