/**
 * The HTTP client: one request, one answer or one error class. It never retries (docs/laws.md#law-12).
 *
 * Invariants:
 * - All requests use the same semaphore, except `getBeside`, which uses the key's second slot (docs/laws.md#law-5), and
 *   streams, which need no slot.
 * - An answer that is not JSON never counts as an answer of the platform (docs/laws.md#law-6).
 * - Error messages contain no key, URL query or body.
 * - The wire format and its limits are in `exchange.ts`.
 */
import type { Clock } from '../ports.ts';
import { checkAddress } from './address.ts';
import { textOf } from './body.ts';
import { type ClockOffset, type DateSample, offsetFrom, withSample } from './clock-offset.ts';
import { ApiError, classOfAnswer, type ErrorClass, isJson } from './error-class.ts';
import { createEventParser, type ServerEvent } from './event-stream.ts';
import {
  type ByteRange,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type Incoming,
  type Limits,
  type Method,
  type Outgoing,
  type StreamRequest,
  USUAL_LIMITS,
} from './exchange.ts';
import { createSemaphore, type Urgency } from './semaphore.ts';
import { type AddressChoice, createAddressChoice, createSeveral } from './several-addresses.ts';

/** Address and key of the platform. `baseUrl` ends in the version segment. The key is the Basic user name. */
export type PlatformAccess = {
  readonly baseUrl: string;
  readonly key: string;
  readonly password: string;
  readonly expoId: string;
  /**
   * Pin of the server's key (`server-key.ts`). If null or absent, the certificate is checked against the certificate
   * authorities.
   */
  readonly pin?: string | null | undefined;
  /** Other addresses of the same server. The client tries them in this order when the server does not answer. */
  readonly others?: readonly string[] | undefined;
  /** The address in use. Clients that share this object always use the same address. */
  readonly choice?: AddressChoice | undefined;
};

/** Options with defaults. */
export type ClientOptions = {
  /**
   * Number of parallel requests. docs/interface/limits.md#parallel-requests allows two per key. A single device uses
   * one, and the second only for `getBeside` (docs/laws.md#law-5).
   */
  readonly slots?: 1 | 2;
  readonly limits?: Partial<Limits>;
  /** Allows plain http to a numeric address of a private network, for a platform on the premises. Default: off. */
  readonly privateHttp?: boolean;
  readonly ca?: ExchangeOptions['ca'];
  readonly lookup?: ExchangeOptions['lookup'];
};

export type Query = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** One request. `path` is relative to the base address, with escaped ids (`pathOf`). */
type ApiRequest = {
  readonly method: Method;
  readonly path: string;
  readonly query?: Query;
  /** JSON text. */
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: the urgency of its method. */
  readonly urgency?: Urgency | undefined;
};

/** The client interface of the device's loops. */
export type ApiClient = {
  /** GET. Returns the text of a JSON answer. Default `urgency`: download. @throws ApiError */
  readonly get: (path: string, query: Query, signal?: AbortSignal, urgency?: Urgency) => Promise<string>;
  /**
   * GET in the key's second slot, while the device may use the first. Absent if both slots are in use anyway.
   * Fails as `busy` without a request if a recent 429 shows that another device uses the key. @throws ApiError
   */
  readonly getBeside?: (path: string, query: Query, signal?: AbortSignal) => Promise<string>;
  /** GET. Returns the bytes of a JSON answer, for callers that store them unchanged. @throws ApiError */
  readonly getBytes: (path: string, query: Query, signal?: AbortSignal) => Promise<Uint8Array>;
  /** GET of a byte range. Absent if there is no HTTP. @throws ApiError */
  readonly getRange?: (path: string, range: ByteRange, signal?: AbortSignal) => Promise<Uint8Array>;
  /**
   * Reads a stream of server-sent events until the server ends it, on its own connection and without a slot. Absent
   * if there is no HTTP. @throws ApiError
   */
  readonly events?: (path: string, listener: EventListener, signal: AbortSignal) => Promise<void>;
  /** POST of a JSON text. Returns the text of the JSON answer. @throws ApiError */
  readonly post: (path: string, body: string, signal?: AbortSignal) => Promise<string>;
  /** Platform time minus ours in milliseconds, from the `Date` header. Null before the first answer. */
  readonly clockOffset: () => number | null;
  readonly close: () => Promise<void>;
};

/** The caller's handlers of a stream of events. */
export type EventListener = {
  /** Id of the last event that was processed, or null. */
  readonly lastEventId: string | null;
  readonly onEvent: (event: ServerEvent) => void;
  /** Called when any bytes arrive, including a comment. */
  readonly onAlive: () => void;
};

/** The key's second slot stays unused for this long after a 429. */
const KEY_IS_SHARED_MS = 10 * 60_000;

/** Longest event in characters. */
const LONGEST_EVENT = 8 * 1024 * 1024;

/** The client and its measurements. */
export type PlatformClient = ApiClient & {
  /** The clock offset and its uncertainty. Null before the first answer. */
  readonly platformClock: () => ClockOffset | null;
};

/**
 * A client with one connection pool.
 * @throws TypeError when the key must not be sent to `baseUrl` (see `address.ts`); its message is one sentence
 */
