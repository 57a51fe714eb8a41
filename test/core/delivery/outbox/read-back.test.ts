/** Searches the platform's actions for our facts. */
import { expect, it } from 'vitest';
import { READ_BACK_LIMIT, readBack } from '../../../../src-main/core/delivery/outbox/read-back.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';

it('finds as many facts as ten pages hold, and counts the record that two pages share once', async () => {
  const asked: unknown[] = [];
  const client: ApiClient = {
    get: async (_path, query, _signal, urgency) => {
      asked.push(urgency);
      const from = Number(query.fromRevision);
      const page = Array.from({ length: 100 }, (_, index) => from + index);
      return JSON.stringify(page.map((at) => ({ id: `a${at}`, revision: at, clientID: `f${at}` })));
    },
    post: () => Promise.reject(new Error('Nothing is to be written')),
    getBytes: () => Promise.reject(new Error('Nothing is to be mirrored')),
    clockOffset: () => null,
    close: async () => undefined,
  };
  const ids = new Set(Array.from({ length: READ_BACK_LIMIT }, (_, index) => `f${index + 1}`));
  const told: { readonly facts: number; readonly asked: number }[] = [];
  const onSeen = (seen: readonly unknown[]) => told.push({ facts: seen.length, asked: asked.length });
  const wanted = [...ids].map((id) => ({ id, wire: null }));
  const { found } = await readBack(
    client,
    'E1',
    wanted,
    1n,
    null,
    onSeen,
    () => false,
    new AbortController().signal,
  );
  expect(found).toEqual(ids);
  // Each page is reported while the next one is being requested. For the last page there is no next request.
  expect(told.map((page) => page.asked)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 10]);
  expect(told.every(({ facts }) => facts >= 99)).toBe(true);
  expect(asked).toEqual(Array.from({ length: 10 }, () => 'upload'));
});
