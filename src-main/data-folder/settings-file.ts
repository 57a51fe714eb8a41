/**
 * An optional settings file in the data folder: JSON, written by hand.
 *
 * Invariant: all faults of a file are reported in one message that names the file and says what to do. Several faults
 * have a line each.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../core/foundations/refusal.ts';

export type SettingsFile = {
  readonly value: unknown;
  /** The refusal for these faults. A fault is a sentence without its full stop. */
  readonly wrong: (...faults: readonly string[]) => StartRefusal;
};

/** The file `name` of a data folder, or null when it is missing. @throws StartRefusal when it is not JSON */
export function readSettingsFile(folder: string, name: string): SettingsFile | null {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  const wrong = (...faults: readonly string[]) => new StartRefusal('options', messageOf(path, faults));
  if (!statSync(path).isFile()) throw wrong('it is not a file');
  const text = textOf(readFileSync(path));
  if (text === null) throw wrong('it is not saved as UTF-8');
  if (text.trim() === '') throw wrong('it is empty; {} is the least it must hold');
  try {
    return { value: JSON.parse(text), wrong };
  } catch (error) {
    throw wrong(`it is not JSON${placeIn(error)}`);
  }
}

/** The text without a byte order mark; null when the bytes are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without accents is also valid UTF-8, with a NUL beside each character.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** More lines would scroll the first ones off the terminal. */
const MAX_LISTED = 20;

function messageOf(path: string, faults: readonly string[]): string {
  if (faults.length < 2) return `${path} cannot be used: ${faults.join('')}. Correct or remove it.`;
  const listed = faults.slice(0, MAX_LISTED).map((fault) => `  - ${fault}.`);
  const more = faults.length - listed.length;
  return [
    `${path} cannot be used, because of ${faults.length} faults:`,
    ...listed,
    ...(more > 0 ? [`  - and ${more} more.`] : []),
    'Correct or remove it.',
  ].join('\n');
}

/** Where the parser stopped. The message repeats no content of the file. */
function placeIn(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
  return line === undefined ? '' : `; look at line ${line}, character ${column}, and just before`;
}
