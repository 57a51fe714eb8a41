/**
 * A file of settings in the data folder: JSON, written by hand, optional.
 *
 * Invariant: whatever is wrong with it is one message that names the file and says what to do: one sentence, or a line
 * for each of several faults.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../core/refusal.ts';

export type SettingsFile = {
  readonly value: unknown;
  /** The refusal that says what is wrong with it; each fault a sentence without its full stop. */
  readonly wrong: (...faults: readonly string[]) => StartRefusal;
};

/** The file `name` of a data folder, or null where there is none. @throws StartRefusal when it is no JSON */
export const readSettingsFile = (folder: string, name: string): SettingsFile | null => {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  const wrong = (...faults: readonly string[]) => new StartRefusal('options', messageOf(path, faults));
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')), wrong };
  } catch (error) {
    throw wrong(`it is not JSON${placeIn(error)}`);
  }
};

/** More would push the first off the screen. */
const MOST_TOLD = 20;

const messageOf = (path: string, faults: readonly string[]): string => {
  if (faults.length < 2) return `${path} cannot be used: ${faults.join('')}. Mend or remove it.`;
  const told = faults.slice(0, MOST_TOLD).map((fault) => `  - ${fault}.`);
  const more = faults.length - told.length;
  return [
    `${path} cannot be used, because of ${faults.length} faults:`,
    ...told,
    ...(more > 0 ? [`  - and ${more} more.`] : []),
    'Mend or remove it.',
  ].join('\n');
};

/** Where the parser stopped; of what stands there nothing is repeated. */
const placeIn = (error: unknown): string => {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
  return line === undefined ? '' : `; look at line ${line}, character ${column}, and just before`;
};
