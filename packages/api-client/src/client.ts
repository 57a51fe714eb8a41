/**
 * A typed client of the interface: `openapi-fetch` over the types in `interface.ts`.
 *
 *     const api = createApiClient({ baseUrl: 'http://127.0.0.1:8810/create/v2', key });
 *     const { data, error, response } = await api.GET('/expos/{expoId}', { params: { path: { expoId } } });
 *
 * - One call sends one request. The client never retries: `response.status` says what to do next.
 * - A revision is a `bigint` and keeps every digit in both directions.
 * - A redirect is an error, so the key never leaves `baseUrl`.
 */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './interface.ts';

/** How to reach a platform. */
export type Access = {
  /** The base address with its version segment. Use https outside this machine: the key travels with each request. */
  readonly baseUrl: string;
  /** The API key: the user name of Basic authentication, with an empty password. */
  readonly key: string;
};

/** Every operation of the interface by method and path. */
export type ApiClient = Client<paths>;

/** Makes a client. It holds no connection and needs no close. */
export function createApiClient({ baseUrl, key }: Access): ApiClient {
  const client = createClient<paths>({
    baseUrl,
    redirect: 'error',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      accept: 'application/json',
    },
    querySerializer: { array: { style: 'form', explode: false } },
    bodySerializer: (body: unknown) => (body instanceof Uint8Array ? body : stringify(body)),
  });
  client.use(exactRevisions);
  return client;
}

type ExactJson = {
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => unknown;
};

// The library types of TypeScript lack the reviver's context and `JSON.rawJSON`. Node.js 24 has both.
const exactJson = JSON as unknown as ExactJson;

function stringify(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? exactJson.rawJSON(member.toString()) : member,
  );
}

function parse(text: string): unknown {
  return exactJson.parse(text, (name, value, { source = '' }) =>
    name === 'revision' && /^\d+$/.test(source) ? BigInt(source) : value,
  );
}

/** Parses a JSON answer without rounding revisions. The confirmation of a deletion may be empty or plain text. */
const exactRevisions: Middleware = {
  onResponse: async ({ response }) => {
    if (!response.ok) return undefined;
    const text = await response.text();
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // openapi-fetch reads a body of known length through `json`, and does not read an empty one.
    headers.set('content-length', String(Buffer.byteLength(text)));
    const exact = new Response(text === '' ? null : text, { status, statusText, headers });
    const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
    return Object.assign(exact, { json: async () => (isJson ? parse(text) : text) });
  },
};
