/**
 * One notification: an HTTP GET to a target with `expoId` and `webhookId` (docs/interface/webhooks.md#delivery).
 *
 * Invariants
 * - The target must answer within 30 seconds.
 * - Only a 2xx is a success. Redirects are not followed, so a public target cannot send us to a private one.
 * - Of the target's answer, only the status is kept. At most 16 kB of the body are read, for at most a second.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from './clock.ts';
import { answerTime } from './round.ts';
import { hostOf, isPublicAddress, publicLookup, RefusedTarget, type Resolve } from './target.ts';

/** The result of a call; `reason` is one short sentence without a full stop, for the webhook's `lastError`. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type Call = {
  readonly url: string;
  readonly expoId: string;
  readonly webhookId: string;
};

const longestBody = 16_384;
const bodyTime = 1000;

function addressOf({ url, expoId, webhookId }: Call): URL {
  const address = new URL(url);
  address.searchParams.set('expoId', expoId);
  address.searchParams.set('webhookId', webhookId);
  address.hash = '';
  return address;
}

function outcomeOf(status: number): Outcome {
  return status >= 200 && status < 300
    ? { ok: true }
    : { ok: false, reason: `The target answered ${status}` };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof RefusedTarget) return error.message;
  return `The target cannot be reached (${error.code ?? 'unknown reason'})`;
}

/** Reads the rest of an answer, up to a limit, so that the target can close the connection normally. */
function drain(response: IncomingMessage, clock: Clock, done: () => void): void {
  const give = (): void => void response.destroy();
  const cancel = clock.after(bodyTime, give);
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > longestBody) give();
  });
  response.on('error', give);
  response.on('close', () => {
    cancel();
    done();
  });
}

/** Calls a target. Never throws; null if `signal` aborted the call before its result. */
export function callTarget(
  {
    clock,
    resolve,
    allowPrivateTargets,
  }: {
    readonly clock: Clock;
    readonly resolve: Resolve;
    /** Allows notifications to loopback and private addresses. */
    readonly allowPrivateTargets: boolean;
  },
  call: Call,
  signal: AbortSignal,
): Promise<Outcome | null> {
  return new Promise((settle) => {
    const address = addressOf(call);
    const host = hostOf(address);
    if (!allowPrivateTargets && isIP(host) !== 0 && !isPublicAddress(host)) {
      settle({ ok: false, reason: new RefusedTarget().message });
      return;
    }
    const send = address.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(address, {
      method: 'GET',
      agent: false,
      headers: { 'user-agent': 'event-platform-notification', accept: '*/*' },
      maxHeaderSize: 16_384,
      ...(allowPrivateTargets ? {} : { lookup: publicLookup(resolve) }),
    });
    const end = (outcome: Outcome | null): void => {
      cancel();
      signal.removeEventListener('abort', abort);
      settle(outcome);
    };
    const cancel = clock.after(answerTime, () => {
      end({ ok: false, reason: 'The target did not answer within 30 seconds' });
      request.destroy();
    });
    const abort = (): void => {
      end(null);
      request.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      cancel();
      drain(response, clock, () => end(outcomeOf(response.statusCode ?? 0)));
    });
    request.on('error', (error: NodeJS.ErrnoException) => end({ ok: false, reason: reasonOf(error) }));
    request.on('close', () => {
      if (!answered) end({ ok: false, reason: 'The target closed the connection without an answer' });
    });
    request.end();
    if (signal.aborted) abort();
  });
}
