/**
 * Restricts the metrics and the description of the interface at a hub, which a platform shows without a key.
 * Everybody in the hall can reach a hub.
 *
 * Invariants
 * - The key of an enrolled device, of a person or of the fleet page is enough.
 * - The matched route decides, not the URL as it was typed.
 */
import type { FastifyInstance } from 'fastify';
import { forbidden, unauthorized } from '../http/errors.ts';
import { keyOf } from '../http/guard.ts';
import type { Call } from '../http/operation.ts';
import type { CallingDevice } from '../keys/caller.ts';
import { isFleetKey } from '../keys/fleet-key.ts';
import { findCallerAtHub } from '../keys/keys.ts';
import type { Store } from '../store/store.ts';

const CLOSED = /^\/(metrics|docs|openapi\.json)(\/|$)/;

/** The calling device. @throws ApiError 403 for the key of a person */
export function deviceOf({ caller }: Call): CallingDevice {
  if (caller.device === undefined) throw forbidden('Only a device of this hub may do this');
  return caller.device;
}

/** Requires a key for these pages of a hub's server. */
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
