/**
 * Salesforce's leads, as its REST API Developer Guide describes them.
 *
 * Sources:
 * - Read in a stored copy on 2026-11-25:
 *   developer.salesforce.com/docs/platform/api-rest/guide/resources-composite-sobjects-collections-upsert.html
 * - Read in a stored copy on 2026-11-28:
 *   help.salesforce.com/s/articleView?id=005316711 (rotation of refresh tokens: each is valid once; a second use
 *   revokes the access)
 *   developer.salesforce.com/docs/atlas.en-us.258.0.api.meta/api/sforce_api_calls_concepts_core_data_objects.htm
 *   (status codes)
 *   developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_composite_subrequest_result.htm
 * - From memory, not checked: REST API Developer Guide, "Query" (pages of results), "sObject Describe";
 *   Salesforce help: "OAuth 2.0 Web Server Flow with PKCE"
 *
 * A batch has one result per record. Required fields, lengths, addresses, a validation rule and a duplicate rule
 * apply per record. A lead gets an owner, the connected user unless another one is named. Access tokens expire, and a
 * refresh token gives a new one of both. A page of a query has 20 records.
 */
import { createHash } from 'node:crypto';
import { type Double, type Reply, type Request, startDouble } from './double.ts';

const LENGTHS: Readonly<Record<string, number>> = {
  FirstName: 40,
  LastName: 80,
  Company: 255,
  Title: 128,
  Email: 80,
  Phone: 40,
  MobilePhone: 40,
  Street: 255,
  City: 40,
  PostalCode: 20,
  Country: 80,
  LeadSource: 255,
  Rating: 255,
  Description: 32_000,
  HasOptedOutOfEmail: 5,
  OwnerId: 18,
  Touchpoint_Id__c: 255,
  Stand_Note__c: 255,
};
const PAGE = 20;
/** The user who owns a lead for which no owner was given. */
const CONNECTED_USER = '005000000000001AAA';
const API = '/services/data/v62.0';

type Row = Readonly<Record<string, unknown>>;

export type SalesforceDouble = Double & {
  /** Ends every access token. Refresh tokens stay. */
  readonly expire: () => void;
  /** Refuses refresh tokens, as after a revocation. */
  readonly revokeAll: () => void;
  /** A refresh token, as after a sign-in. */
  readonly signIn: () => string;
};

