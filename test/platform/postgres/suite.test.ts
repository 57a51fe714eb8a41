/**
 * The platform suite again, on a real PostgreSQL with two servers that share one database. The test files beside this
 * folder run unchanged, and their requests go to both servers in turn. An ordinary run takes every eighth file,
 * selected by the seed of the run; the nightly run takes all, and each server is a process. `processes.test.ts` holds
 * what only separate processes show.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { notRun } from '../../not-run.ts';
import { isDue } from '../../thoroughness.ts';
import { type Cluster, postgresPrograms, startCluster } from './cluster.ts';

const folder = join(import.meta.dirname, '..');
/** Files that start no platform through `running-platform.ts`, or whose subject is the files of SQLite. */
const withoutDatabase = [
  'answer-log.test.ts',
  'erasure.test.ts',
  'log.test.ts',
  'mail/smtp.test.ts',
  'main.test.ts',
];
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('postgres'))
  .filter((file) => !withoutDatabase.includes(file))
  .sort();

const programs = postgresPrograms();

if (programs === null) {
  for (const file of files) notRun(`${file} on PostgreSQL with two servers`, 'PostgreSQL is not installed');
} else {
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    process.env.PLATFORM_TEST_SERVER = cluster.address;
  });
  afterAll(() => cluster?.stop());
  for (const file of files.filter((_file, index) => isDue(index, 8))) {
    describe(`${file} on PostgreSQL with two servers`, async () => {
      await import(join(folder, file));
    });
  }
}
