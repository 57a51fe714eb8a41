/**
 * Receives the platform's notifications and triggers an early poll. Optional. Regular polling continues.
 *
 *     GET /<secret>?expoId=…&webhookId=…  ► admitted ► (coalesced) poll ► 204, or 503 on failure or after 25 seconds
 *
 * Invariants:
 * - It has its own listener, apart from the one that serves screens.
 * - It answers success only after the data was read (docs/interface/webhooks.md#delivery).
 * - A notification only triggers an early poll of its resource, at most one per 1.5 seconds. A repeated or forged one
 *   is harmless.
 * - Path and query are never logged.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Clock, Log, PollNow, PollOutcome } from '../../foundations/ports.ts';
import { POLL_LIMIT_MS, POLL_SPACING_MS } from '../../foundations/time/times.ts';
import { whyOf } from '../../foundations/trace.ts';
import { type AdmissionRules, createAdmission } from './authentication.ts';

/**
 * Limit per resource and minute. The platform sends the next notification only after an answer, so it needs at most
 * 40.
 */
const POKES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** The listener's address, and the rules for notifications. */
export type WebhookSettings = AdmissionRules & {
  /** Address to listen on. A proxy that ends TLS is in front of it. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
};

export type ReceiverPorts = {
  readonly settings: WebhookSettings;
  readonly expoId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly poll: PollNow;
};

/** Counts of requests, for the health page. */
type ReceiverCounts = {
  /** Notifications admitted. */
  readonly pokes: number;
  /** Of these, answered 204. */
  readonly served: number;
  /** Of these, answered 429. */
  readonly limited: number;
  /** Requests that were not notifications of the platform. */
  readonly refused: number;
};

type WebhookReceiver = {
  /** Starts to listen. Returns the port. @throws Error as `listen` does */
  readonly start: () => Promise<number>;
  /** Ends running polls and closes every connection. */
  readonly stop: () => Promise<void>;
  readonly counts: () => ReceiverCounts;
};

/** A receiver, not listening yet. @throws TypeError when its rules are too weak (see `createAdmission`) */
export function createWebhookReceiver({
  settings,
  expoId,
  clock,
  log,
  poll,
}: ReceiverPorts): WebhookReceiver {
  const admit = createAdmission(expoId, settings);
  const ended = new AbortController();
  const pollSoon = createSpacedPolls(clock, log, poll, ended.signal);
  const counts = { pokes: 0, served: 0, limited: 0, refused: 0 };
  const isTooMuch = createRateLimit(clock);

  const serve = async (resource: string): Promise<204 | 503> => {
    const answered = new AbortController();
    const late = clock.sleep(POLL_LIMIT_MS, answered.signal).then(() => 'failed' as const);
    const outcome = await Promise.race([pollSoon(resource), late]);
    answered.abort();
    if (outcome === 'failed') log.info('the poll after a notification failed or took too long', { resource });
    return outcome === 'done' ? 204 : 503;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = admit({
      method: request.method ?? '',
      target: request.url ?? '',
      socketAddress: request.socket.remoteAddress ?? '',
      forwardedFor: singleOf(request.headers['x-forwarded-for']),
      hasBody: hasBody(request),
    });
    if (admission.kind === 'refused') {
      counts.refused += 1;
      answer(response, admission.status);
      return;
    }
    counts.pokes += 1;
    if (isTooMuch(admission.resource)) {
      counts.limited += 1;
      answer(response, 429);
      return;
    }
    const status = await serve(admission.resource);
    if (status === 204) counts.served += 1;
    answer(response, status);
  };

  const server = createNarrowServer((request, response) => {
    // `handle` always answers; only a closed connection can still fail.
    void handle(request, response);
  });

  return {
    start: async () => {
      server.listen(settings.port, settings.host);
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : settings.port;
    },
    stop: async () => {
      ended.abort();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    counts: () => ({ ...counts }),
  };
}

/** Polls of one resource: the running one and the next one. */
type Polls = { running: Promise<PollOutcome> | null; next: Promise<PollOutcome> | null; lastStart: number };

/**
 * Coalesces notifications: the returned function resolves with the outcome of a poll that starts after the call,
 * because a running poll may have read too early.
 *
 * Invariants:
 * - One poll per resource runs at a time, and at most one starts per 1.5 seconds.
 * - Each poll is aborted after 25 seconds.
 * - The returned function never rejects. After `ended` every outcome is `failed`.
 */
function createSpacedPolls(
  clock: Clock,
  log: Log,
  poll: PollNow,
  ended: AbortSignal,
): (resource: string) => Promise<PollOutcome> {
  const byResource = new Map<string, Polls>();

  const run = async (resource: string): Promise<PollOutcome> => {
    const limit = new AbortController();
    const finished = new AbortController();
    const signal = AbortSignal.any([limit.signal, ended]);
    void clock.sleep(POLL_LIMIT_MS, finished.signal).then(() => limit.abort());
    try {
      return ended.aborted ? 'failed' : await poll(signal, resource);
    } catch (error) {
      log.error('unexpected fault in a poll after a notification', { resource, error: whyOf(error) });
      return 'failed';
    } finally {
      finished.abort();
    }
  };

  const begin = async (polls: Polls, resource: string): Promise<PollOutcome> => {
    await polls.running;
    const wait = polls.lastStart + POLL_SPACING_MS - clock.monotonic();
    if (wait > 0) await clock.sleep(wait, ended);
    // Callers after this point need the next poll.
    polls.next = null;
    polls.lastStart = clock.monotonic();
    polls.running = run(resource);
    return polls.running;
  };

  return (resource) => {
    const known = byResource.get(resource);
    const polls: Polls = known ?? { running: null, next: null, lastStart: Number.NEGATIVE_INFINITY };
    if (known === undefined) byResource.set(resource, polls);
    polls.next ??= begin(polls, resource);
    return polls.next;
  };
}

/** Whether a notification exceeds its resource's limit of the last minute. */
function createRateLimit(clock: Clock): (resource: string) => boolean {
  const latelyOf = new Map<string, number[]>();
  return (resource) => {
    const now = clock.monotonic();
    const lately = (latelyOf.get(resource) ?? []).filter((at) => now - at < MINUTE_MS);
    latelyOf.set(resource, lately);
    if (lately.length >= POKES_PER_MINUTE) return true;
    lately.push(now);
    return false;
  };
}

/** A server with tight limits: short headers, few connections, one request each. */
function createNarrowServer(handle: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: 4_096,
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAlive: false,
    },
    handle,
  );
  server.maxConnections = 32;
  for (const expecting of ['checkContinue', 'checkExpectation']) {
    server.on(expecting, (_request: IncomingMessage, response: ServerResponse) => answer(response, 400));
  }
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

function answer(response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    connection: 'close',
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET' } : {}),
    ...(status === 429 ? { 'retry-after': '60' } : {}),
    ...(status === 204 ? {} : { 'content-length': '0' }),
  });
  response.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;
}

function singleOf(header: string | readonly string[] | undefined): string | null {
  return header === undefined ? null : typeof header === 'string' ? header : header.join(',');
}
