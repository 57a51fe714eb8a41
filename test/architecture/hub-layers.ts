/**
 * The layers of the hub, from the bottom up. The hub serves devices with the code of the platform, and calls the
 * upstream platform with the client of the kiosk.
 *
 * Invariant: each row imports only rows above it here, so the folders cannot form a cycle.
 */
import type { Layer } from './layer.ts';

const hub = 'src-hub';
const core = 'src-main/core';
const platform = 'src-platform';

export const hubLayers: readonly Layer[] = [
  {
    path: `${hub}/devices-backup.ts`,
    mayImport: ['src-main/provision', `${platform}/options.ts`, `${platform}/keys`, `${platform}/store`],
    packages: ['zod'],
    node: ['fs', 'path'],
  },
  {
    path: `${hub}/certificate`,
    mayImport: [`${core}/foundations/api/server-key.ts`, 'src-main/provision'],
    packages: [],
    node: ['crypto', 'fs', 'path'],
  },
  {
    path: `${hub}/mirror`,
    mayImport: [
      `${core}/foundations/ports.ts`,
      `${core}/foundations/api`,
      `${core}/event/mirror`,
      `${platform}/store`,
      `${platform}/resources`,
      `${platform}/hub`,
      `${platform}/registration`,
    ],
    packages: [],
    node: ['crypto'],
  },
  {
    path: `${hub}/outbox`,
    mayImport: [
      `${core}/foundations/ports.ts`,
      `${core}/journal/facts`,
      `${core}/delivery/outbox`,
      `${platform}/store`,
    ],
    packages: ['kysely'],
    node: [],
  },
  {
    path: `${hub}/webhooks.ts`,
    mayImport: [`${core}/foundations/ports.ts`, `${core}/foundations/api`],
    packages: ['zod'],
    node: [],
  },
  { path: `${hub}/packed-file.ts`, mayImport: [], packages: [], node: ['path'] },
  { path: `${hub}/page`, mayImport: [`${hub}/packed-file.ts`], packages: [], node: ['fs'] },
  {
    path: `${hub}/sheet.ts`,
    mayImport: [`${hub}/page`, `${platform}/http/html.ts`],
    packages: ['uqr'],
    node: [],
  },
  {
    path: `${hub}/fleet`,
    mayImport: [
      `${core}/foundations/ports.ts`,
      `${core}/foundations/time`,
      `${core}/stand/health`,
      `${core}/team/staff`,
      'src-main/provision',
      `${hub}/packed-file.ts`,
      `${hub}/page`,
      `${platform}/http/html.ts`,
      `${platform}/store`,
      `${platform}/keys`,
      `${platform}/hub`,
    ],
    packages: ['fastify', 'zod'],
    node: ['crypto', 'fs'],
  },
  {
    path: `${hub}/destinations`,
    mayImport: [
      'src-main/contract',
      `${core}/foundations/ports.ts`,
      `${core}/foundations/api`,
      `${core}/team/destinations`,
      `${platform}/store`,
      `${platform}/hub`,
    ],
    packages: ['kysely'],
    node: ['crypto'],
  },
  {
    path: `${hub}/lease`,
    mayImport: [
      `${core}/foundations/ports.ts`,
      'src-main/data-folder/folder-lock.ts',
      'src-main/provision',
      `${platform}/options.ts`,
      `${platform}/hub`,
      `${platform}/store`,
    ],
    packages: [],
    node: ['crypto', 'fs', 'path'],
  },
  {
    path: `${hub}/snapshot`,
    mayImport: [
      `${core}/foundations/ports.ts`,
      `${core}/foundations/api`,
      `${core}/event/mirror`,
      `${core}/event/sync`,
      'src-main/provision',
      `${hub}/packed-file.ts`,
      `${hub}/mirror`,
      `${platform}/data.ts`,
      `${platform}/store`,
      `${platform}/hub`,
    ],
    packages: [],
    node: ['crypto', 'fs', 'path', 'stream', 'worker_threads', 'zlib'],
  },
  {
    path: hub,
    mayImport: [
      hub,
      'src-main/contract',
      core,
      'src-main/machine',
      'src-main/certificate',
      'src-main/data-folder/folder-lock.ts',
      'src-main/data-folder/webhook-settings.ts',
      'src-main/device-setup/setup-file.ts',
      'src-main/devices/reader/parent-channel.ts',
      'src-main/sharing/messages.ts',
      'src-main/provision',
      platform,
    ],
    packages: ['fastify', 'pino'],
    node: 'all',
  },
];
