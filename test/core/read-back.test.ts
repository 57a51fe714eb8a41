/** Looking for our facts among the platform's actions. */
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src-main/core/api/client.ts';
import { READ_BACK_LIMIT, readBack } from '../../src-main/core/outbox/read-back.ts';

it('finds as many facts as ten pages hold, counting the record that two pages share once', async () => {
  const asked: unknown[] = [];
  const client: ApiClient = {
    get: async (_path, query, _signal, urgency) => {
      asked.push(urgency);
      const from = Number(query.fromRevision);
      const page = Array.from({ length: 100 }, (_, index) => from + index);
      return JSON.stringify(page.map((at) => ({ id: `a${at}`, revision: at, clientID: `f${at}` })));
    },
    post: () => Promise.reject(new Error('Nothing is to be written')),
    clockOffset: () => null,
    close: async () => undefined,
  };
  const ids = new Set(Array.from({ length: READ_BACK_LIMIT }, (_, index) => `f${index + 1}`));
  const seen = await readBack(client, 'E1', ids, 1n, null, new AbortController().signal);
  expect(new Set(seen.map(({ id }) => id))).toEqual(ids);
  expect(seen).toHaveLength(READ_BACK_LIMIT);
  expect(asked).toEqual(Array.from({ length: 10 }, () => 'upload'));
});
