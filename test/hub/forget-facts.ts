/** A device of partner P1 requests that the hub forget people by their facts, without a server. */
import { randomUUID } from 'node:crypto';
import { forgetOperation } from '../../src-platform/hub/forget.ts';
import type { Store } from '../../src-platform/store/store.ts';

export const forgetFacts = (store: Store, facts: readonly string[]): Promise<unknown> =>
  Promise.resolve(
    forgetOperation(store, () => new Date()).handle({
      caller: { device: { id: 'D1', partnerId: 'P1' } },
      expo: { id: 'E1' },
      body: { id: randomUUID(), at: new Date().toISOString(), facts, people: [] },
    } as never),
  );
