/** Checks that rows of the platform's layers can fail, and that the rows are in order. */
import { expect, test } from 'vitest';
import { platformLayers } from './platform-layers.ts';
import { breaches } from './rules.ts';

const header = '/** Seeded. */\n';

test.each([
  ['src-platform/store/x.ts', 'imports src-platform/keys/keys.ts', "import { k } from '../keys/keys.ts';"],
  ['src-platform/store/x.ts', 'imports the package fastify', "import { fastify } from 'fastify';"],
  [
    'src-platform/keys/x.ts',
    'imports src-platform/http/errors.ts',
    "import { badRequest } from '../http/errors.ts';",
  ],
  [
    'src-platform/http/x.ts',
    'imports src-platform/resources/resource.ts',
    "import type { Resource } from '../resources/resource.ts';",
  ],
  ['src-platform/http/x.ts', 'imports the package pg', "import pg from 'pg';"],
  [
    'src-platform/http/shared-semaphore.ts',
    'imports the package better-sqlite3',
    "import Database from 'better-sqlite3';",
  ],
  [
    'src-platform/openapi/x.ts',
    'imports src-platform/catalogue.ts',
    "import { allOperations } from '../catalogue.ts';",
  ],
  ['src-platform/health/x.ts', 'imports src-platform/keys/keys.ts', "import '../keys/keys.ts';"],
  [
    'src-platform/faults/x.ts',
    'imports src-platform/interactions/accept.ts',
    "import { acceptBatch } from '../interactions/accept.ts';",
  ],
  [
    'src-platform/resources/x.ts',
    'imports src-platform/interactions/resolve.ts',
    "import { followVisitor } from '../interactions/resolve.ts';",
  ],
  [
    'src-platform/resources/x.ts',
    'imports src-platform/notifications/deliveries.ts',
    "import { openDelivery } from '../notifications/deliveries.ts';",
  ],
  [
    'src-platform/interactions/x.ts',
    'imports src-platform/registration/visitors.ts',
    "import { visitors } from '../registration/visitors.ts';",
  ],
  [
    'src-platform/registration/x.ts',
    'imports src-platform/mail/mailer.ts',
    "import type { Mail } from '../mail/mailer.ts';",
  ],
  [
    'src-platform/notifications/x.ts',
    'imports src-platform/interactions/derive.ts',
    "import '../interactions/derive.ts';",
  ],
  [
    'src-platform/mail/x.ts',
    'imports src-platform/uploads/image.ts',
    "import { storeImage } from '../uploads/image.ts';",
  ],
  ['src-platform/uploads/x.ts', 'imports the package nodemailer', "import 'nodemailer';"],
  ['src-platform/seed/x.ts', 'imports src-platform/options.ts', "import { help } from '../options.ts';"],
  ['src-platform/x.ts', 'imports the package pg', "import pg from 'pg';"],
])('in %s a breach is found: %s', (path, breach, text) => {
  expect(breaches(new Map([[path, `${header}${text}`]]))).toContain(`${path}: ${breach}`);
});

test('no folder of the platform may import a later one', () => {
  const paths = platformLayers.map(({ path }) => path);
  for (const [index, { path, mayImport }] of platformLayers.entries()) {
    if (path === 'src-platform') continue;
    for (const part of mayImport) expect(paths.slice(0, index), path).toContain(part);
  }
});
