/**
 * Tests with a PostgreSQL database of their own; where there is no PostgreSQL they say by name that they were not run.
 *
 * Invariant: the server is gone when the test ends.
 */
import { onTestFinished } from 'vitest';
import { notRunUnless } from '../../not-run.ts';
import { newDatabase, postgresPrograms, startCluster } from './cluster.ts';

const programs = postgresPrograms();

export const postgresTest = notRunUnless(programs !== null, 'PostgreSQL is not installed');

/** An empty database on a server of this test alone; answers its address. */
export const ownDatabase = async (): Promise<string> => {
  const cluster = await startCluster(programs ?? '');
  onTestFinished(() => cluster.stop());
  return newDatabase(cluster.address);
};