export function createClient(
  access: PlatformAccess,
  clock: Clock,
  options: ClientOptions = {},
): PlatformClient {
  const { slots = 1 } = options;
  const semaphore = createSemaphore(slots);
  const exchange = openExchange(access, clock, options);
  const main = { semaphore, exchange };
  const second =
    slots === 1 ? { semaphore: createSemaphore(1), exchange: openExchange(access, clock, options) } : null;
  let sharedUntil = Number.NEGATIVE_INFINITY;
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
    // A captive portal's clock says nothing about the platform's clock.
    if (errorClass?.kind !== 'stop' || errorClass.pause !== 'notAPlatform') readClock(answer);
    if (errorClass === null) return answer;
    if (errorClass.kind === 'busy') sharedUntil = clock.monotonic() + KEY_IS_SHARED_MS;
    const what = isJson(answer.contentType) ? '' : ' without JSON';
    throw new ApiError(errorClass, `${method} answered ${answer.status}${what}`);
  };

  const answerTo = (
    { method, path, query = {}, body, signal, urgency }: ApiRequest,
    range?: ByteRange,
    slot = main,
  ): Promise<Incoming> =>
    slot.semaphore.run(
      urgency ?? urgencyOf(method),
      async () => {
        const request = { method, path: path + queryText(query), body: body ?? null, signal, range };
        return judge(method, await slot.exchange.send(request), range);
      },
      signal,
    );
  const call = async (request: ApiRequest): Promise<string> => textOf((await answerTo(request)).body);
  const getBeside: ApiClient['getBeside'] = async (path, query, signal) => {
    if (second === null || clock.monotonic() < sharedUntil) {
      throw new ApiError({ kind: 'busy', retryAfterMs: null }, 'the second slot of the key is not ours now');
    }
    return textOf((await answerTo({ method: 'GET', path, query, signal }, undefined, second)).body);
  };
  const platformClock = (): ClockOffset | null => offsetFrom(samples, clock.now(), clock.monotonic());

  return {
    get: (path, query, signal, urgency) => call({ method: 'GET', path, query, signal, urgency }),
    ...(second === null ? {} : { getBeside }),
    getBytes: async (path, query, signal) => (await answerTo({ method: 'GET', path, query, signal })).body,
    getRange: async (path, range, signal) => (await answerTo({ method: 'GET', path, signal }, range)).body,
    events: async (path, { lastEventId, onEvent, onAlive }, signal) => {
      const parse = createEventParser(LONGEST_EVENT, onEvent);
      await exchange.stream({
        path,
        lastEventId,
        signal,
        onAnswer: ({ status, contentType }) => {
          if (status === 200 && /^text\/event-stream\b/i.test(contentType)) return;
          // An answer that is not a stream (a proxy's page, an older hub) is not read.
          throw new ApiError(
            status === 200
              ? { kind: 'stop', pause: 'notAPlatform' }
              : classOfAnswer({ status, contentType, retryAfter: null, body: '' }, clock.now()),
            `the stream answered ${status}`,
          );
        },
        onBytes: (bytes) => {
          onAlive();
          parse(bytes);
        },
      });
    },
    post: (path, body, signal) => call({ method: 'POST', path, body, signal }),
    clockOffset: () => platformClock()?.offsetMs ?? null,
    platformClock,
    close: async () => {
      await Promise.all([exchange.close(), second?.exchange.close()]);
    },
  };
}

/** Opens an exchange for each address of `access` and combines them into one. @throws TypeError as `createClient` */
function openExchange(access: PlatformAccess, clock: Clock, options: ClientOptions): Exchange {
  const addresses = [access.baseUrl, ...(access.others ?? [])];
  const authorization = `Basic ${Buffer.from(`${access.key}:${access.password}`).toString('base64')}`;
  const exchanges = addresses.map((text) => {
    const address = checkAddress(text, options.privateHttp ?? false);
    if (address.kind === 'refused') throw new TypeError(address.sentence);
    const root = address.url.pathname.replace(/\/+$/, '');
    const { send, stream, close } = createExchange(address.url.origin, authorization, clock, {
      slots: options.slots ?? 1,
      limits: { ...USUAL_LIMITS, ...options.limits },
      ca: options.ca,
      pin: access.pin,
      lookup: options.lookup,
    });
    return {
      send: (request: Outgoing) => send({ ...request, path: root + request.path }),
      stream: (request: StreamRequest) => stream({ ...request, path: root + request.path }),
      close,
    };
  });
  return createSeveral(exchanges, access.choice ?? createAddressChoice(exchanges.length));
}

function urgencyOf(method: Method): Urgency {
  return method === 'GET' ? 'download' : 'upload';
}

/** The error class of an unexpected answer, or null. */
function refusalOf(answer: Incoming, now: number): ErrorClass | null {
  if (answer.status < 200 || answer.status > 299)
    return classOfAnswer({ ...answer, body: textOf(answer.body) }, now);
  return isJson(answer.contentType) ? null : { kind: 'stop', pause: 'notAPlatform' };
}

/** The error class of an answer that is not exactly the requested range, or null. */
function refusalOfPiece({ first }: ByteRange, answer: Incoming, now: number): ErrorClass | null {
  const { status, body, contentRange } = answer;
  if (status < 200 || status > 299) return classOfAnswer({ ...answer, body: textOf(body) }, now);
  const [, from, to] = /^bytes (\d+)-(\d+)\//.exec(contentRange ?? '') ?? [];
  const isPiece = status === 206 && Number(from) === first && Number(to) - first + 1 === body.length;
  return isPiece ? null : { kind: 'reject', status, reason: 'the answer is not the requested byte range' };
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
