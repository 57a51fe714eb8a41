/** When a box rings for what was noted: at once, and again only when all who listen can have read it. */
import { expect, test } from 'vitest';
import { createRingQueue, type RingKind } from '../../../src-hub/bell/ring-queue.ts';
import { handClock } from '../../core/fixture.ts';

/** The times, in seconds, at which something noted every half second for a minute is rung for. */
const rungFor = (kind: RingKind, listeners: number): readonly number[] => {
  const clock = handClock();
  const queue = createRingQueue(clock, () => listeners);
  const times: number[] = [];
  for (let half = 0; half <= 120; half += 1) {
    queue.note('subject', kind);
    if (queue.take().length > 0) times.push(half / 2);
    clock.pass(500);
  }
  return times;
};

test.each([
  ['ten devices hear of each change', 'list', 10, 121],
  ['two thousand devices are rung for every twenty seconds', 'list', 2_000, 4],
  ['so are teams, which are all busy at the peak', 'team', 2_000, 4],
  ['a command is rung at once, however many listen', 'command', 2_000, 121],
] as const)('%s', (_what, kind, listeners, times) => {
  expect(rungFor(kind, listeners)).toHaveLength(times);
});

test('what is noted meanwhile is rung when it may be, and holds up no other list', () => {
  const clock = handClock();
  const queue = createRingQueue(clock, () => 2_000);
  expect(queue.waitMs()).toBeNull();
  queue.note('participants', 'list');
  expect(queue.waitMs()).toBe(0);
  expect(queue.take()).toEqual([['participants', 'list']]);
  clock.pass(4_000);
  queue.note('participants', 'list');
  queue.note('labels', 'list');
  expect(queue.take()).toEqual([['labels', 'list']]);
  expect(queue.waitMs()).toBe(16_000);
  expect(queue.take()).toEqual([]);
  clock.pass(16_000);
  expect(queue.take()).toEqual([['participants', 'list']]);
  expect(queue.waitMs()).toBeNull();
});
