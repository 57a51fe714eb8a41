/**
 * Tests that need their own PostgreSQL database. Without PostgreSQL they report that they did not run.
 *
 * Invariant: the server has stopped when the test ends.
 */
import { onTestFinished } from 'vitest';
import { notRunUnless } from '../../not-run.ts';
import { newDatabase, postgresPrograms, startCluster } from './cluster.ts';

const programs = postgresPrograms();

export const postgresTest = notRunUnless(programs !== null, 'PostgreSQL is not installed');

/** An empty database on a private server of this test. */
export const ownServer = async (): Promise<{
  readonly address: string;
  readonly restart: () => Promise<void>;
}> => {
  const { address, restart, stop } = await startCluster(programs ?? '');
  onTestFinished(stop);
  return { address: await newDatabase(address), restart };
};

/** The address of an empty database on a private server of this test. */
export const ownDatabase = async (): Promise<string> => (await ownServer()).address;
