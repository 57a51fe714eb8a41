/**
 * The `Date` header of a hub. Devices correct their times by it (docs/hub.md), so a hub sends the platform's time
 * instead of its own, once it is known.
 */
import type { FastifyInstance } from 'fastify';

/** Sends `time` (epoch milliseconds) in every answer; null: the machine's own. */
export function tellTime(app: FastifyInstance, time: () => number | null): void {
  app.addHook('onSend', async (_request, reply) => {
    const now = time();
    if (now !== null) reply.header('date', new Date(now).toUTCString());
  });
}
