/**
 * The destinations of a hub again, with its store on a real PostgreSQL. The test files run unchanged, each test on
 * its own database. An ordinary run takes one of the files, selected by the seed of the run; the nightly run takes
 * all. `destinations-of-processes.test.ts` has the tests that need several processes on one database.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notRun } from '../not-run.ts';
import { type Cluster, postgresPrograms, startCluster } from '../platform/postgres/cluster.ts';
import { inTurn } from '../thoroughness.ts';
import { startHub } from './serving/serving-hub.ts';

const files = [
  'hub/serving/destinations.test.ts',
  'hub/destinations-command.test.ts',
  'core/team/destinations/at-hub.test.ts',
];

const programs = postgresPrograms();

if (programs === null) {
  for (const file of files) notRun(`${file} on PostgreSQL`, 'PostgreSQL is not installed');
} else {
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    process.env.PLATFORM_TEST_SERVER = cluster.address;
  });
  afterAll(() => cluster?.stop());
  it('the hub uses PostgreSQL', async () => expect((await startHub()).store.engine).toBe('postgres'));
  for (const file of inTurn(files, 0)) {
    describe(`${file} on PostgreSQL`, async () => {
      await import(join(import.meta.dirname, '..', file));
    });
  }
}
