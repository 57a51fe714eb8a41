/**
 * Checks a key at the platform: its rights, and the events, companies and touchpoints that a device can use with it.
 *
 * Invariants:
 * - nothing is written on the platform (the write permission is tested with an empty list);
 * - no request goes to an address that must not receive a key;
 * - a missing answer is one of the results.
 */
import type {
  AccessRefusal,
  EventCheck,
  EventChoice,
  KeyCheck,
  PartnerCheck,
  Rights,
} from '../contract/setup.ts';
import { rightsSchema } from '../contract/setup.ts';
import { RESOURCES, type ResourceName } from '../core/event/mirror/resources.ts';
import { readAll } from '../core/event/sync/doctor.ts';
import { checkAddress } from '../core/foundations/api/address.ts';
import { type ApiClient, createClient, type PlatformAccess } from '../core/foundations/api/client.ts';
import { faultOf, stepAfter } from '../core/foundations/api/cursor.ts';
import { listPage } from '../core/foundations/api/endpoints.ts';
import { ApiError, isMissingRight } from '../core/foundations/api/error-class.ts';
import { readPage } from '../core/foundations/api/page.ts';
import { postActions } from '../core/foundations/api/write-extension.ts';
import type { Clock } from '../core/foundations/ports.ts';
import { readPurpose } from '../core/stand/device/purposes.ts';

/** The address and key to check. */
export type Access = {
  readonly address: string;
  readonly key: string;
  readonly privateHttp: boolean;
  /** The hub's pin and further addresses, if its file names them. */
  readonly pin?: string | undefined;
  readonly others?: readonly string[] | undefined;
};

const EVENTS_A_PAGE = 100;

/** The events a key may see. */
export async function checkKey(access: Access, clock: Clock): Promise<KeyCheck> {
  return asking(access, '', clock, async (client) => ({ kind: 'events', events: await readEvents(client) }));
}

/** The rights of a key in an event, and the event's companies and touchpoints. */
export async function checkEvent(access: Access, expo: string, clock: Clock): Promise<EventCheck> {
  return asking(access, expo, clock, async (client) => {
    const touchpoints = await readTouchpoints(client, expo);
    if (touchpoints === null) return { kind: 'refused', reason: 'companyOnly' };
    const partners = await readPartners(client, expo, touchpoints);
    return {
      kind: 'event',
      rights: await readRights(client, expo),
      partners: partners
        .map((body) => ({
          id: textOf(body.id),
          name: textOf(body.name) || textOf(body.id),
          stand: textOf(body.stand) || null,
          colour: textOf(body.colour) || null,
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true })),
      touchpoints: touchpoints
        .map((body) => ({
          id: textOf(body.id),
          name: textOf(body.name) || textOf(body.id),
          purpose: readPurpose(body.purpose),
          partner: textOf(body.partnerID) || null,
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true })),
    };
  });
}

/** Whether a key may read the connections of a partner. A key of another company may not. */
export async function checkPartner(
  access: Access,
  expo: string,
  partner: string,
  clock: Clock,
): Promise<PartnerCheck> {
  const found = await asking(access, expo, clock, async (client) => ({
    kind: 'read' as const,
    may: await mayRead(client, expo, 'connections', partner),
  }));
  if (found.kind === 'refused') return { connections: 'unknown' };
  return { connections: found.may ? 'yes' : 'no' };
}

/** Sends requests with its own client; a failure is returned as a result. */
async function asking<Answer>(
  { address, key, privateHttp, pin, others }: Access,
  expoId: string,
  clock: Clock,
  ask: (client: ApiClient) => Promise<Answer>,
): Promise<Answer | { readonly kind: 'refused'; readonly reason: AccessRefusal }> {
  const wrong = addressFault(address, privateHttp);
  if (wrong !== null) return { kind: 'refused', reason: wrong };
  if (key === '') return { kind: 'refused', reason: 'noKey' };
  const baseUrl = address.trim().replace(/\/+$/, '');
  const access: PlatformAccess = { baseUrl, key, password: '', expoId, pin, others };
  const client = createClient(access, clock, { privateHttp });
  try {
    return await ask(client);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'refused', reason: reasonOf(error) };
  } finally {
    await client.close();
  }
}

