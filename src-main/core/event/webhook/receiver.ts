/**
 * Takes notifications of the platform and shortens the wait until the next poll. Optional; polling stays on.
 *
 *     GET /<secret>?expoId=…&webhookId=…  ► admitted ► (coalesced) poll ► 204, or 503 after 25 seconds
 *
 * Invariants: a listener of its own, apart from the one that serves screens; an answer of success only after the
 * data was read (docs/interface/webhooks.md#delivery); a notification cannot do more than bring a poll forward, at
 * most once per five seconds and resource, so a repeated or forged one is harmless; path and query are never logged.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Clock, Log, PollNow } from '../../foundations/ports.ts';
import { POLL_LIMIT_MS } from '../../foundations/time/times.ts';
import { type AdmissionRules, createAdmission } from './authentication.ts';
import { createCoalescer } from './coalescer.ts';

const POKES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export type ReceiverPorts = AdmissionRules & {
  /** Address to listen on; a proxy that ends TLS stands before it. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly poll: PollNow;
};

/** What came in so far, for the health page. */
export type ReceiverCounts = {
  /** Notifications admitted. */
  readonly pokes: number;
  /** Of these, answered 204. */
  readonly served: number;
  /** Of these, answered 429. */
  readonly limited: number;
  /** Requests that were no notification of ours. */
  readonly refused: number;
};

export type WebhookReceiver = {
  /** Listens; gives the port. @throws Error as `listen` does */
  readonly start: () => Promise<number>;
  /** Ends polls under way and closes every connection. */
  readonly stop: () => Promise<void>;
  readonly counts: () => ReceiverCounts;
};

/** A receiver, not listening yet. @throws TypeError when its rules are too weak (see `createAdmission`) */
export function createWebhookReceiver(ports: ReceiverPorts): WebhookReceiver {
  const { clock, log } = ports;
  const admit = createAdmission(ports);
  const ended = new AbortController();
  const coalescer = createCoalescer(clock, log, ports.poll, ended.signal);
  const counts = { pokes: 0, served: 0, limited: 0, refused: 0 };
  const isTooMuch = createRateLimit(clock);

  const serve = async (resource: string): Promise<204 | 503> => {
    const answered = new AbortController();
    const late = clock.sleep(POLL_LIMIT_MS, answered.signal).then(() => 'failed' as const);
    const outcome = await Promise.race([coalescer.ask(resource), late]);
    answered.abort();
    if (outcome === 'failed') log.info('a notification was not followed in time', { resource });
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
    if (isTooMuch()) {
      counts.limited += 1;
      answer(response, 429);
      return;
    }
    const status = await serve(admission.resource);
    if (status === 204) counts.served += 1;
    answer(response, status);
  };

  const server = createNarrowServer((request, response) => {
    // Every outcome of `handle` is an answer; what else can go wrong is a connection that is gone.
    void handle(request, response);
  });

  return {
    start: async () => {
      server.listen(ports.port, ports.host);
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : ports.port;
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

/** Whether the notifications of the last minute are too many with this one. */
function createRateLimit(clock: Clock): () => boolean {
  let lately: number[] = [];
  return () => {
    const now = clock.monotonic();
    lately = lately.filter((at) => now - at < MINUTE_MS);
    if (lately.length >= POKES_PER_MINUTE) return true;
    lately.push(now);
    return false;
  };
}

/** A server that lends nobody much: short heads, few connections, no second request on one. */
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
