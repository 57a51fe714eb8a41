/**
 * Batched calls, and items of many devices that the hub accepts in one transaction. Each item gets its own answer.
 */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { acceptAll, type Submission } from '../../../src-platform/hub/accept.ts';
import { createBatcher } from '../../../src-platform/hub/batcher.ts';
import { markOfFact } from '../../../src-platform/hub/forgotten.ts';
import { otherSendersOf } from '../../../src-platform/hub/receipts.ts';
import type { CallingDevice } from '../../../src-platform/keys/caller.ts';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import { ownFolder } from '../../core/fixture.ts';

/** Doubles numbers, slowly. Refuses a run that contains 13. */
const doubling = () => {
  const runs: (readonly number[])[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const call = createBatcher<number, number>({
    run: async (numbers) => {
      runs.push(numbers);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      if (numbers.includes(13)) throw new Error('13 is refused');
      return numbers.map((number) => number * 2);
    },
    sizeOf: (number) => (number === 50 ? 50 : 1),
    most: 10,
  });
  return { call, runs, mostAtOnce: () => mostAtOnce };
};

test('calls that arrive during a run are batched into the next one, in order', async () => {
  const { call, runs, mostAtOnce } = doubling();
  expect(await Promise.all([1, 2, 3, 4].map(call))).toEqual([2, 4, 6, 8]);
  expect(runs).toEqual([[1], [2, 3, 4]]);
  expect(await call(5)).toBe(10);
  expect(mostAtOnce()).toBe(1);
});

test('calls are batched up to a total size, and a larger call runs alone', async () => {
  const { call, runs } = doubling();
  const numbers = [...Array.from({ length: 14 }, (_none, index) => index + 20), 50, 51];
  expect(await Promise.all(numbers.map(call))).toEqual(numbers.map((number) => number * 2));
  expect(runs.map(({ length }) => length)).toEqual([1, 10, 3, 1, 1]);
});

test('a call that fails in a batch does not make the others fail', async () => {
  const { call } = doubling();
  const ends = await Promise.allSettled([1, 12, 13, 14].map(call));
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'refused'))).toEqual([
    2,
    24,
    'refused',
    28,
  ]);
});

const deviceOf = (id: string, partnerId: string): CallingDevice => ({
  ...{ id, partnerId, touchpointId: `t${partnerId}`, expo: null, onlyEnrols: false, seesAllDetails: false },
});

const itemOf = (id: string, partnerID: string) => ({
  ...{ id, kind: 'tap', at: new Date(1_790_000_000_000).toISOString(), seq: 1, source: 'nfc' },
  ...{ touchpointID: `t${partnerID}`, partnerID, badge: '04AABBCC0011' },
});

const submissionOf = (device: CallingDevice, ...entries: readonly unknown[]): Submission => ({
  scope: { expoId: 'E1', device, wereOut: false, since: 0 },
  entries,
  now: new Date(1_790_000_001_000),
});

const openStore = async () => {
  const store = await openSqlite(ownFolder());
  onTestFinished(store.close);
  return store;
};

test('a fact that two devices submit at once is stored once, and both devices are informed', async () => {
  const store = await openStore();
  const [id, other] = [randomUUID(), randomUUID()];
  const add = async (name: string): Promise<CallingDevice> => {
    const about = { expoId: 'E1', name, touchpointId: 'tp1', partnerId: 'p1' };
    return deviceOf((await addDevice(store, about, new Date(), new Date())).id, 'p1');
  };
  const first = await add('Stand 1');
  const copy = await add('Stand 2');
  const results = await acceptAll(store, [
    submissionOf(first, itemOf(id, 'p1')),
    submissionOf(copy, itemOf(id, 'p1'), itemOf(other, 'p1'), { no: 'item' }),
  ]);
  expect(results.map((some) => some.map(({ result }) => result))).toEqual([
    ['created'],
    ['duplicate', 'created', 'rejected'],
  ]);
  expect(await otherSendersOf(store, 'E1', first.id)).toEqual([{ device: 'Stand 2', facts: 1 }]);
  expect(await otherSendersOf(store, 'E1', copy.id)).toEqual([{ device: 'Stand 1', facts: 1 }]);
  const rows = await store.db.selectFrom('relay_fact').select(['id', 'device_id']).orderBy('seq').execute();
  expect(rows).toEqual([
    { id, device_id: first.id },
    { id: other, device_id: copy.id },
  ]);
});

test('a forgotten fact is rejected only from the partner that forgot it, also within one batch', async () => {
  const store = await openStore();
  const [id, theirs] = [randomUUID(), randomUUID()];
  await store.write(async ({ db }) => {
    const forgotten = { expo_id: 'E1', partner_id: 'p1', at: null, alone: 0 };
    const marks = [id, theirs].map((one) => ({ ...forgotten, mark: markOfFact(one) }));
    await db.insertInto('forgotten').values(marks).execute();
  });
  const results = await acceptAll(store, [
    submissionOf(deviceOf('D1', 'p1'), itemOf(id, 'p1')),
    submissionOf(deviceOf('D2', 'p2'), itemOf(theirs, 'p2')),
  ]);
  expect(results).toMatchObject([
    [{ id, result: 'rejected', errors: [{ error: 'forgotten' }] }],
    [{ id: theirs, result: 'created' }],
  ]);
  const rows = await store.db
    .selectFrom('relay_fact')
    .select(['id', 'state', 'item'])
    .orderBy('seq')
    .execute();
  expect(rows).toMatchObject([
    { id, state: 'parked', item: '' },
    { id: theirs, state: 'due' },
  ]);
});
