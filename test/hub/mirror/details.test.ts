/**
 * Some fields are only in the answer to a request for one record, not in lists. Here the platform refuses that
 * request at first.
 */
import { expect, onTestFinished, test } from 'vitest';
import { createDetails } from '../../../src-hub/mirror/details.ts';
import { noteReplicated, shapeFor } from '../../../src-hub/mirror/replicator.ts';
import { ApiError, type ErrorClass } from '../../../src-main/core/foundations/api/error-class.ts';
import { partners } from '../../../src-platform/resources/partners.ts';
import { shapeOf } from '../../../src-platform/resources/resource.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import { findRecord, putRecord } from '../../../src-platform/store/records.ts';
import { ownFolder } from '../../core/fixture.ts';
import { realClock } from '../../core/real-parts.ts';

const forbidden: ErrorClass = { kind: 'stop', pause: 'forbidden' };
const gone: ErrorClass = { kind: 'reject', status: 404, reason: 'gone' };

test.each([
  [
    'are requested again after a refusal for a missing right',
    forbidden,
    { website: 'https://p1.example' },
    2,
  ],
  ['are not requested again if their record is gone', gone, {}, 1],
] as const)('details %s', async (_what, refusal, detail, asked) => {
  const store = await openSqlite(ownFolder());
  onTestFinished(store.close);
  const list = { id: 'p1', name: 'One' };
  await store.write(async (write) => {
    await putRecord(write, shapeFor(shapeOf(partners), list, {}), 'E1', list);
    await noteReplicated(write, 'partner', [{ id: 'p1', hash: 'text' }]);
  });
  let times = 0;
  const client = {
    get: async (): Promise<string> => {
      times += 1;
      if (times === 1) throw new ApiError(refusal, 'refused');
      return JSON.stringify({ ...list, website: 'https://p1.example', revision: 7 });
    },
    getBytes: async () => new Uint8Array(),
    post: async () => '[]',
    clockOffset: () => null,
    close: async () => undefined,
  };
  const details = createDetails({ client, store, expoId: 'E1', clock: realClock });
  for (let round = 0; round < 3; round += 1) await details.readMissing(10_000, new AbortController().signal);
  expect(times).toBe(asked);
  expect((await findRecord(store.db, 'partner', 'E1', 'p1'))?.doc).toEqual({ ...list, ...detail });
});
