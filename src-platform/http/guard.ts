/**
 * Access control: every decision about a request before its body is read.
 *
 * Order: key (401), slot (429), address (403), right (403), event (400), scope (403), license (403). The first failure
 * determines the answer.
 *
 * Source: docs/interface/authentication.md, docs/interface/errors.md#statuses,
 * docs/interface/limits.md#parallel-requests.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed } from '../keys/address.ts';
import type { Caller } from '../keys/caller.ts';
import { mayEnter } from '../keys/caller.ts';
import type { findCaller } from '../keys/keys.ts';
import { type Expo, findExpo } from '../store/expo.ts';
import type { Store } from '../store/store.ts';
import { badRequest, forbidden, tooManyRequests, unauthorized } from './errors.ts';
import type { Operation } from './operation.ts';
import type { Semaphore, Slot } from './semaphore.ts';

export type Admission = { readonly caller: Caller; readonly expo: Expo | null };

/** The key of a basic `Authorization` header: the user name; the password is ignored. */
export function keyOf(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const key = colon === -1 ? pair : pair.slice(0, colon);
  return key === '' ? null : key;
}

function checkRight(caller: Caller, operation: Operation): void {
  if (caller.device?.onlyEnrols && operation.enrols !== true)
    throw forbidden('This key is good for enrolling a device and for nothing else');
  if (operation.right === 'write' && !caller.canWrite)
    throw forbidden('This key has no write permission (made without --write)');
  if (operation.right === 'connections' && !caller.connections) {
    throw forbidden('Connections are not enabled for this key (made without --connections)');
  }
  if (caller.partnerId !== null && operation.ofCompany === undefined) {
    throw forbidden('This is not open to the key of a single exhibiting company');
  }
}

/**
 * Reading the connections of a single exhibiting company requires a valid license
 * (docs/interface/endpoints.md#rule-4).
 */
async function checkLicense(store: Store, expoId: string, partnerId: string): Promise<void> {
  const licences = await store.db
    .selectFrom('record')
    .select('basic')
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'license')
    .where('partner_id', '=', partnerId)
    .where('deleted', '=', 0)
    .execute();
  const allows = licences.some(
    ({ basic }) => Number((JSON.parse(basic) as { activationMax?: number }).activationMax) > 0,
  );
  if (!allows) throw forbidden('This company has no valid license for connections');
}

async function findAllowedExpo(store: Store, caller: Caller, expoId: string): Promise<Expo> {
  const { device } = caller;
  const expo = device?.expo?.id === expoId ? device.expo : await findExpo(store.db, expoId);
  if (!expo) throw badRequest('Expo not found');
  if (!mayEnter(caller, expo.id)) throw forbidden('This event is outside the scope of the key');
  return expo;
}

/**
 * Releases a slot when the response is closed and all sockets that were readable by then were handled. A database in this
 * process answers before the next socket is read. Without the second condition, parallel requests would look sequential,
 * and a rehearsal would not show the refusals of a remote platform.
 */
function holdUntilAnswered({ raw }: FastifyReply, slot: Slot): void {
  const giveBack = (): void => void setImmediate(slot.release);
  if (raw.destroyed || raw.closed) giveBack();
  else raw.once('close', giveBack);
}

/**
 * Admits a request or throws the error that refuses it. Its slot, which `slots` lists by the request, is released when
 * the response is closed, finished or aborted. `find`: finds the owner of a key.
 */
export async function admit(
  store: Store,
  semaphore: Semaphore,
  slots: WeakMap<FastifyRequest, Slot>,
  find: typeof findCaller,
  now: Date,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const key = keyOf(request.headers.authorization);
  const caller = key === null ? null : await find(store.db, key, now);
  if (!caller) throw unauthorized(key === null ? 'An API key is needed' : 'The API key is not valid');
  if (operation.slotless !== true) {
    const slot = await semaphore.take(caller.keyId);
    if (!slot) throw tooManyRequests();
    slots.set(request, slot);
    holdUntilAnswered(reply, slot);
  }
  if (caller.addresses !== null && !isListed(caller.addresses, request.ip)) {
    throw forbidden('This address is not on the list of the key');
  }
  checkRight(caller, operation);
  if (!operation.onExpo) return { caller, expo: null };
  const params = request.params as Readonly<Record<string, string>>;
  const expo = await findAllowedExpo(store, caller, params.expoId ?? '');
  if (caller.partnerId !== null && operation.right === 'connections') {
    await checkLicense(store, expo.id, caller.partnerId);
  }
  return { caller, expo };
}
