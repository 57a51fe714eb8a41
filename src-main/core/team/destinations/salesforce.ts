/**
 * Salesforce as a destination: the object Lead through the REST API.
 *
 * Sources:
 * - Read in a stored copy on 2026-11-25:
 *   developer.salesforce.com/docs/platform/api-rest/guide/resources-composite-sobjects-collections-upsert.html
 *   (up to 200 records, one result per record in order)
 * - Read in a stored copy on 2026-11-28:
 *   developer.salesforce.com/docs/atlas.en-us.258.0.api.meta/api/sforce_api_calls_concepts_core_data_objects.htm
 *   (status codes);
 *   help.salesforce.com/s/articleView?id=xcloud.data_about_transfer.htm (who may own and transfer a lead);
 *   developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm (403 with
 *   REQUEST_LIMIT_EXCEEDED), .../resources_composite_subrequest_result.htm, .../headers_api_usage.htm (version 230)
 * - From memory, not checked: REST API Developer Guide, "Query", "sObject Describe"
 *
 * Invariants:
 * - The external id is the custom field `Touchpoint_Id__c` (external id, unique), which an administrator
 *   creates.
 * - Queries are sent in the body of a composite request, because URLs are logged and a query may hold an
 *   address.
 */
import { z } from 'zod';
import type { PushReason } from '../../../contract/destinations.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { salesforceColumns } from '../formats/salesforce.ts';
import {
  type Adapter,
  type AdapterPorts,
  type Answered,
  askJson,
  type DestinationKind,
  type Found,
  idsByAddress,
  lookInTurn,
  sendInParts,
  type Values,
} from './adapter.ts';

const ID_FIELD = 'Touchpoint_Id__c';
const OPT_OUT = 'HasOptedOutOfEmail';
const OWNER = 'OwnerId';
const API = '/services/data/v62.0';
/** Records per query, so that its text stays below the 100,000 characters of a query. */
const PER_QUERY = 100;

const faultSchema = z.object({
  statusCode: z.string().optional(),
  errorCode: z.string().optional(),
  message: z.string().default(''),
});
const resultSchema = z.array(
  z.object({
    id: z.string().nullable().optional(),
    success: z.boolean(),
    errors: z.array(faultSchema).default([]),
  }),
);
const rowSchema = z.record(z.string(), z.unknown());
const pageSchema = z.object({
  records: z.array(rowSchema),
  done: z.boolean(),
  nextRecordsUrl: z.string().optional(),
});
const compositeSchema = z.object({
  compositeResponse: z.array(z.object({ httpStatusCode: z.number(), body: z.unknown() })),
});
const describeSchema = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      createable: z.boolean(),
      updateable: z.boolean(),
      nillable: z.boolean(),
      defaultedOnCreate: z.boolean(),
    }),
  ),
});

export const SALESFORCE: DestinationKind = {
  address: null,
  scopes: ['api', 'refresh_token'],
  // The wizard takes 1 and 0 for the checkbox, the interface true and false.
  columns: (setting) =>
    salesforceColumns(setting).map((column) =>
      column.property === OPT_OUT
        ? { ...column, most: 5, value: (lead) => String(column.value(lead) !== '0') }
        : column,
    ),
  owner: OWNER,
  reserved: new Map([
    [ID_FIELD.toLowerCase(), []],
    ['id', []],
    ['attributes', []],
    ['email', ['Email', 'lead.email']],
  ]),
  connect: createSalesforce,
  oauth: {
    authorize: '/services/oauth2/authorize',
    token: '/services/oauth2/token',
    revoke: '/services/oauth2/revoke',
  },
  permits: ({ method, path, body }) => {
    switch (method) {
      case 'GET':
        return path === `${API}/sobjects/Lead/describe`;
      case 'DELETE':
        return LENT_DELETION.test(path);
      case 'PATCH':
        return LENT_WRITES.has(path) && leadsSchema.safeParse(body).success;
      case 'POST':
        return path === `${API}/composite` && isLentQuery(body);
    }
  },
};

