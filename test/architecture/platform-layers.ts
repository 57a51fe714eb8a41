/**
 * The layers of the platform, from the bottom up: one row for each folder. Each folder imports only folders above it
 * in this list.
 *
 * Invariant: no row names a row below it, so there are no cycles of folders.
 */
import type { Layer } from './layer.ts';

const platform = 'src-platform';

/** Folders of the platform by their names. */
function folders(...names: readonly string[]): readonly string[] {
  return names.map((name) => `${platform}/${name}`);
}

export const platformLayers: readonly Layer[] = [
  {
    path: `${platform}/store`,
    mayImport: [],
    packages: ['better-sqlite3', 'kysely', 'pg'],
    node: 'all',
  },
  { path: `${platform}/keys`, mayImport: folders('store'), packages: ['kysely'], node: 'all' },
  {
    path: `${platform}/http`,
    mayImport: folders('store', 'keys'),
    packages: ['fastify', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/http/shared-semaphore.ts`,
    mayImport: folders('http'),
    packages: ['pg'],
    node: 'all',
  },
  {
    path: `${platform}/openapi`,
    mayImport: folders('http'),
    packages: ['@fastify/swagger', '@fastify/swagger-ui', 'fastify', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/health`,
    mayImport: folders('store', 'http'),
    packages: ['@prometheus-io/client', 'fastify', 'kysely'],
    node: 'all',
  },
  {
    path: `${platform}/bag`,
    mayImport: folders('store', 'http'),
    packages: ['fastify'],
    node: 'all',
  },
  {
    path: `${platform}/faults`,
    mayImport: folders('store', 'keys', 'http'),
    packages: ['fastify', 'kysely', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/resources`,
    mayImport: folders('store', 'keys', 'http'),
    packages: ['kysely', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/interactions`,
    mayImport: folders('store', 'http', 'resources'),
    packages: ['zod'],
    node: 'all',
  },
  {
    path: `${platform}/registration`,
    mayImport: folders('store', 'http', 'resources', 'interactions'),
    packages: ['zod'],
    node: 'all',
  },
  {
    path: `${platform}/notifications`,
    mayImport: folders('store', 'http', 'resources'),
    packages: ['kysely', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/mail`,
    mayImport: folders('store', 'http', 'resources', 'interactions'),
    packages: ['nodemailer', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/uploads`,
    mayImport: folders('keys', 'http', 'resources'),
    packages: ['sharp', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/hub`,
    mayImport: folders(
      'store',
      'keys',
      'http',
      'health',
      'resources',
      'interactions',
      'registration',
      'mail',
    ),
    packages: ['fastify', 'kysely', 'zod'],
    node: 'all',
  },
  {
    path: `${platform}/seed`,
    mayImport: folders('store', 'keys', 'resources', 'interactions', 'registration'),
    packages: ['zod'],
    node: 'all',
  },
  // The files next to the folders combine them: the command line, the server, the list of all operations.
  { path: platform, mayImport: [platform], packages: ['fastify', 'pino'], node: 'all' },
];
