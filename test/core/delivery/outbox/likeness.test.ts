/** Some platforms return actions without the id of the fact that caused them. The matcher finds that fact. */
import { expect, it } from 'vitest';
import { createLikenesses } from '../../../../src-main/core/delivery/outbox/likeness.ts';

const AT = '2026-11-21T09:00:00.000Z';
const item = { badge: '04AA', touchpointID: 'tp1', at: AT };
const wanted = (...ids: readonly string[]) =>
  ids.map((id) => ({ id, wire: JSON.stringify({ ...item, id }) }));

it('matches one fact to one action, however often the action is read', () => {
  const { factLike } = createLikenesses(wanted('f1', 'f2'));
  expect(factLike('a1', item)).toBe('f1');
  expect(factLike('a1', item)).toBe('f1');
  expect(factLike('a2', item)).toBe('f2');
  expect(factLike('a3', item)).toBeNull();
});

it.each([
  ['another badge', { badge: '04BB' }],
  ['another touchpoint', { touchpointID: 'tp2' }],
  ['another content', { contentID: 'c1' }],
  ['another moment', { at: '2026-11-21T09:00:02.001Z' }],
])('does not match an action with %s', (_what, other) => {
  expect(createLikenesses(wanted('f1')).factLike('a1', { ...item, ...other })).toBeNull();
});

it('cannot match without a time or without a person', () => {
  const { factLike } = createLikenesses(wanted('f1'));
  expect(factLike('a1', { badge: '04AA', touchpointID: 'tp1' })).toBe('cannotTell');
  expect(factLike('a2', { touchpointID: 'tp1', at: AT })).toBe('cannotTell');
});