const LENT_DELETION = new RegExp(String.raw`^${API.replace('.', '[.]')}/sobjects/Lead/\w{1,18}$`, 'u');
/** The paths of writes. A path does not restrict the type of record, so the body is checked too. */
const LENT_WRITES = new Set([`${API}/composite/sobjects`, `${API}/composite/sobjects/Lead/${ID_FIELD}`]);
const leadsSchema = z.strictObject({
  allOrNone: z.literal(false),
  records: z.array(z.looseObject({ attributes: z.strictObject({ type: z.literal('Lead') }) })).max(200),
});
const lentQuerySchema = z.strictObject({
  compositeRequest: z.tuple([
    z.strictObject({ method: z.literal('GET'), url: z.string(), referenceId: z.string() }),
  ]),
});
const LIST = String.raw`'(?:[^'\\]|\\[\\'])*'`;
const LENT_QUERY = new RegExp(
  String.raw`^SELECT (?:\w+(?:, \w+)* FROM Lead WHERE (?:${ID_FIELD}|Id|Email) IN \(${LIST}(?:, ${LIST})*\) AND IsConverted = false` +
    String.raw`|Id, Email FROM User WHERE Email IN \(${LIST}(?:, ${LIST})*\) AND IsActive = true)$`,
  'u',
);

/**
 * Whether a composite request is one of this adapter's queries or a next page. A composite request could contain
 * anything.
 */
function isLentQuery(body: unknown): boolean {
  const { data } = lentQuerySchema.safeParse(body);
  if (data === undefined) return false;
  const [{ url }] = data.compositeRequest;
  if (/^\/services\/data\/v62\.0\/query\/[\w-]+$/u.test(url)) return true;
  const start = `${API}/query?q=`;
  if (!url.startsWith(start)) return false;
  const text = textOfQuery(url.slice(start.length));
  return text !== null && LENT_QUERY.test(text);
}

/** The query in a URL, decoded. Null if it is more than one encoded text, for example with a second parameter. */
function textOfQuery(written: string): string | null {
  try {
    const text = decodeURIComponent(written);
    return encodeURIComponent(text) === written ? text : null;
  } catch {
    return null;
  }
}

function createSalesforce(plain: AdapterPorts): Adapter {
  const ports: AdapterPorts = {
    ...plain,
    ask: async (outgoing, signal) => {
      const answer = await plain.ask(outgoing, signal);
      // The daily limit is answered with 403 (REQUEST_LIMIT_EXCEEDED): traffic, not a missing right.
      if (answer.status === 403 && answer.body.includes('REQUEST_LIMIT_EXCEEDED')) {
        throw new ApiError({ kind: 'busy', retryAfterMs: 300_000 }, 'the limit of requests is reached');
      }
      return answer;
    },
  };

  /** The rows of `select` whose field has one of the values and that meet `condition`. Null if the query was refused. */
  const rowsOf = async (
    select: string,
    values: readonly string[],
    condition: string,
    signal: AbortSignal,
  ): Promise<readonly z.infer<typeof rowSchema>[] | null> => {
    const rows: z.infer<typeof rowSchema>[] = [];
    for (let from = 0; from < values.length; from += PER_QUERY) {
      const list = values
        .slice(from, from + PER_QUERY)
        .map(quoted)
        .join(', ');
      const text = `SELECT ${select} IN (${list}) AND ${condition}`;
      let url: string | undefined = `${API}/query?q=${encodeURIComponent(text)}`;
      while (url !== undefined) {
        const { body } = await askJson(
          ports,
          {
            method: 'POST',
            path: `${API}/composite`,
            body: { compositeRequest: [{ method: 'GET', url, referenceId: 'leads' }] },
          },
          signal,
        );
        const part = compositeSchema.parse(body).compositeResponse[0];
        if (part === undefined || part.httpStatusCode !== 200) return null;
        const page = pageSchema.parse(part.body);
        rows.push(...page.records);
        url = page.done ? undefined : page.nextRecordsUrl;
      }
    }
    return rows;
  };

  const query = async (
    field: string,
    values: readonly string[],
    properties: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Found[]> => {
    const names = [...new Set(['Id', ID_FIELD, 'Email', ...properties])].join(', ');
    const rows = await rowsOf(`${names} FROM Lead WHERE ${field}`, values, 'IsConverted = false', signal);
    if (rows === null) throw new ApiError({ kind: 'stop', pause: 'forbidden' }, 'the query was refused');
    return rows.map(foundOf);
  };

  const write = async (
    path: string,
    records: readonly Readonly<Record<string, unknown>>[],
    signal: AbortSignal,
  ): Promise<readonly Answered[]> => {
    if (records.length === 0) return [];
    const { body } = await askJson(
      ports,
      {
        method: 'PATCH',
        path,
        body: {
          allOrNone: false,
          records: records.map((record) => ({ attributes: { type: 'Lead' }, ...record })),
        },
      },
      signal,
    );
    return resultSchema.parse(body).map(answeredOf);
  };

  return {
    batch: 200,
    look: (sought, properties, signal) =>
      lookInTurn(sought, 'Email', {
        byExternalId: (ids) => query(ID_FIELD, ids, properties, signal),
        byRemoteId: async (ids) => {
          const found = await query('Id', ids, properties, signal);
          return ids.map((id) => found.find(({ remoteId }) => remoteId === id) ?? null);
        },
        byAddress: (addresses) => query('Email', addresses, properties, signal),
      }),
    send: (records, signal) =>
      sendInParts(
        records,
        (known) => {
          const rows = known.map(({ externalId, remoteId, claims, values }) => ({
            id: remoteId,
            ...(claims ? { [ID_FIELD]: externalId } : {}),
            ...typed(values),
          }));
          return write(`${API}/composite/sobjects`, rows, signal);
        },
        (fresh) => {
          const rows = fresh.map(({ externalId, values }) => ({ [ID_FIELD]: externalId, ...typed(values) }));
          return write(`${API}/composite/sobjects/Lead/${ID_FIELD}`, rows, signal);
        },
      ),
    erase: async ({ remoteId }, signal) => {
      if (remoteId === null) return;
      const path = `${API}/sobjects/Lead/${encodeURIComponent(remoteId)}`;
      await askJson(ports, { method: 'DELETE', path }, signal, [404]);
    },
    properties: async (signal) => {
      const { body } = await askJson(ports, { method: 'GET', path: `${API}/sobjects/Lead/describe` }, signal);
      return describeSchema
        .parse(body)
        .fields.filter(({ createable, updateable, name }) => createable && updateable && name !== ID_FIELD)
        .map(({ name, label, nillable, defaultedOnCreate, type }) => ({
          name,
          label,
          required: !nillable && !defaultedOnCreate && type !== 'boolean',
        }));
    },
    owners: async (addresses, signal) => {
      const rows = await rowsOf('Id, Email FROM User WHERE Email', addresses, 'IsActive = true', signal);
      // Leads can be sent even if the user may not read users.
      return idsByAddress(
        (rows ?? []).map(({ Id, Email }) => ({ id: String(Id), email: String(Email ?? '') })),
      );
    },
    prepare: async (signal) => {
      const { body } = await askJson(ports, { method: 'GET', path: `${API}/sobjects/Lead/describe` }, signal);
      if (describeSchema.parse(body).fields.some(({ name }) => name === ID_FIELD)) return;
      throw new ApiError({ kind: 'stop', pause: 'takesNoScans' }, `the field ${ID_FIELD} is missing`);
    },
  };
}

function foundOf(row: Readonly<Record<string, unknown>>): Found {
  const values = Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? []
        : [[name, value === null ? '' : String(value)] as const],
    ),
  );
  return { remoteId: values.Id ?? '', externalId: values[ID_FIELD] || null, values };
}

