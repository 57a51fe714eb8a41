/**
 * One request to a service that is not the platform, such as a CRM.
 *
 * Invariants:
 * - HTTPS only, except on this machine.
 * - Redirects are not followed, so a token never goes to another host.
 * - Answers are limited in time and in size.
 * - The client never retries.
 * - Messages of errors contain no key, URL or body.
 */
import { Agent, errors, request } from 'undici';
import { ApiError, classOfFault } from './error-class.ts';

export type WebRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** `headers` have names in lower case. */
export type WebAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * @throws ApiError when no answer arrives or `isWebAddress` refuses the URL; the signal's reason when the caller
 * aborted
 */
export type SendWebRequest = (outgoing: WebRequest, signal: AbortSignal) => Promise<WebAnswer>;

type WebClient = { readonly send: SendWebRequest; readonly close: () => Promise<void> };

const LONGEST_MS = 30_000;
const MOST_BYTES = 8 * 1024 * 1024;

/** Whether requests may go to `address`: HTTPS, or this machine. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username } = new URL(address);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && isHere));
}

/** A client for any of these services. It keeps connections open until `close`. */
export function createWebClient(): WebClient {
  const agent = new Agent({
    connections: 2,
    connect: { timeout: 10_000 },
    headersTimeout: LONGEST_MS,
    bodyTimeout: LONGEST_MS,
    maxResponseSize: MOST_BYTES,
    allowH2: false,
  });
  return {
    send: async ({ method, url, headers, body }, signal) => {
      if (!isWebAddress(url))
        throw new ApiError({ kind: 'stop', pause: 'notAPlatform' }, 'not a web address');
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method,
          headers,
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
        });
        return {
          status: answer.statusCode,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]),
          ),
          body: await answer.body.text(),
        };
      } catch (error) {
        if (signal.aborted) throw error;
        const code = codeOf(error);
        throw new ApiError(classOfFault(code, method !== 'GET'), `${method} failed: ${code}`, {
          cause: code,
        });
      }
    },
    close: () => agent.destroy(),
  };
}

function codeOf(error: unknown): string {
  if (error instanceof errors.UndiciError) return error.code;
  if (typeof error !== 'object' || error === null) return 'unknown fault';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown fault';
}
