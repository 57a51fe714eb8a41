/**
 * The whole platform suite once more, on a real PostgreSQL with two processes that share one database: every test
 * file beside this folder is run as it stands, and its requests go to both in turn.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { notRun } from '../../not-run.ts';
import { type Cluster, postgresPrograms, startCluster } from './cluster.ts';

const folder = join(import.meta.dirname, '..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('postgres'))
  .sort();

const programs = postgresPrograms();

if (programs === null) {
  for (const file of files) notRun(`${file} on PostgreSQL with two processes`, 'PostgreSQL is not installed');
} else {
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    process.env.PLATFORM_TEST_SERVER = cluster.address;
  });
  afterAll(() => cluster?.stop());
  for (const file of files) {
    describe(`${file} on PostgreSQL with two processes`, async () => {
      await import(join(folder, file));
    });
  }
}
