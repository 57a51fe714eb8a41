/**
 * Hooks on every request of a server: its id, its `Date` header, and graceful shutdown.
 *
 * Invariants
 * - An answer repeats the id of its request, so that a client detects an answer that an intermediary repeated. Only a
 *   harmless id is returned. This is not part of the published interface (docs/interface/overview.md).
 * - As soon as a hub knows the platform's time, it sends this time instead of its own. Devices correct their times by
 *   it (docs/hub.md).
 * - An answer that is sent during the shutdown has the header `Connection: close`. Half a second after the last
 *   answer every connection is closed.
 */
import type { FastifyInstance } from 'fastify';

/** How long a client has to read the last answer and disconnect, in milliseconds. */
const leaveTime = 500;

/** Completes the shutdown of this server after the last answer was sent. */
export function endWithLastAnswer(app: FastifyInstance): void {
  let isStopping = false;
  let inFlight = 0;
  const leave = (): void => {
    if (!isStopping || inFlight > 0) return;
    app.server.closeIdleConnections();
    setTimeout(() => app.server.closeAllConnections(), leaveTime).unref();
  };
  app.server.on('request', (_request, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      leave();
    });
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    leave();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close');
  });
}

/** Sends `time` (epoch milliseconds) in every answer. Null: the time of this machine. */
export function tellTime(app: FastifyInstance, time: () => number | null): void {
  app.addHook('onSend', async (_request, reply) => {
    const now = time();
    if (now !== null) reply.header('date', new Date(now).toUTCString());
  });
}

const HARMLESS = /^[\w.-]{1,100}$/;

/** Echoes the `X-Request-Id` of a request in its answer. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const name = request.headers['x-request-id'];
    if (typeof name === 'string' && HARMLESS.test(name)) reply.header('x-request-id', name);
  });
}