function answeredOf({ id, success, errors }: z.infer<typeof resultSchema>[number]): Answered {
  if (success) return { kind: 'accepted', remoteId: id ?? null };
  const [fault] = errors;
  const code = fault?.statusCode ?? fault?.errorCode ?? '';
  if (code === 'UNABLE_TO_LOCK_ROW' || code === 'SERVER_UNAVAILABLE') return { kind: 'again' };
  // A message may quote a value, so only the code is stored.
  return { kind: 'refused', cause: CAUSES[code] ?? 'other', why: code };
}

const CAUSES: Readonly<Record<string, PushReason>> = {
  DUPLICATES_DETECTED: 'duplicate',
  DUPLICATE_VALUE: 'duplicate',
  REQUIRED_FIELD_MISSING: 'required',
  FIELD_CUSTOM_VALIDATION_EXCEPTION: 'invalid',
  INVALID_EMAIL_ADDRESS: 'invalid',
  STRING_TOO_LONG: 'invalid',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: 'invalid',
  INVALID_FIELD: 'invalid',
  // The owner is inactive, is no user, or may not read leads.
  INACTIVE_OWNER_OR_USER: 'invalid',
  INVALID_CROSS_REFERENCE_KEY: 'invalid',
  TRANSFER_REQUIRES_READ: 'invalid',
  ENTITY_IS_DELETED: 'deletedThere',
};

/** Checkboxes as booleans, no value as null. */
function typed(values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' ? null : name === OPT_OUT ? value === 'true' : value,
    ]),
  );
}

/** A text in a query (SOQL reference, "Quoted String Escape Sequences"). */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/gu, '\\$&').replace(/[\r\n]/gu, ' ')}'`;
}