/** Why a key must not be sent to `address`, or null. */
function addressFault(address: string, privateHttp: boolean): AccessRefusal | null {
  const url = URL.parse(address.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return 'noAddress';
  if (checkAddress(address.trim(), privateHttp).kind === 'fits') return null;
  if (checkAddress(address.trim(), true).kind === 'fits') return 'privateAddress';
  return url.search !== '' || url.hash !== '' ? 'noAddress' : 'insecure';
}

/** OpenSSL's name for an answer without encryption. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

function reasonOf({ errorClass, cause }: ApiError): AccessRefusal {
  switch (errorClass.kind) {
    case 'stop':
      return errorClass.pause === 'tls' && NO_TLS.has(String(cause)) ? 'notEncrypted' : errorClass.pause;
    case 'busy':
      return 'busy';
    case 'retry':
      return 'noAnswer';
    case 'reject':
      return 'notAPlatform';
  }
}

async function readEvents(client: ApiClient): Promise<EventChoice[]> {
  const events: EventChoice[] = [];
  let fromRevision = 0n;
  for (;;) {
    const page = readPage(await client.get('/expos', { fromRevision, limit: EVENTS_A_PAGE }), 'id');
    if (page.kind === 'malformed') throw new ApiError({ kind: 'stop', pause: 'notAPlatform' }, page.reason);
    const revisions = page.records.map(({ revision }) => revision);
    const known = new Set(events.map(({ id }) => id));
    for (const { id, body } of page.records) {
      if (known.has(id)) continue;
      const [name, start, end] = [textOf(body.name), textOf(body.start), textOf(body.end)];
      events.push({ id, name: name || id, start: start || null, end: end || null });
    }
    const step = stepAfter(fromRevision, revisions, page.length, EVENTS_A_PAGE);
    // A platform that ignores the parameters would send the same events repeatedly.
    if (step.done || faultOf(fromRevision, revisions, page.length, EVENTS_A_PAGE) !== null) return events;
    fromRevision = step.revision;
  }
}

type Bodies = readonly Readonly<Record<string, unknown>>[];

/**
 * Null if the key may read connections but no touchpoints, as with a key of one company
 * (docs/decisions/key-of-one-company.md).
 */
async function readTouchpoints(client: ApiClient, expo: string): Promise<Bodies | null> {
  try {
    return await readBodies(client, expo, 'touchpoints');
  } catch (error) {
    if (isMissingRight(error) && (await mayRead(client, expo, 'connections'))) return null;
    throw error;
  }
}

/** The companies. If the key may not read them: the companies that the touchpoints name. */
async function readPartners(client: ApiClient, expo: string, touchpoints: Bodies): Promise<Bodies> {
  try {
    return await readBodies(client, expo, 'partners');
  } catch (error) {
    if (!isMissingRight(error)) throw error;
    const named = new Set(touchpoints.map(({ partnerID }) => textOf(partnerID)).filter((id) => id !== ''));
    return [...named].map((id) => ({ id }));
  }
}

async function readBodies(client: ApiClient, expo: string, name: ResourceName): Promise<Bodies> {
  const resource = RESOURCES.find((one) => one.name === name);
  const all = resource === undefined ? [] : [...(await readAll(client, expo, resource, {})).values()];
  return all.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
}

async function readRights(client: ApiClient, expo: string): Promise<Rights> {
  const lacks: Rights['lacks'] = [];
  for (const name of rightsSchema.shape.lacks.element.options)
    if (!(await mayRead(client, expo, name))) lacks.push(name);
  return { people: await mayRead(client, expo, 'visitors'), lacks, send: await maySend(client, expo) };
}

async function mayRead(
  client: ApiClient,
  expo: string,
  path: ResourceName,
  partnerId?: string,
): Promise<boolean> {
  const filter = partnerId === undefined ? {} : { partnerId };
  const one = { path, idField: 'id', fromRevision: 0n, limit: 1, showsDeleted: false, filter };
  try {
    await listPage(client, expo, one);
    return true;
  } catch (error) {
    if (isMissingRight(error)) return false;
    throw error;
  }
}

async function maySend(client: ApiClient, expo: string): Promise<Rights['send']> {
  try {
    await postActions(client, expo, []);
    return 'yes';
  } catch (error) {
    if (isMissingRight(error)) return 'no';
    if (!(error instanceof ApiError)) throw error;
    const { errorClass } = error;
    return errorClass.kind === 'stop' && errorClass.pause === 'takesNoScans' ? 'noScans' : 'unknown';
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
