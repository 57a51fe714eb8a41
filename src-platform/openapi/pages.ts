/**
 * The description for people and programs: a page at `/docs`, the document at `/openapi.json`.
 *
 * Invariants: the page loads everything from this server. An installation without the page's packages (the demo
 * platform inside a kiosk) still serves the document.
 */
import type { FastifyInstance } from 'fastify';
import type { Operation } from '../http/operation.ts';
import { describeInterface } from './document.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48" role="img" aria-label="Event platform">
<rect x="4" y="8" width="32" height="32" rx="7" fill="none" stroke="#fff" stroke-width="3"/>
<path d="M14 31a10 10 0 0 1 0-14M21 28a5 5 0 0 1 0-8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
<circle cx="27" cy="24" r="2.5" fill="#fff"/>
<text x="48" y="31" font-family="sans-serif" font-size="20" font-weight="600" fill="#fff">Event platform</text>
</svg>`;

/** Adds both to a server. */
export function addDescription(
  app: FastifyInstance,
  operations: readonly Operation[],
  basePath: string,
): void {
  const document = describeInterface(operations, basePath);
  const text = JSON.stringify(document);
  app.register(async (pages) => {
    const packages = await loadPagePackages();
    if (packages === null) return;
    pages.register(packages.swagger, { mode: 'static', specification: { document: JSON.parse(text) } });
    pages.register(packages.swaggerUi, {
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
  });
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
}

async function loadPagePackages() {
  try {
    const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
      import('@fastify/swagger'),
      import('@fastify/swagger-ui'),
    ]);
    return { swagger, swaggerUi };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
