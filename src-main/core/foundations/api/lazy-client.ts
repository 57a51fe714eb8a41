/**
 * A client whose key is read at the first request, because a keychain may be slow, locked or lost.
 *
 * Invariants:
 * - Without a key nothing is sent, and the call fails with a pause (`keyMissing`).
 * - It never retries (docs/laws.md#law-12).
 */
import type { ApiClient } from './client.ts';
import { ApiError } from './error-class.ts';

/** A client that `make` creates with the key from `read`. Null means that the key is not available now. */
export function createLazyClient(
  read: () => Promise<string | null>,
  make: (key: string) => ApiClient,
): ApiClient {
  let made: ApiClient | null = null;
  let closed = false;
  const client = async (): Promise<ApiClient> => {
    if (made !== null) return made;
    const key = await read();
    if (key === null || closed) {
      throw new ApiError({ kind: 'stop', pause: 'keyMissing' }, 'the key cannot be read');
    }
    made ??= make(key);
    return made;
  };
  return {
    get: async (...asked) => (await client()).get(...asked),
    getBeside: async (...asked) => {
      const { getBeside } = await client();
      if (getBeside === undefined) throw new TypeError('this client has no second slot');
      return getBeside(...asked);
    },
    getBytes: async (...asked) => (await client()).getBytes(...asked),
    getRange: async (...asked) => {
      const { getRange } = await client();
      if (getRange === undefined) throw new TypeError('this client reads no byte ranges');
      return getRange(...asked);
    },
    events: async (...asked) => {
      const { events } = await client();
      if (events === undefined) throw new TypeError('this client reads no streams');
      await events(...asked);
    },
    post: async (...asked) => (await client()).post(...asked),
    clockOffset: () => made?.clockOffset() ?? null,
    close: async () => {
      closed = true;
      await made?.close();
    },
  };
}
