/**
 * One request to the platform over the wire, and its answer.
 *
 * Invariants:
 * - HTTP/1.1 only, because HTTP/2 would multiplex past the limit of parallel requests. One request per connection at
 *   a time.
 * - Redirects are not followed, so the key never goes to another host.
 * - Nothing is sent to a pinned server before it has proved that it holds the pinned key.
 * - Answers are limited in time and in size.
 * - A fault states whether a write may have been sent. In doubt, it may have been.
 * - An answer with the id of another of our requests (`X-Request-Id`) is refused, and its connection is not used
 *   again.
 * - No key, URL or body in messages.
 */
import type { LookupFunction } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { Clock } from '../ports.ts';
import { ACCEPTED_ENCODING, plainOf } from './body.ts';
import { ApiError, classOfFault, isTlsFault } from './error-class.ts';
import { isPinned, WrongServer } from './server-key.ts';

/** Limits of one exchange. Times in milliseconds. */
export type Limits = {
  /** Until the connection is established, TLS included. */
  readonly connectMs: number;
  /** From the end of the request to the headers of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyMs: number;
  /** For the whole exchange, so that a slow answer cannot hold a slot for ever. */
  readonly totalMs: number;
  /** For the size of an answer, before and after decompression. */
  readonly answerBytes: number;
};

export const USUAL_LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 10_000,
  bodyMs: 20_000,
  totalMs: 60_000,
  answerBytes: 8 * 1024 * 1024,
};

export type ExchangeOptions = {
  readonly slots: number;
  readonly limits: Limits;
  /** Certificates (PEM) of a private authority, which replace the default ones. */
  readonly ca?: string | undefined;
  /** The only key that the server may have (`server-key.ts`), instead of certificate authorities. */
  readonly pin?: string | null | undefined;
  /** Lookup of host names, instead of the system's. */
  readonly lookup?: LookupFunction | undefined;
};

export type Method = 'GET' | 'POST';

/** A request below the origin: `path` with query, already escaped. */
export type Outgoing = {
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  readonly range?: ByteRange | undefined;
};

/** A request for a stream: it takes no slot and may last for days. */
export type StreamRequest = {
  readonly path: string;
  readonly lastEventId: string | null;
  /** Receives the status and type of the answer. A throw ends the stream. */
  readonly onAnswer: (answer: Pick<Incoming, 'status' | 'contentType'>) => void;
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
};

/** Bytes `first` to `last` (both included) of the resource with this entity tag. */
export type ByteRange = { readonly first: number; readonly last: number; readonly etag: string };

/** An answer of any status. */
export type Incoming = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
  readonly contentRange: string | null;
  /** The `Date` header as received. */
  readonly date: string | null;
  /** Wall time when the request was sent and when the headers of the answer arrived. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The same two times by the monotonic clock. */
  readonly sentMono: number;
  readonly receivedMono: number;
};

export type Exchange = {
  /** @throws ApiError for a fault below HTTP; the signal's reason when the caller aborted */
  readonly send: (request: Outgoing) => Promise<Incoming>;
  /**
   * Reads a stream on its own connection until the server ends it. There is no time limit: the caller aborts an
   * exchange on which nothing arrives.
   * @throws ApiError for a fault below HTTP; what `onAnswer` and `onBytes` throw; the signal's reason
   */
  readonly stream: (request: StreamRequest) => Promise<void>;
  readonly close: () => Promise<void>;
};

const DEADLINE = 'deadline';
const REQUEST_ID = 'x-request-id';

