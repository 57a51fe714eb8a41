/**
 * The meaning of an answer: maps a status code or a network error to an error class (docs/laws.md#law-12). Pure.
 *
 * Invariants:
 * - 429 means load, not failure.
 * - 400 "Expo not found", 401, 403, TLS and DNS faults stop the queue (docs/laws.md#law-6).
 * - The page of a proxy or of another service is not an answer of the platform.
 * - Any other 4xx answer of the platform except 408, for example 422, rejects the request.
 */
import type { Pause } from '../../../contract/device.ts';
import { parseJson } from './json.ts';

/** What to do next. */
export type ErrorClass =
  /** Too many requests: wait and retry. This does not count as an attempt. */
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  /** Every request fails until staff change something. Probe at intervals. `reached`: as for `retry`. */
  | { readonly kind: 'stop'; readonly pause: Pause; readonly reached?: 'maybe' }
  /** Retry with back-off. `reached`: whether the platform may have processed it. */
  | { readonly kind: 'retry'; readonly reached: 'no' | 'maybe' }
  /** This request is refused permanently. `faults`: the platform's faults by field (422). */
  | {
      readonly kind: 'reject';
      readonly status: number;
      readonly reason: string;
      readonly faults?: readonly FieldFault[];
    };

/** One entry of `errors` in the body of a 422 (docs/interface/undocumented.md#errors). */
type FieldFault = { readonly field: string; readonly error: string; readonly description: string };

/** Thrown by the client. `message` contains no personal data. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errorClass: ErrorClass;
  constructor(errorClass: ErrorClass, message: string, options?: ErrorOptions) {
    super(message, options);
    this.errorClass = errorClass;
  }
}

/** Whether an error means that the key lacks the right to this resource only. */
export function isMissingRight(error: unknown): boolean {
  return (
    error instanceof ApiError && error.errorClass.kind === 'stop' && error.errorClass.pause === 'forbidden'
  );
}

/** Whether an error means that this request is refused, permanently or because the key lacks a right. */
export function isRefusal(error: unknown): boolean {
  return (error instanceof ApiError && error.errorClass.kind === 'reject') || isMissingRight(error);
}

/** The parts of an answer that determine its class. */
type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly body: string;
};

/** Class of a non-2xx answer. `now` is wall time for a `Retry-After` date (RFC 9110, section 10.2.3). */
export function classOfAnswer(answer: Answer, now: number): ErrorClass {
  const { status } = answer;
  if (status === 429) return { kind: 'busy', retryAfterMs: retryAfterMs(answer.retryAfter, now) };
  if (status === 408 || status >= 500) return { kind: 'retry', reached: 'maybe' };
  const problem = problemOf(answer);
  // A captive portal, a proxy or another service answers with its own page. It is not the platform's answer.
  if (problem === null && (isPage(answer) || !SAYS_ENOUGH.has(status))) {
    return { kind: 'stop', pause: 'notAPlatform' };
  }
  if (status === 401) return { kind: 'stop', pause: 'keyRefused' };
  if (status === 403) return { kind: 'stop', pause: 'forbidden' };
  if (status === 400 && /expo/i.test(problem?.title ?? '')) return { kind: 'stop', pause: 'noEvent' };
  if (status >= 300 && status < 400) return { kind: 'stop', pause: 'notAPlatform' };
  const faults = problem?.faults ?? [];
  return {
    kind: 'reject',
    status,
    reason: reasonOf(problem?.title ?? `status ${status}`, faults),
    ...(faults.length === 0 ? {} : { faults }),
  };
}

/** Class of a non-2xx answer of a service that is not the platform, by its status alone. `now` as above. */
export function classOfWebAnswer(status: number, retryAfter: string | null, now: number): ErrorClass {
  if (status === 429) return { kind: 'busy', retryAfterMs: retryAfterMs(retryAfter, now) };
  if (status === 408 || status >= 500) return { kind: 'retry', reached: 'maybe' };
  if (status === 401) return { kind: 'stop', pause: 'keyRefused' };
  if (status === 403) return { kind: 'stop', pause: 'forbidden' };
  if (status < 400) return { kind: 'stop', pause: 'notAPlatform' };
  return { kind: 'reject', status, reason: `status ${status}` };
}

/** Statuses that are clear without the documented error body. */
const SAYS_ENOUGH = new Set([401, 403, 404, 405]);

function isPage({ contentType }: Answer): boolean {
  return /html/i.test(contentType);
}

function reasonOf(title: string, [first]: readonly FieldFault[]): string {
  return first === undefined ? title : `${title}: ${first.field} ${first.description}`.trim().slice(0, 300);
}

/**
 * Class of a failure below HTTP.
 * @param sent whether part of a request that changes something may have been sent
 */
export function classOfFault(code: string, sent: boolean): ErrorClass {
  if (code === 'WRONG_SERVER') return { kind: 'stop', pause: 'wrongHub' };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code.startsWith('CERT_') || TLS_CODES.has(code)) {
    return { kind: 'stop', pause: 'tls' };
  }
  // If nothing was sent that changes something, a TLS fault means that the server is not the platform. Otherwise it
  // counts as a network fault.
  if (!sent && isTlsFault(code)) return { kind: 'stop', pause: 'tls' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'stop', pause: 'addressUnknown' };
  if (
    code === 'ECONNREFUSED' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code.startsWith('ENET') ||
    code.startsWith('EHOST')
  ) {
    return { kind: 'retry', reached: 'no' };
  }
  return { kind: 'retry', reached: sent ? 'maybe' : 'no' };
}

/** Whether a code means that a TLS connection failed or broke. */
export function isTlsFault(code: string): boolean {
  return /^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code);
}

const TLS_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
]);

/** `Retry-After` in milliseconds: seconds or an HTTP date. Null when absent or unreadable. At most five minutes. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  const seconds = /^\d{1,6}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), 300_000) : null;
}

/** The documented error body (status, title, type). Null when the answer has none. */
function problemOf(
  answer: Answer,
): { readonly title: string; readonly faults: readonly FieldFault[] } | null {
  if (!isJson(answer.contentType)) return null;
  try {
    const body = parseJson(answer.body);
    if (typeof body !== 'object' || body === null || !('title' in body)) return null;
    const { title, errors } = body as Record<string, unknown>;
    return { title: String(title).slice(0, 200), faults: faultsOf(errors) };
  } catch {
    // Without a readable body the status alone decides.
    return null;
  }
}

function faultsOf(errors: unknown): readonly FieldFault[] {
  return (Array.isArray(errors) ? errors : []).slice(0, 50).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { field, error, description } = entry as Record<string, unknown>;
    return [{ field: wordOf(field), error: wordOf(error), description: wordOf(description) }];
  });
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

/** Whether a content type is JSON. */
export function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType);
}
