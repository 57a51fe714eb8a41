/**
 * Gives a request's own name back with its answer, so that a client can tell an answer that something in between
 * repeated from the one it asked for.
 *
 * Invariant: not of the published interface (docs/interface/overview.md); only a harmless name is repeated, nothing
 * else of a request is.
 */
import type { FastifyInstance } from 'fastify';

const HARMLESS = /^[\w.-]{1,100}$/;

/** Repeats `X-Request-Id` of a request on its answer. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const name = request.headers['x-request-id'];
    if (typeof name === 'string' && HARMLESS.test(name)) reply.header('x-request-id', name);
  });
}
