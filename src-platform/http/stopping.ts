/**
 * Stopping in order: requests in flight are answered, then every connection ends.
 *
 * Invariants
 * - An answer that goes out while the server stops says `Connection: close`.
 * - Half a second after the last answer no connection is left, whatever its client holds open.
 */
import type { FastifyInstance } from 'fastify';

/** How long a client has to take the last answer and leave, in milliseconds. */
const leaveTime = 500;

/** Lets a stop of this server end with its last answer. */
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
