/**
 * The hub writes an answer of the platform in one transaction: each fact gets its own result. A fact in a state that
 * the answer may not change keeps its state.
 */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createHubStore } from '../../../src-hub/outbox/hub-store.ts';
import { acceptAll, type HubScope } from '../../../src-platform/hub/accept.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import { ownFolder } from '../../core/fixture.ts';

const scopeOf = (expoId: string): HubScope => ({ expoId, device: null, wereOut: false, since: 0 });
const nobody = { touchpoint: null, partner: null };

/** A hub with `count` facts of the event E1, all in flight. */
const openHub = async (count: number) => {
  const store = await openSqlite(ownFolder());
  onTestFinished(store.close);
  const ids = Array.from({ length: count }, () => randomUUID());
  const items = ids.map((id, seq) => ({
    ...{ id, kind: 'tap', at: new Date(seq).toISOString(), seq, badge: `B${seq}`, source: 'nfc' },
  }));
  await acceptAll(store, [{ scope: scopeOf('E1'), entries: items, now: new Date() }]);
  // The same ids in another event belong to other facts.
  await acceptAll(store, [{ scope: scopeOf('E2'), entries: items, now: new Date() }]);
  const settings = { get: () => null, set: () => undefined };
  const hub = createHubStore(store, 'E1', settings, { now: () => 1 });
  const { outgoing } = await hub.take(nobody, { limit: count, skip: 0 });
  const rows = async () => {
    const found = await store.db
      .selectFrom('relay_fact')
      .select(['id', 'state', 'reason', 'action_id', 'revision'])
      .where('expo_id', '=', 'E1')
      .orderBy('seq')
      .execute();
    return found.map(({ state, reason, action_id, revision }) => [state, reason, action_id, revision]);
  };
  const others = async (): Promise<readonly string[]> => {
    const found = await store.db
      .selectFrom('relay_fact')
      .select('state')
      .where('expo_id', '=', 'E2')
      .execute();
    return [...new Set(found.map(({ state }) => state))];
  };
  return { hub, seqs: outgoing.map(({ seq }) => seq), ids, rows, others };
};

it('each fact of an answer gets its own result', async () => {
  const { hub, seqs, ids, rows, others } = await openHub(4);
  const [one = 0, two = 0, three = 0] = seqs;
  await hub.settle(
    [
      { seq: one, kind: 'sent', action: 'A1', revision: 7n },
      { seq: two, kind: 'parked', reason: 'no such badge' },
      { seq: three, kind: 'sent', action: null, revision: null },
    ],
    5,
  );
  expect(await rows()).toEqual([
    ['sent', null, 'A1', 7n],
    ['parked', 'no such badge', null, null],
    ['sent', null, null, null],
    ['in_flight', null, null, null],
  ]);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  const seen = [
    { id: first, action: null, revision: null },
    { id: first, action: null, revision: null },
    { id: second, action: 'A2', revision: 8n },
    { id: third, action: 'A3', revision: 9_007_199_254_740_993n },
    { id: fourth, action: 'A4', revision: 10n },
  ];
  expect(await hub.confirm(seen, 6)).toBe(2);
  expect(await hub.confirm(seen, 6)).toBe(0);
  // A late answer about facts that are already settled.
  await hub.settle([{ seq: one, kind: 'parked', reason: 'late' }], 7);
  await hub.settle([{ seq: three, kind: 'sent', action: 'A9', revision: 1n }], 7);
  expect(await rows()).toEqual([
    ['confirmed', null, 'A1', 7n],
    ['parked', 'no such badge', null, null],
    ['confirmed', null, 'A3', 9_007_199_254_740_993n],
    ['in_flight', null, null, null],
  ]);
  expect(await others()).toEqual(['due']);
});
