/**
 * The interface of every destination: a CRM or a webhook that gets leads.
 *
 * Invariants:
 * - An adapter only translates. It decides nothing, stores nothing and never retries.
 * - It throws `ApiError` only if a whole request fails. A fault of one record is returned as data.
 * - No URL contains a value of a lead, so that no proxy logs one.
 */
import type { PushReason } from '../../../contract/destinations.ts';
import { ApiError, classOfWebAnswer, type ErrorClass } from '../../foundations/api/error-class.ts';
import type { SendWebRequest, WebAnswer, WebRequest } from '../../foundations/api/web-request.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { CrmColumn, CrmSetting } from '../formats/crm-csv.ts';

/** Values by property of the destination. An empty text is not a value. */
export type Values = Readonly<Record<string, string>>;

/** The keys by which a record is looked up. */
export type Sought = {
  readonly externalId: string;
  /** The destination's own id of the record, if known. */
  readonly remoteId: string | null;
  readonly email: string | null;
};

/** A record at the destination. `externalId`: its external id, or null. */
export type Found = {
  readonly remoteId: string;
  readonly externalId: string | null;
  readonly values: Values;
};

/** A record to create (no `remoteId`) or to update. `claims`: the record has no external id yet and gets this one. */
export type Outgoing = {
  readonly externalId: string;
  readonly remoteId: string | null;
  readonly claims: boolean;
  readonly values: Values;
  /** The same in every repetition of this write, and another one for every later write. */
  readonly delivery: string;
};

/**
 * The answer for one record. `again`: the destination could not process it at present.
 * `why`: the destination's message, without recognisable values of the lead.
 */
export type Answered =
  | { readonly kind: 'accepted'; readonly remoteId: string | null }
  | { readonly kind: 'again' }
  /** The write may have arrived: no answer came, or an error (`isAnswered`). */
  | { readonly kind: 'unknown'; readonly isAnswered: boolean }
  | { readonly kind: 'refused'; readonly cause: PushReason; readonly why: string };

/** A property of the destination's records. */
export type Property = {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
};

