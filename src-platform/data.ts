/**
 * The data of a platform: its folder and its database, from the command line.
 *
 * Invariant: every problem results in one sentence for the user of the command.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { BadOption } from './options.ts';
import { NewerDatabase } from './store/migrations.ts';
import { openSqlite, sqliteFile } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Opens the database of these options. @throws BadOption with one sentence */
export async function openData(data: string, database: string | null): Promise<Store> {
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await access(data, constants.W_OK);
  } catch {
    throw new BadOption(`The data folder ${data} cannot be written.`);
  }
  try {
    if (database === null) return await openSqlite(data);
    const { openPostgres } = await import('./store/postgres.ts');
    return await openPostgres(database);
  } catch (error) {
    if (error instanceof NewerDatabase) throw new BadOption(error.message);
    const where = database === null ? `in ${data}` : 'at the given address';
    throw new BadOption(`The database ${where} cannot be opened: ${(error as Error).message}.`);
  }
}

/** Opens an existing database. With SQLite, a folder without a database is refused, and nothing is created. */
export async function openExistingData(data: string, database: string | null): Promise<Store> {
  if (database === null && !existsSync(sqliteFile(data))) {
    throw new BadOption(`There is no database in ${data} yet. Start it once, or check --data.`);
  }
  return openData(data, database);
}
