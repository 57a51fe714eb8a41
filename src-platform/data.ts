/**
 * The data of a platform: its folder and its database, as the command line names them.
 *
 * Invariant: whatever stands in the way is one sentence for the person who typed the command.
 */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { BadOption } from './options.ts';
import { NewerDatabase } from './store/migrations.ts';
import { openPostgres, openSqlite } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Opens the database of these options; what stands in the way is one sentence. */
export async function openData(data: string, database: string | null): Promise<Store> {
  try {
    await mkdir(data, { recursive: true });
    await access(data, constants.W_OK);
  } catch {
    throw new BadOption(`The data folder ${data} cannot be written.`);
  }
  try {
    return await (database === null ? openSqlite(data) : openPostgres(database));
  } catch (error) {
    if (error instanceof NewerDatabase) throw new BadOption(error.message);
    const where = database === null ? `in ${data}` : 'at the given address';
    throw new BadOption(`The database ${where} cannot be opened: ${(error as Error).message}.`);
  }
}
