/**
 * The HTTP client: one request, one verdict. It never retries (law 12).
 *
 * Invariants: HTTP/1.1 only (HTTP/2 would multiplex past the limit of parallel requests); redirects are not
 * followed, so the key never travels elsewhere; bodies are bounded; no key, URL query or body in error messages.
 */
import { Pool } from 'undici';
import type { Clock } from '../ports.ts';
import { createLane, type Urgency } from './lane.ts';
import { type Answer, ApiError, isJson, verdictOf, verdictOfFault } from './verdict.ts';

/** How to reach the platform. `baseUrl` ends in the version segment; the key is the Basic user name. */
export type PlatformAccess = {
  readonly baseUrl: string;
  readonly key: string;
  readonly password: string;
  readonly expoId: string;
};

export type Query = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

export type ApiClient = {
  /** GET; the text of a JSON answer. @throws ApiError */
  readonly get: (path: string, query: Query, signal?: AbortSignal) => Promise<string>;
  /** POST of a JSON text; the text of the JSON answer. @throws ApiError */
  readonly post: (path: string, body: string, signal?: AbortSignal) => Promise<string>;
  /** Platform time minus ours in milliseconds, from the `Date` header; null before the first answer. */
  readonly clockOffset: () => number | null;
  readonly close: () => Promise<void>;
};

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Law 5: two are allowed per key, one is what a single device takes. */
const SLOTS = 1;

/** A client over one connection pool. @throws TypeError when `baseUrl` is not an http(s) address */
export const createClient = (access: PlatformAccess, clock: Clock): ApiClient => {
  const base = new URL(access.baseUrl);
  const root = base.pathname.replace(/\/$/, '');
  const authorization = `Basic ${Buffer.from(`${access.key}:${access.password}`).toString('base64')}`;
  const lane = createLane(SLOTS);
  const pool = new Pool(base.origin, {
    connections: SLOTS,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 10_000,
    bodyTimeout: 20_000,
    connectTimeout: 10_000,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  let offset: number | null = null;

  const exchange = async (
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const started = clock.now();
    try {
      const response = await pool.request({
        method,
        path: root + path,
        headers: {
          authorization,
          accept: 'application/json',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
        signal: signal ?? null,
      });
      const text = await response.body.text();
      offset = offsetOf(response.headers.date, started, clock.now()) ?? offset;
      return {
        status: response.statusCode,
        contentType: single(response.headers['content-type']) ?? '',
        retryAfter: single(response.headers['retry-after']),
        body: text,
      };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const code = codeOf(error);
      throw new ApiError(verdictOfFault(code, body !== null), `${method} failed: ${code || 'unknown fault'}`);
    }
  };

  const call = (
    urgency: Urgency,
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    signal: AbortSignal | undefined,
  ): Promise<string> =>
    lane.run(
      urgency,
      async () => {
        const answer = await exchange(method, path, body, signal);
        if (answer.status < 200 || answer.status > 299) {
          throw new ApiError(verdictOf(answer, clock.now()), `${method} answered ${answer.status}`);
        }
        if (!isJson(answer.contentType)) {
          throw new ApiError(
            { kind: 'stop', pause: 'notAPlatform' },
            `${method} answered ${answer.status} without JSON`,
          );
        }
        return answer.body;
      },
      signal,
    );

  return {
    get: (path, query, signal) => call('download', 'GET', path + queryText(query), null, signal),
    post: (path, body, signal) => call('upload', 'POST', path, body, signal),
    clockOffset: () => offset,
    close: () => pool.destroy(),
  };
};

const queryText = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
};

const single = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null;

// The header has whole seconds, cut off; half a second and half the round trip bring it to the middle.
const offsetOf = (header: string | string[] | undefined, started: number, ended: number): number | null => {
  const date = Date.parse(single(header) ?? '');
  return Number.isFinite(date) ? Math.round(date + 500 - (started + ended) / 2) : null;
};

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : '';
};
