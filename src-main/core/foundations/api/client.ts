/**
 * The HTTP client: one request, one answer or one error class. It never retries (docs/laws.md#law-12).
 *
 * Invariants: every caller goes through one semaphore (docs/laws.md#law-5); an answer that is not JSON is never taken
 * for the word of the platform (docs/laws.md#law-6); no key, URL query or body in error messages. What goes over the wire and how it is bounded: `exchange.ts`.
 */
import type { Clock } from '../ports.ts';
import { checkAddress } from './address.ts';
import { textOf } from './body.ts';
import { type ClockOffset, type DateSample, offsetFrom, withSample } from './clock-offset.ts';
import { ApiError, classOfAnswer, type ErrorClass, isJson } from './error-class.ts';
import {
  type ByteRange,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type Incoming,
  type Limits,
  type Method,
  type Outgoing,
  USUAL_LIMITS,
} from './exchange.ts';
import { createSemaphore, type Urgency } from './semaphore.ts';
import { type AddressChoice, createAddressChoice, createSeveral } from './several-addresses.ts';

/** How to reach the platform. `baseUrl` ends in the version segment; the key is the Basic user name. */
export type PlatformAccess = {
  readonly baseUrl: string;
  readonly key: string;
  readonly password: string;
  readonly expoId: string;
  /** Pin of the key that an encrypted server must have (`server-key.ts`); null or absent: what authorities say. */
  readonly pin?: string | null | undefined;
  /** Where the same server may be found, too, asked in this order when it does not answer. */
  readonly others?: readonly string[] | undefined;
  /** Which of the addresses is in use; clients that share it move together. */
  readonly choice?: AddressChoice | undefined;
};

/** Options with defaults. */
export type ClientOptions = {
  /**
   * Requests at once: docs/interface/limits.md#parallel-requests allows two per key, one is what a single device
   * takes (docs/laws.md#law-5).
   */
  readonly slots?: 1 | 2;
  readonly limits?: Partial<Limits>;
  /** Plain http to a numeric address of a private network, for a platform on the premises. Off. */
  readonly privateHttp?: boolean;
  readonly ca?: ExchangeOptions['ca'];
  readonly lookup?: ExchangeOptions['lookup'];
};

export type Query = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** One call. `path` is below the base address with its ids escaped (`pathOf`). */
type ApiRequest = {
  readonly method: Method;
  readonly path: string;
  readonly query?: Query;
  /** JSON text. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** That of its method when absent. */
  readonly urgency?: Urgency | undefined;
};

/** What the two loops of the kiosk need. */
export type ApiClient = {
  /** GET; the text of a JSON answer. `urgency` is that of a download when absent. @throws ApiError */
  readonly get: (path: string, query: Query, signal?: AbortSignal, urgency?: Urgency) => Promise<string>;
  /** GET; the bytes of a JSON answer, for callers that keep them unchanged. @throws ApiError */
  readonly getBytes: (path: string, query: Query, signal?: AbortSignal) => Promise<Uint8Array>;
  /** GET of a piece of something large; absent where there is no HTTP. @throws ApiError */
  readonly getRange?: (path: string, range: ByteRange, signal?: AbortSignal) => Promise<Uint8Array>;
  /** POST of a JSON text; the text of the JSON answer. @throws ApiError */
  readonly post: (path: string, body: string, signal?: AbortSignal) => Promise<string>;
  /** Platform time minus ours in milliseconds, from the `Date` header; null before the first answer. */
  readonly clockOffset: () => number | null;
  readonly close: () => Promise<void>;
};

/** The client with what it measures. */
export type PlatformClient = ApiClient & {
  /** Our clock against the platform's, with how sure that is; null before the first answer. */
  readonly platformClock: () => ClockOffset | null;
};

/**
 * A client over one connection pool.
 *
 * @throws TypeError when the key must not be sent to `baseUrl` (see `address.ts`); its message is one sentence
 */
