/**
 * Tests with their own PostgreSQL database. Without PostgreSQL they report by name that they did not run.
 *
 * Invariant: the server has stopped when the test ends.
 */
import { onTestFinished } from 'vitest';
import { notRunUnless } from '../../not-run.ts';
import { newDatabase, postgresPrograms, startCluster } from './cluster.ts';

const programs = postgresPrograms();

export const postgresTest = notRunUnless(programs !== null, 'PostgreSQL is not installed');

/** An empty database on a private server of this test; returns its address. */
export const ownDatabase = async (): Promise<string> => {
  const cluster = await startCluster(programs ?? '');
  onTestFinished(() => cluster.stop());
  return newDatabase(cluster.address);
};
