/**
 * Reads and writes `stand.json` for the set-up. Users also edit it by hand.
 *
 * Invariants:
 * - equal settings give the same text, in the order of the schema and without defaults;
 * - a file with equal settings is not written again;
 * - a file that another program or user changed is kept under another name before it is replaced.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { plainSettings, readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { readSettingsFile } from '../data-folder/settings-file.ts';
import { writeWhole } from './whole-file.ts';

const NAME = 'stand.json';

/** The current content. `version`: identifies its state; `faults`: sentences. */
export type FoundStand = { readonly version: string } & (
  | { readonly kind: 'none' }
  | { readonly kind: 'settings'; readonly settings: StandSettings }
  | { readonly kind: 'faults'; readonly faults: readonly string[] }
);

/** Settings as the text of a `stand.json`. Pure. */
export function standText(settings: StandSettings): string {
  const usual: Readonly<Record<string, unknown>> = plainSettings();
  const said = Object.entries(settings).filter(([name, value]) => !isDeepStrictEqual(value, usual[name]));
  return `${JSON.stringify(Object.fromEntries(said), withoutNothing, 2)}\n`;
}

/** The question without an empty list of options. */
function withoutNothing(name: string, value: unknown): unknown {
  return name === 'options' && Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** Reads the file of a data folder. */
export function findStand(folder: string): FoundStand {
  const version = versionOf(join(folder, NAME));
  try {
    const file = readSettingsFile(folder, NAME);
    if (file === null) return { kind: 'none', version };
    return { ...readSettings(file.value), version };
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    return { kind: 'faults', faults: [error.message], version };
  }
}

/**
 * Writes the settings, unless the file already has the same content. `putAside`: another program or user changed the
 * current file, so it is kept under another name. Returns its new name, or null. @throws the error of the file system
 */
export function writeStand(
  folder: string,
  settings: StandSettings,
  putAside: boolean,
  now: number,
): string | null {
  const path = join(folder, NAME);
  const found = findStand(folder);
  if (found.kind === 'settings' && isDeepStrictEqual(found.settings, settings)) return null;
  const aside = putAside && existsSync(path) ? freeName(folder, now) : null;
  if (aside !== null) renameSync(path, join(folder, aside));
  writeWhole(path, standText(settings));
  return aside;
}

function freeName(folder: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const names = ['', ...Array.from({ length: 99 }, (_value, index) => `-${index + 2}`)];
  const free = names.map((end) => `stand-${time}${end}.json`).find((name) => !existsSync(join(folder, name)));
  return free ?? `stand-${time}-${now}.json`;
}

function versionOf(path: string): string {
  if (!existsSync(path)) return 'none';
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
  } catch {
    return 'unreadable';
  }
}
