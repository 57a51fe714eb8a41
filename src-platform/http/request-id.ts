/**
 * Echoes a request's id in its answer, so that a client can detect an answer repeated by an intermediary.
 *
 * Invariant: not part of the published interface (docs/interface/overview.md); only a harmless id is echoed, nothing
 * else of a request.
 */
import type { FastifyInstance } from 'fastify';

const HARMLESS = /^[\w.-]{1,100}$/;

/** Echoes the `X-Request-Id` of a request in its answer. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const name = request.headers['x-request-id'];
    if (typeof name === 'string' && HARMLESS.test(name)) reply.header('x-request-id', name);
  });
}
