/** Edits that a phone of the team holds until the laptop has them. */
import { expect, test } from 'vitest';
import { createUnsent } from '../../../src-renderer/staff/entry/unsent.ts';

test('holds the latest value of each field and of each answer, by lead', () => {
  const unsent = createUnsent();
  unsent.hold('l1', { rating: 3 });
  unsent.hold('l1', { rating: 2, form: { budget: 10 } });
  unsent.hold('l1', { note: 'Quote', form: { product: ['a'] } });
  unsent.hold('l2', { rating: null });
  expect([...unsent.changes()]).toEqual([
    ['l1', { rating: 2, note: 'Quote', form: { budget: 10, product: ['a'] } }],
    ['l2', { rating: null }],
  ]);
});

test('releases a value that the laptop has confirmed, but no later value', () => {
  const unsent = createUnsent();
  const sent = { note: 'Quote', form: { budget: 10, product: ['a'] } };
  unsent.hold('l1', sent);
  unsent.hold('l1', { note: 'Quote before Friday', form: { budget: 20 } });
  unsent.release('l1', sent);
  expect([...unsent.changes()]).toEqual([['l1', { note: 'Quote before Friday', form: { budget: 20 } }]]);
  unsent.release('l1', { note: 'Quote before Friday', form: { budget: 20 } });
  expect(unsent.changes().size).toBe(0);
});
