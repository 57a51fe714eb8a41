/**
 * Calls the handler of a forget request directly, without a server: a device of partner P1 names the `facts` of the
 * people to forget.
 */
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
