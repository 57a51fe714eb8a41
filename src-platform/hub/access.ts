/**
 * What a platform shows everybody and a hub does not: its metrics and the description of its interface. Everybody in the hall
 * reaches a hub.
 *
 * Invariant: who has the key of a device, of a person or of the fleet page may read them; the route decides, not the address
 * as it was typed.
 */
import type { FastifyInstance } from 'fastify';
import { unauthorized } from '../http/errors.ts';
import { keyOf } from '../http/guard.ts';
import { isFleetKey } from '../keys/fleet-key.ts';
import { findCallerAtHub } from '../keys/keys.ts';
import type { Store } from '../store/store.ts';

const CLOSED = /^\/(metrics|docs|openapi\.json)(\/|$)/;

/** Closes the pages of a server that is a hub. */
export function closePages(app: FastifyInstance, store: Store, now: () => Date): void {
  const mayRead = async (key: string): Promise<boolean> => {
    const caller = await findCallerAtHub(store.db, key, now());
    return (caller !== null && caller.device?.onlyEnrols !== true) || isFleetKey(store.db, key);
  };
  app.addHook('onRequest', async (request) => {
    if (!CLOSED.test(request.routeOptions.url ?? '')) return;
    const key = keyOf(request.headers.authorization);
    if (key === null || !(await mayRead(key))) throw unauthorized('This page of the hub needs a key');
  });
}