/** Starts the double. `required`: a custom field that must be set, or null. */
export async function startSalesforce(
  fraction: () => number,
  token: string,
  required: string | null = null,
): Promise<SalesforceDouble> {
  const challenges = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const refreshTokens = new Set<string>();
  const spent = new Set<string>();
  const pages = new Map<string, readonly unknown[]>();
  let made = 0;

  const query = (double: Double, text: string): Reply => {
    const users = /^SELECT Id, Email FROM User WHERE Email IN \((.*)\) AND IsActive = true$/su.exec(text);
    if (users !== null) {
      if (!double.readsUsers) return { status: 400, body: [{ errorCode: 'INVALID_TYPE' }] };
      const wanted = textsIn(users[1] ?? '');
      const found = double.users.filter(
        ({ email, isActive }) => isActive && email !== null && wanted.includes(email.toLowerCase()),
      );
      return { status: 200, body: page(found.map(({ id, email }) => ({ Id: id, Email: email }))) };
    }
    const parsed = /^SELECT (.+) FROM Lead WHERE (\w+) IN \((.*)\) AND IsConverted = false$/su.exec(text);
    if (parsed === null) return { status: 400, body: [{ errorCode: 'MALFORMED_QUERY' }] };
    const [, names = '', field = '', list = ''] = parsed;
    const wanted = textsIn(list);
    const rows = [...double.records.values()].flatMap((record) => {
      const shown = double.see(record);
      if (shown === null || record.mergedInto !== null) return [];
      const row: Row = { attributes: { type: 'Lead' }, Id: record.id, ...shown };
      if (!wanted.includes(String(row[field] ?? '').toLowerCase())) return [];
      const picked = names.split(', ').map((name) => [name, typedOf(name, row[name])] as const);
      return [{ attributes: row.attributes, ...Object.fromEntries(picked) }];
    });
    return { status: 200, body: page(rows) };
  };
  const page = (rows: readonly unknown[]): unknown => {
    const rest = rows.slice(PAGE);
    if (rest.length === 0) return { totalSize: rows.length, done: true, records: rows };
    const nextRecordsUrl = `${API}/query/more-${pages.size}`;
    pages.set(nextRecordsUrl, rest);
    return { totalSize: rows.length, done: false, nextRecordsUrl, records: rows.slice(0, PAGE) };
  };

  const faultOf = (double: Double, row: Row, own: string | null): string | null => {
    for (const [name, value] of Object.entries(row)) {
      if (name === 'attributes' || name === 'id') continue;
      const most = LENGTHS[name];
      if (most === undefined) return 'INVALID_FIELD';
      if (String(value ?? '').length > most) return 'STRING_TOO_LONG';
    }
    if (own === null && (!row.LastName || !row.Company)) return 'REQUIRED_FIELD_MISSING';
    if (own === null && required !== null && !row[required]) return 'REQUIRED_FIELD_MISSING';
    if (row.Email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(String(row.Email))) return 'INVALID_EMAIL_ADDRESS';
    if (row.OwnerId !== undefined && row.OwnerId !== CONNECTED_USER) {
      const owner = double.users.find(({ id }) => id === row.OwnerId);
      if (owner === undefined) return 'INVALID_CROSS_REFERENCE_KEY';
      if (!owner.isActive) return 'INACTIVE_OWNER_OR_USER';
    }
    if (/^forbidden/iu.test(String(row.Company ?? ''))) return 'FIELD_CUSTOM_VALIDATION_EXCEPTION';
    const isTwin = [...double.records.values()].some(
      ({ id, values }) => id !== own && row.Email && values.Email === String(row.Email).toLowerCase(),
    );
    return own === null && isTwin ? 'DUPLICATES_DETECTED' : null;
  };

  const write = (double: Double, rows: readonly Row[], externalField: string | null): Reply => {
    if (rows.length > 200) return { status: 400, body: [{ errorCode: 'INVALID_BATCH_SIZE' }] };
    const out = double.leavesOut() ? Math.floor(rows.length / 2) : -1;
    const results = rows.map((row, at) => {
      const record =
        externalField === null
          ? double.records.get(String(row.id))
          : [...double.records.values()].find(({ values }) => values[externalField] === row[externalField]);
      if (record?.mergedInto != null || (externalField === null && record === undefined)) {
        return failed('ENTITY_IS_DELETED');
      }
      const fault = at === out ? 'UNABLE_TO_LOCK_ROW' : faultOf(double, row, record?.id ?? null);
      if (fault !== null) return failed(fault);
      const values = Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) =>
          name === 'attributes' || name === 'id' ? [] : [[name, storedOf(name, value)] as const],
        ),
      );
      const stored = record ?? double.create({ OwnerId: CONNECTED_USER, ...values });
      if (record !== undefined) double.write(record, values);
      return { id: stored.id, success: true, errors: [], created: record === undefined };
    });
    return { status: 200, body: results };
  };

  const tokens = (double: Double): Reply => {
    made += 1;
    const access = `sf-access-${made}-${'x'.repeat(12)}`;
    const refresh = `sf-refresh-${made}-${'x'.repeat(12)}`;
    double.tokens.add(access);
    refreshTokens.add(refresh);
    return {
      status: 200,
      body: { access_token: access, refresh_token: refresh, instance_url: double.address },
    };
  };
  const oauth = ({ path, query: search, text }: Request, double: Double): Reply => {
    const form = new URLSearchParams(text);
    if (path.endsWith('/authorize')) {
      const code = `code-${challenges.size}`;
      challenges.set(code, {
        challenge: search.get('code_challenge') ?? '',
        redirect: search.get('redirect_uri') ?? '',
      });
      const target = new URL(search.get('redirect_uri') ?? '');
      target.search = new URLSearchParams({ code, state: search.get('state') ?? '' }).toString();
      return { status: 302, headers: { location: target.href } };
    }
    if (path.endsWith('/revoke')) {
      return { status: refreshTokens.delete(form.get('token') ?? '') ? 200 : 400 };
    }
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? '';
      if (refreshTokens.delete(given)) {
        spent.add(given);
        return tokens(double);
      }
      if (spent.has(given)) {
        refreshTokens.clear();
        double.tokens.clear();
      }
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const known = challenges.get(form.get('code') ?? '');
    challenges.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = known?.challenge === proof && known.redirect === form.get('redirect_uri');
    return fits ? tokens(double) : { status: 400, body: { error: 'invalid_grant' } };
  };

  const answer = (request: Request, double: Double): Reply => {
    const { method, path, body } = request;
    if (path.startsWith('/services/oauth2/')) return oauth(request, double);
    if (path === `${API}/composite`) {
      const { compositeRequest } = body as { compositeRequest: readonly { readonly url: string }[] };
      const compositeResponse = compositeRequest.map(({ url }) => {
        const more = pages.get(url);
        const reply =
          more === undefined
            ? query(double, new URL(url, 'http://x').searchParams.get('q') ?? '')
            : { status: 200, body: page(more) };
        return { httpStatusCode: reply.status, body: reply.body };
      });
      return { status: 200, body: { compositeResponse } };
    }
    if (path === `${API}/sobjects/Lead/describe`) {
      const fields = Object.keys(LENGTHS).map((name) => ({
        name,
        label: name.replace('__c', '').replace(/(?<=[a-z])(?=[A-Z])|_/gu, ' '),
        type: name === 'HasOptedOutOfEmail' ? 'boolean' : 'string',
        createable: true,
        updateable: true,
        nillable: name !== 'LastName' && name !== 'Company' && name !== required,
        defaultedOnCreate: false,
      }));
      return { status: 200, body: { fields }, headers: { 'sforce-limit-info': 'api-usage=18/5000' } };
    }
    const rows = (body as { records?: readonly Row[] } | null)?.records ?? [];
    if (method === 'PATCH' && path === `${API}/composite/sobjects`) return write(double, rows, null);
    const external = new RegExp(`^${API}/composite/sobjects/Lead/(\\w+)$`, 'u').exec(path)?.[1];
    if (method === 'PATCH' && external !== undefined) return write(double, rows, external);
    const id = new RegExp(`^${API}/sobjects/Lead/(\\w+)$`, 'u').exec(path)?.[1];
    if (method === 'DELETE' && id !== undefined) {
      return double.records.delete(id)
        ? { status: 204 }
        : { status: 404, body: [{ errorCode: 'NOT_FOUND' }] };
    }
    return { status: 404, body: [{ errorCode: 'NOT_FOUND' }] };
  };

  const double = await startDouble(fraction, answer, (path) => path.startsWith('/services/oauth2/'));
  double.tokens.add(token);
  return Object.assign(double, {
    expire: () => double.tokens.clear(),
    revokeAll: () => refreshTokens.clear(),
    signIn: () => {
      refreshTokens.add('sf-refresh-first');
      return 'sf-refresh-first';
    },
  });
}

function failed(statusCode: string): Row {
  return { id: null, success: false, errors: [{ statusCode, message: 'refused', fields: [] }] };
}

/** The texts of a list in a query, in lower case. */
function textsIn(list: string): readonly string[] {
  return [...list.matchAll(/'((?:[^'\\]|\\.)*)'/gsu)].map(([, value = '']) =>
    value.replace(/\\(.)/gu, '$1').toLowerCase(),
  );
}

function storedOf(name: string, value: unknown): string {
  const text = String(value ?? '').trim();
  return name === 'Email' ? text.toLowerCase() : text;
}

function typedOf(name: string, value: unknown): unknown {
  if (name === 'HasOptedOutOfEmail') return value === 'true';
  return value === '' || value === undefined ? null : value;
}
