/**
 * A file of settings in the data folder: JSON, written by hand, optional.
 *
 * Invariant: whatever is wrong with it is one sentence that names the file and says what to do.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../core/refusal.ts';

export type SettingsFile = {
  readonly value: unknown;
  /** The refusal that says what is wrong with it. */
  readonly wrong: (what: string) => StartRefusal;
};

/** The file `name` of a data folder, or null where there is none. @throws StartRefusal when it is no JSON */
export const readSettingsFile = (folder: string, name: string): SettingsFile | null => {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  const wrong = (what: string) =>
    new StartRefusal('options', `${path} cannot be used: ${what}. Mend or remove it.`);
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')), wrong };
  } catch {
    throw wrong('it is not JSON');
  }
};