/** Exchanges with one origin. Every request carries `authorization`. */
export function createExchange(
  origin: string,
  authorization: string,
  clock: Clock,
  options: ExchangeOptions,
): Exchange {
  const { limits } = options;
  const beforeSending = new WeakSet<Error>();
  const open = (): Pool => openPool(origin, options, (error) => void beforeSending.add(error));
  let pool = open();
  // Distinguishes our requests from those of other devices. An answer with another id of this series is misplaced.
  const series = `${clock.now().toString(36)}-`;
  let count = 0;

  /** Discards all connections. Running calls on them fail and are handled as faults. */
  const renew = (): void => {
    const doubtful = pool;
    pool = open();
    void doubtful.destroy();
  };

  const exchange = async (
    { method, path, body, range }: Outgoing,
    signal: AbortSignal,
  ): Promise<Incoming> => {
    const sentAt = clock.now();
    const sentMono = clock.monotonic();
    count += 1;
    const requestId = series + String(count);
    const response = await pool.request({
      method,
      path,
      headers: { ...headersOf(authorization, requestId, body), ...(range ? rangeHeaders(range) : {}) },
      body,
      signal,
    });
    const receivedAt = clock.now();
    const receivedMono = clock.monotonic();
    const bytes = await response.body.bytes();
    const { headers } = response;
    const named = single(headers[REQUEST_ID]);
    // A gateway may answer with its own id. Only our own ids count.
    if (named !== null && named !== requestId && named.startsWith(series)) {
      renew();
      throw new Misplaced('the answer belongs to another request');
    }
    return {
      status: response.statusCode,
      contentType: single(headers['content-type']) ?? '',
      retryAfter: single(headers['retry-after']),
      contentRange: single(headers['content-range']),
      body: await plainOf(bytes, single(headers['content-encoding']), limits.answerBytes),
      date: single(headers.date),
      sentAt,
      receivedAt,
      sentMono,
      receivedMono,
    };
  };

  const stream = async ({ path, lastEventId, onAnswer, onBytes, signal }: StreamRequest): Promise<void> => {
    const own = openPool(origin, { ...options, slots: 1, limits: { ...limits, bodyMs: 0, answerBytes: -1 } });
    const close = (): void => void own.destroy();
    signal.addEventListener('abort', close, { once: true });
    try {
      const { statusCode, headers, body } = await own.request({
        method: 'GET',
        path,
        headers: {
          authorization,
          accept: 'text/event-stream',
          'cache-control': 'no-store',
          ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
        },
        signal,
      });
      onAnswer({ status: statusCode, contentType: single(headers['content-type']) ?? '' });
      for await (const bytes of body) onBytes(bytes as Uint8Array);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  };

  return {
    stream: async (request) => {
      try {
        await stream(request);
      } catch (error) {
        if (request.signal.aborted || error instanceof ApiError) throw error;
        const code = codeOf(error);
        throw new ApiError(classOfFault(code, false), `the stream failed: ${code || 'unknown fault'}`, {
          cause: code,
        });
      }
    },
    send: async (request) => {
      const { signal, method } = request;
      const bounds = boundsOf(signal, limits.totalMs);
      try {
        return await exchange(request, bounds.signal);
      } catch (error) {
        if (signal?.aborted === true) throw error;
        const code = codeOf(error);
        const mayHaveLeft = !(error instanceof Error && beforeSending.has(error));
        throw new ApiError(
          classOfFault(code, mayHaveLeft && method !== 'GET'),
          `${method} failed: ${code || 'unknown fault'}`,
          { cause: code },
        );
      } finally {
        bounds.clear();
      }
    },
    close: () => pool.destroy(),
  };
}

/** Connections to one origin. `onNotSent` receives faults from before anything could be sent. */
function openPool(
  origin: string,
  { slots, limits, ca, pin, lookup }: ExchangeOptions,
  onNotSent: (error: Error) => void = () => undefined,
): Pool {
  const isByPin = typeof pin === 'string' && origin.startsWith('https:');
  const connect = buildConnector({
    allowH2: false,
    timeout: limits.connectMs,
    // Every connection presents its certificate, and only the pin decides.
    ...(isByPin ? { rejectUnauthorized: false, maxCachedSessions: 0 } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(lookup === undefined ? {} : { lookup }),
  });
  return new Pool(origin, {
    connections: slots,
    pipelining: 1,
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [fault, socket] = result;
        const isWrong = isByPin && (fault === null ? !isPinned(socket, pin) : isTlsFault(codeOf(fault)));
        if (isWrong) socket?.destroy();
        const failure = isWrong ? new WrongServer('the server does not hold the pinned key') : fault;
        if (failure === null) return callback(...result);
        onNotSent(failure);
        callback(failure, null);
      }),
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    maxResponseSize: limits.answerBytes,
  });
}

function headersOf(
  authorization: string,
  requestId: string,
  body: Outgoing['body'],
): Readonly<Record<string, string>> {
  return {
    authorization,
    accept: 'application/json',
    'accept-encoding': ACCEPTED_ENCODING,
    [REQUEST_ID]: requestId,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  };
}

/** Requests the stored bytes of exactly this version. */
function rangeHeaders({ first, last, etag }: ByteRange): Readonly<Record<string, string>> {
  return {
    accept: 'application/octet-stream',
    'accept-encoding': 'identity',
    range: `bytes=${first}-${last}`,
    'if-range': etag,
  };
}

/** A signal that aborts with the caller's or after `limitMs`. Call `clear` when it is no longer needed. */
function boundsOf(
  signal: AbortSignal | undefined,
  limitMs: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const ours = new AbortController();
  const abort = (): void => ours.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  const deadline = setTimeout(() => ours.abort(new Deadline(DEADLINE)), limitMs);
  return {
    signal: ours.signal,
    clear: () => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    },
  };
}

class Misplaced extends Error {
  readonly code = 'ANSWER_OF_ANOTHER_REQUEST';
}

class Deadline extends Error {
  readonly code = DEADLINE;
}

function single(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : '';
}
