/**
 * The journal's sidecar log, `journal.tail`: a second record of the settings and of every fact since the last
 * verified backup, one line each. It detects losses that SQLite cannot detect (a truncated log, a log that ends at a
 * damaged frame), and it holds the lost facts.
 *
 * Invariants:
 * - A fact is appended after its commit, a setting before. So the log contains no fact that the journal lacks, unless
 *   the journal was damaged, and its settings are never older than the journal's.
 * - A line is used only if its CRC is correct, or the hashes of its fact match.
 * - A failed write to it does not fail the tap.
 * - Lines are not synced one by one. That would double the time of a tap and gain nothing, because the journal itself
 *   is synced (docs/decisions/damaged-journal.md).
 * - It restarts with each backup, so it stays short.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Log } from '../../foundations/ports.ts';
import { type FactRow, isTrueToItself } from '../facts/fact-rows.ts';

/** Content of a sidecar log. `doubtful` counts damaged lines. */
export type SidecarLogContent = {
  readonly facts: readonly FactRow[];
  readonly settings: ReadonlyMap<string, string>;
  /** Whether payloads were erased since the last backup. The backups then still hold these payloads. */
  readonly erased: boolean;
  readonly doubtful: number;
  readonly present: boolean;
};

export type SidecarLog = {
  readonly appendFact: (row: FactRow) => void;
  readonly appendSetting: (key: string, value: string) => void;
  /** Records that payloads were erased, so that the backups must be replaced. */
  readonly appendErasure: () => void;
  /** Replaces the log with these facts and settings. */
  readonly restart: (settings: ReadonlyMap<string, string>, rows: readonly FactRow[]) => void;
  /** Number of facts in the log, including failed writes. */
  readonly length: () => number;
  readonly close: () => void;
};

type Line =
  | { readonly fact: FactRow }
  | { readonly setting: readonly [string, string] }
  | { readonly erased: true };

/** Reads the sidecar log at `path`. */
export function readSidecarLog(path: string): SidecarLogContent {
  const settings = new Map<string, string>();
  const facts: FactRow[] = [];
  let erased = false;
  let doubtful = 0;
  if (!existsSync(path)) return { facts, settings, erased, doubtful, present: false };
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    const line = lineOf(text);
    if (line === null) doubtful += 1;
    else if ('erased' in line) erased = true;
    else if ('fact' in line) facts.push(line.fact);
    else settings.set(line.setting[0], line.setting[1]);
  }
  return { facts, settings, erased, doubtful, present: true };
}

/** Opens the sidecar log at `path`, which holds `facts` facts, for appending. */
export function openSidecarLog(path: string, log: Log, facts = 0): SidecarLog {
  let file: number | null = null;
  let length = facts;
  let failing = false;

  const append = (line: Line): void => {
    try {
      file ??= openSync(path, 'a', 0o600);
      writeSync(file, textOf(line));
      failing = false;
    } catch (error) {
      if (!failing) log.warn('the sidecar log of the journal cannot be written', { error: codeOf(error) });
      failing = true;
    }
  };
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };

  return {
    appendFact: (row) => {
      append({ fact: row });
      length += 1;
    },
    appendSetting: (key, value) => append({ setting: [key, value] }),
    appendErasure: () => append({ erased: true }),
    restart: (settings, rows) => {
      const part = `${path}.part`;
      try {
        const fresh = openSync(part, 'w', 0o600);
        try {
          for (const [key, value] of settings) writeSync(fresh, textOf({ setting: [key, value] }));
          for (const row of rows) writeSync(fresh, textOf({ fact: row }));
          fsyncSync(fresh);
        } finally {
          closeSync(fresh);
        }
        close();
        renameSync(part, path);
        length = rows.length;
      } catch (error) {
        log.warn('the sidecar log of the journal could not be restarted', { error: codeOf(error) });
      }
    },
    length: () => length,
    close,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function textOf(line: Line): string {
  const text = JSON.stringify(line);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

/** The line in a text. A fact is verified by its hashes, so its line is valid even if its CRC is damaged. */
function lineOf(text: string): Line | null {
  const whole = crc32(text.slice(9)).toString(16).padStart(8, '0') === text.slice(0, 8);
  const line = parsed(text.slice(9));
  if (line === null || 'fact' in line) return line;
  return whole ? line : null;
}

function parsed(text: string): Line | null {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof line !== 'object' || line === null) return null;
  if ('fact' in line) {
    const fact = rowIn(line.fact);
    return fact === null ? null : { fact };
  }
  return 'setting' in line || 'erased' in line ? (line as Line) : null;
}

const COLUMNS = [
  ...['seq', 'id', 'kind', 'at', 'mono', 'boot', 'clock_offset', 'touchpoint', 'partner', 'reader', 'source'],
  ...['staff', 'payload', 'payload_sha256', 'previous_hash', 'hash'],
] as const;

/** The row in a line, if its hashes match. A missing payload means damage, not erasure. */
function rowIn(fact: unknown): FactRow | null {
  if (typeof fact !== 'object' || fact === null || !('payload' in fact)) return null;
  if (fact.payload !== null && typeof fact.payload !== 'string') return null;
  const named = fact as Readonly<Record<string, unknown>>;
  const row = Object.fromEntries(COLUMNS.map((column) => [column, named[column] ?? null])) as FactRow;
  return isTrueToItself(row) ? row : null;
}