export function createClient(
  access: PlatformAccess,
  clock: Clock,
  options: ClientOptions = {},
): PlatformClient {
  const semaphore = createSemaphore(options.slots ?? 1);
  const exchange = openExchange(access, clock, options);
  let samples: readonly DateSample[] = [];

  const readClock = (answer: Incoming): void => {
    const date = Date.parse(answer.date ?? '');
    if (!Number.isFinite(date)) return;
    const { sentAt, receivedAt, sentMono, receivedMono } = answer;
    samples = withSample(samples, {
      date,
      sentAt,
      receivedAt,
      mono: receivedMono,
      monoTrip: receivedMono - sentMono,
    });
  };

  const judge = (method: Method, answer: Incoming, range?: ByteRange): Incoming => {
    const errorClass = range ? refusalOfPiece(range, answer, clock.now()) : refusalOf(answer, clock.now());
    // A portal's clock is not the platform's.
    if (errorClass?.kind !== 'stop' || errorClass.pause !== 'notAPlatform') readClock(answer);
    if (errorClass === null) return answer;
    const what = isJson(answer.contentType) ? '' : ' without JSON';
    throw new ApiError(errorClass, `${method} answered ${answer.status}${what}`);
  };

  const answerTo = (
    { method, path, query = {}, body, signal, urgency }: ApiRequest,
    range?: ByteRange,
  ): Promise<Incoming> =>
    semaphore.run(
      urgency ?? urgencyOf(method),
      async () => {
        const request = { method, path: path + queryText(query), body: body ?? null, signal, range };
        return judge(method, await exchange.send(request), range);
      },
      signal,
    );
  const call = async (request: ApiRequest): Promise<string> => textOf((await answerTo(request)).body);
  const platformClock = (): ClockOffset | null => offsetFrom(samples, clock.now(), clock.monotonic());

  return {
    get: (path, query, signal, urgency) => call({ method: 'GET', path, query, signal, urgency }),
    getBytes: async (path, query, signal) => (await answerTo({ method: 'GET', path, query, signal })).body,
    getRange: async (path, range, signal) => (await answerTo({ method: 'GET', path, signal }, range)).body,
    post: (path, body, signal) => call({ method: 'POST', path, body, signal }),
    clockOffset: () => platformClock()?.offsetMs ?? null,
    platformClock,
    close: exchange.close,
  };
}

/** Exchanges below the base address of `access`, or below each of its addresses. @throws TypeError as `createClient` */
function openExchange(access: PlatformAccess, clock: Clock, options: ClientOptions): Exchange {
  const addresses = [access.baseUrl, ...(access.others ?? [])];
  const authorization = `Basic ${Buffer.from(`${access.key}:${access.password}`).toString('base64')}`;
  const exchanges = addresses.map((text) => {
    const address = checkAddress(text, options.privateHttp ?? false);
    if (address.kind === 'refused') throw new TypeError(address.sentence);
    const root = address.url.pathname.replace(/\/+$/, '');
    const { send, close } = createExchange(address.url.origin, authorization, clock, {
      slots: options.slots ?? 1,
      limits: { ...USUAL_LIMITS, ...options.limits },
      ca: options.ca,
      pin: access.pin,
      lookup: options.lookup,
    });
    return { send: (request: Outgoing) => send({ ...request, path: root + request.path }), close };
  });
  return createSeveral(exchanges, access.choice ?? createAddressChoice(exchanges.length));
}

function urgencyOf(method: Method): Urgency {
  return method === 'GET' ? 'download' : 'upload';
}

/** The error class of an answer that is not what was asked for, or null. */
function refusalOf(answer: Incoming, now: number): ErrorClass | null {
  if (answer.status < 200 || answer.status > 299)
    return classOfAnswer({ ...answer, body: textOf(answer.body) }, now);
  return isJson(answer.contentType) ? null : { kind: 'stop', pause: 'notAPlatform' };
}

/** The error class of an answer that is not the very piece that was asked for, or null. */
function refusalOfPiece({ first }: ByteRange, answer: Incoming, now: number): ErrorClass | null {
  const { status, body, contentRange } = answer;
  if (status < 200 || status > 299) return classOfAnswer({ ...answer, body: textOf(body) }, now);
  const [, from, to] = /^bytes (\d+)-(\d+)\//.exec(contentRange ?? '') ?? [];
  const isPiece = status === 206 && Number(from) === first && Number(to) - first + 1 === body.length;
  return isPiece
    ? null
    : { kind: 'reject', status, reason: 'the answer is not the piece that was asked for' };
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