export type Adapter = {
  /** Maximum number of records per request. */
  readonly batch: number;
  /**
   * Records in the order of the request; null for an absent record. The function is absent if the destination cannot
   * be read.
   */
  readonly look?: (
    sought: readonly Sought[],
    properties: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (Found | null)[]>;
  /** Sends a batch of at most `batch` records. One answer per record, in order. */
  readonly send: (records: readonly Outgoing[], signal: AbortSignal) => Promise<readonly Answered[]>;
  /** Asks for the erasure of a record. */
  readonly erase: (sought: Sought & Pick<Outgoing, 'delivery'>, signal: AbortSignal) => Promise<void>;
  /** Writable properties, including custom ones. If the call succeeds, the access works. */
  readonly properties: (signal: AbortSignal) => Promise<readonly Property[]>;
  /** Ids of the users who can own a record, by their lower-case addresses. Absent function: a record has no owner. */
  readonly owners?: (
    addresses: readonly string[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>;
  /** Creates the objects that the destination needs once, such as the property of the external id. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
};

/** The dependencies of an adapter. `ask` adds the token. */
export type AdapterPorts = {
  readonly ask: SendWebRequest;
  readonly clock: Clock;
  /** Origin of the interface. */
  readonly address: string;
};

/**
 * A request of an adapter to a destination whose token is at the hub. `path` is below the address, `body` is a JSON
 * value.
 */
export type LentRequest = {
  readonly method: WebRequest['method'];
  readonly path: string;
  /** The header `webhook-id`, or null. */
  readonly webhookId: string | null;
  readonly body: unknown;
};

/** The properties of a kind of destination that are known without a connection. */
export type DestinationKind = {
  /** The default address. Null if the user must give one. */
  readonly address: string | null;
  /** The required scopes, by the destination's names. */
  readonly scopes: readonly string[];
  readonly columns: (setting: CrmSetting) => readonly CrmColumn[];
  /** The property that holds the id of a record's owner, or null. */
  readonly owner: string | null;
  /**
   * Properties that identify a record, in lower case, with the fields that may be sent there. No mapping sends another
   * field there.
   */
  readonly reserved: ReadonlyMap<string, readonly string[]>;
  readonly connect: (ports: AdapterPorts) => Adapter;
  /** OAuth end points below the address, or null. */
  readonly oauth: { readonly authorize: string; readonly token: string; readonly revoke: string } | null;
  /**
   * Whether the hub sends this request for a device. True for every request of this adapter except those of `prepare`,
   * and for no others.
   */
  readonly permits: (request: LentRequest) => boolean;
};

/** Sends a request with a JSON body. @throws ApiError for every answer that is not 2xx, unless `allow` lists it */
export async function askJson(
  ports: AdapterPorts,
  outgoing: Pick<WebRequest, 'method'> & { readonly path: string; readonly body?: unknown },
  signal: AbortSignal,
  allow: readonly number[] = [],
): Promise<{ readonly status: number; readonly body: unknown; readonly answer: WebAnswer }> {
  const { method, path, body } = outgoing;
  const answer = await ports.ask(
    {
      method,
      url: ports.address + path,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    },
    signal,
  );
  const { status } = answer;
  if ((status < 200 || status > 299) && !allow.includes(status)) throw faultOf(answer, ports.clock.now());
  return { status, body: jsonOf(answer), answer };
}

/**
 * The answers for one part of a batch. If a part gets no answer, the answers for the other parts are still returned.
 */
export async function answersOf(
  records: readonly Outgoing[],
  ask: () => Promise<readonly Answered[]>,
): Promise<readonly Answered[]> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isAnswered = isErrorAnswer(error);
    return records.map(() =>
      mayHaveArrived(error.errorClass) ? { kind: 'unknown', isAnswered } : { kind: 'again' },
    );
  }
}

/** Sends known records as updates, and all others as new records. Answers are in the order of `records`. */
export async function sendInParts(
  records: readonly Outgoing[],
  update: (known: readonly Outgoing[]) => Promise<readonly Answered[]>,
  create: (fresh: readonly Outgoing[]) => Promise<readonly Answered[]>,
): Promise<readonly Answered[]> {
  const known = records.filter(({ remoteId }) => remoteId !== null);
  const fresh = records.filter(({ remoteId }) => remoteId === null);
  const answers = new Map<Outgoing, Answered>();
  const keep = (part: readonly Outgoing[], said: readonly Answered[]): void =>
    part.forEach((record, at) => void answers.set(record, said[at] ?? { kind: 'again' }));
  keep(known, await update(known));
  keep(fresh, await (known.length === 0 ? create(fresh) : answersOf(fresh, () => create(fresh))));
  return records.map((record) => answers.get(record) ?? { kind: 'again' });
}

/**
 * Looks up records by external id. A record that is not found in this way is looked up by the destination's own id if
 * it is known, otherwise by the e-mail address. `byRemoteId` answers in the order of its ids. `email`: the property
 * of the address.
 */
export async function lookInTurn(
  sought: readonly Sought[],
  email: string,
  ways: {
    readonly byExternalId: (ids: readonly string[]) => Promise<readonly Found[]>;
    readonly byRemoteId: (ids: readonly string[]) => Promise<readonly (Found | null)[]>;
    readonly byAddress: (addresses: readonly string[]) => Promise<readonly Found[]>;
  },
): Promise<readonly (Found | null)[]> {
  const addressOf = (text: string | null | undefined): string => text?.trim().toLowerCase() ?? '';
  const ours = await ways.byExternalId(sought.map(({ externalId }) => externalId));
  const first = sought.map(
    ({ externalId }) => ours.find((record) => record.externalId === externalId) ?? null,
  );
  const missing = sought.filter((_, at) => first[at] === null);
  const ids = missing.flatMap(({ remoteId }) => remoteId ?? []);
  const known = await ways.byRemoteId(ids);
  const unknown = missing.flatMap((one) => (one.remoteId === null ? addressOf(one.email) : []));
  const addressed = await ways.byAddress([...new Set(unknown)].filter((address) => address !== ''));
  return sought.map((one, at) => {
    if (first[at] != null) return first[at];
    if (one.remoteId !== null) return known[ids.indexOf(one.remoteId)] ?? null;
    const address = addressOf(one.email);
    return address === ''
      ? null
      : (addressed.find(({ values }) => addressOf(values[email]) === address) ?? null);
  });
}

/** The ids of users by lower-case address. An address that two users share identifies neither. */
export function idsByAddress(
  users: readonly { readonly id: string; readonly email: string }[],
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const twice = new Set<string>();
  for (const { id, email } of users) {
    const address = email.trim().toLowerCase();
    if (ids.has(address)) twice.add(address);
    ids.set(address, id);
  }
  return new Map([...ids].filter(([address]) => address !== '' && !twice.has(address)));
}

/** The error of an answer. Its message names the status only, because staff read it in any language. */
export function faultOf({ status, headers }: WebAnswer, now: number): ApiError {
  const errorClass = classOfWebAnswer(status, headers['retry-after'] ?? null, now);
  return new ApiError(errorClass, `HTTP ${status}`, { cause: status });
}

/** Whether the destination answered the failed request with an error status. */
export function isErrorAnswer(error: unknown): boolean {
  return error instanceof ApiError && typeof error.cause === 'number';
}

/** Whether the destination may have executed the failed request. */
export function mayHaveArrived(errorClass: ErrorClass): boolean {
  return 'reached' in errorClass && errorClass.reached === 'maybe';
}

/** The body of an answer. @throws ApiError when it is not JSON, such as the sign-in page of a network */
export function jsonOf({ body }: WebAnswer): unknown {
  if (body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiError({ kind: 'stop', pause: 'notAPlatform', reached: 'maybe' }, 'the answer is not JSON');
  }
}
