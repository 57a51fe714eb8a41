/**
 * The `Date` of answers where the platform stands elsewhere: devices correct their times by it (docs/hub.md), so a
 * hub tells the platform's time and not its own, as far as it knows it.
 */
import type { FastifyInstance } from 'fastify';

/** Tells `time` (epoch milliseconds) in every answer; null: the machine's own. */
export function tellTime(app: FastifyInstance, time: () => number | null): void {
  app.addHook('onSend', async (_request, reply) => {
    const now = time();
    if (now !== null) reply.header('date', new Date(now).toUTCString());
  });
}
