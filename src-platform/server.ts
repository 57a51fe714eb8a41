/** The platform's HTTP server on an open store. It only connects the parts. */
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';
import { addBagPages, bagUrlOf } from './bag/bag.ts';
import { allOperations } from './catalogue.ts';
import { addFaultConsole } from './faults/console.ts';
import { addHealth } from './health/health.ts';
import { readBodies } from './http/bodies.ts';
import { badRequest, errorBody } from './http/errors.ts';
import {
  answerErrors,
  createMethodTable,
  mountOperations,
  sendError,
  withoutTrailingSlash,
} from './http/mount.ts';
import type { Semaphore } from './http/semaphore.ts';
import { addRequestId, endWithLastAnswer, tellTime } from './http/server-hooks.ts';
import { closePages } from './hub/access.ts';
import { type HubParameters, hubOperations } from './hub/operations.ts';
import { findCaller, findCallerAtHub } from './keys/keys.ts';
import type { Mailer } from './mail/mailer.ts';
import { addDescription } from './openapi/pages.ts';
import { writeJson } from './store/json.ts';
import type { Store } from './store/store.ts';

/** Bodies of JSON operations, in bytes. A batch of 100 full interactions is about 60 kB. */
const largestBody = 1_048_576;

/** How long a hub keeps a connection that is idle, in milliseconds: until the device's next round or report. */
const hubKeepAlive = 90_000;

type Tls = { readonly key: string; readonly cert: string };

/** Creates the server; the caller listens and closes. */
export function createPlatform({
  store,
  semaphore,
  log,
  now,
  newId,
  basePath,
  uploads,
  mailer,
  allowPrivateTargets,
  publicUrl = null,
  tls,
  hub,
  faults,
}: {
  readonly store: Store;
  readonly semaphore: Semaphore;
  readonly log: FastifyBaseLogger;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly basePath: string;
  /** Folder of uploaded images. */
  readonly uploads: string;
  readonly mailer: Mailer;
  /** Webhooks may point to loopback and private addresses. */
  readonly allowPrivateTargets: boolean;
  /** The address at which phones reach this platform. Absent: it has no pages for them. */
  readonly publicUrl?: string | null;
  /** Key and certificate (PEM) to serve https with; plain http without. */
  readonly tls?: Tls | undefined;
  /** Only for a hub, whose platform is elsewhere. */
  readonly hub?: HubParameters | undefined;
  /** Opens the fault console; `die` ends the process at once. */
  readonly faults?: { readonly die: () => void } | undefined;
}): FastifyInstance {
  const app = openServer(log, basePath, tls, hub === undefined ? 30_000 : hubKeepAlive);
  const onMailFailure = (error: unknown): void =>
    log.error({ err: error }, 'An e-mail could not be handed on');
  const bagUrl = publicUrl === null ? null : (expoId: string): string => bagUrlOf(publicUrl, expoId);
  const operations = hub
    ? hubOperations({ store, now, newId, uploads, allowPrivateTargets }, hub)
    : allOperations({ store, now, newId, uploads, allowPrivateTargets }, mailer, onMailFailure, bagUrl);
  addRequestId(app);
  if (hub?.platformTime) tellTime(app, hub.platformTime);
  endWithLastAnswer(app);
  readBodies(app);
  answerErrors(app, createMethodTable(basePath, operations));
  if (faults) addFaultConsole(app, store, basePath, faults.die);
  if (hub) closePages(app, store, now);
  addHealth(app, store, semaphore, hub);
  addDescription(app, operations, basePath);
  if (bagUrl !== null && hub === undefined) addBagPages(app, store, now);
  const find = hub ? findCallerAtHub : findCaller;
  mountOperations(app, basePath, operations, { store, semaphore, now, find });
  return app;
}

/** The bare server, over http or https, with its limits and its answers to invalid requests. */
function openServer(
  log: FastifyBaseLogger,
  basePath: string,
  tls: Tls | undefined,
  keepAliveTimeout: number,
): FastifyInstance {
  const times = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 };
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: largestBody,
    requestTimeout: 30_000,
    keepAliveTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '' }) => (url.startsWith(`${basePath}/`) ? withoutTrailingSlash(url) : url),
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (_error, _request, reply) => {
      sendError(reply, badRequest('The address cannot be understood'));
    },
    clientErrorHandler: ({ code }, socket) => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      // Browsers open connections in advance. An unused connection is closed with 408, because the browser would take
      // any other status as the answer to its next request on that connection.
      const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
      const body = writeJson(
        isLate
          ? errorBody(408, 'No request came in time')
          : errorBody(400, 'The request cannot be understood'),
      );
      socket.write(
        `HTTP/1.1 ${isLate ? '408 Request Timeout' : '400 Bad Request'}\r\ncontent-type: application/json; charset=utf-8\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      // A client that never reads must not keep its connection for ever.
      socket.destroySoon();
    },
  } satisfies FastifyServerOptions;
  if (tls === undefined) return fastify({ ...options, http: times });
  const https = { ...times, ...tls, minVersion: 'TLSv1.3', handshakeTimeout: 10_000 } as const;
  // Routes and hooks are the same for both. Only fastify's types differ.
  return fastify({ ...options, https }) as unknown as FastifyInstance;
}
