/**
 * The description for people and programs: a page at `/docs`, the document at `/openapi.json`.
 *
 * Invariant: the page asks nobody but this server for anything.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '../http/operation.ts';
import { describeInterface } from './document.ts';
import { logo } from './logo.ts';

/** Adds both to a server. */
export function addDescription(
  app: FastifyInstance,
  operations: readonly Operation[],
  basePath: string,
): void {
  const document = describeInterface(operations, basePath);
  const text = JSON.stringify(document);
  app.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } });
  app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'",
    theme: {
      title: 'Event platform: the API',
      favicon: [
        {
          filename: 'favicon.svg',
          rel: 'icon',
          type: 'image/svg+xml',
          sizes: 'any',
          content: Buffer.from(logo),
        },
      ],
    },
    logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: '/docs/', target: '_self' },
    uiConfig: { validatorUrl: null, docExpansion: 'list', showExtensions: true },
  });
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}
