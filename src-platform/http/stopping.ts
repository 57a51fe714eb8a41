/**
 * Graceful shutdown: requests in flight are answered, then every connection closes.
 *
 * Invariants
 * - An answer sent during the shutdown says `Connection: close`.
 * - Half a second after the last answer no connection is left, whatever its client holds open.
 */
import type { FastifyInstance } from 'fastify';

/** How long a client has to read the last answer and disconnect, in milliseconds. */
const leaveTime = 500;

/** Ends the shutdown of this server after its last answer. */
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
