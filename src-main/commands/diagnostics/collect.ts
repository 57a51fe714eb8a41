/**
 * Collects data that helps to find a fault remotely.
 *
 * Invariants:
 * - it contains no data of a visitor and no key: counts from databases, names from settings, and logs. Logs contain
 *   neither (docs/laws.md#law-9), and are redacted all the same;
 * - an unreadable part is replaced by its error code; the other parts are still complete.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { cpus, freemem, platform, release, totalmem, uptime } from 'node:os';
import { join, relative } from 'node:path';
import { readTableCounts } from '../../core/foundations/store/table-counts.ts';
import { readHealth } from '../health/read-health.ts';

/** Columns that contain the state of a row and no personal data. */
const STATES = {
  fact: ['kind', 'source'],
  outbox: ['state', 'attempts'],
  record: ['resource', 'deleted'],
} as const;

const NEWEST_LOGS = 4;

/** The files of the zip as UTF-8, by their names. `folder`: the data folder. */
export function collectDiagnostics(folder: string, now: number): ReadonlyMap<string, Uint8Array> {
  const parts: readonly (readonly [string, () => unknown])[] = [
    ['health.json', () => readHealth(folder, now)],
    ['machine.json', readRuntime],
    ['files.json', () => listFiles(folder)],
    ['journal.json', () => readTableCounts(join(folder, 'journal.db'), STATES)],
    ['mirror.json', () => readTableCounts(join(folder, 'mirror.db'), STATES)],
    ['settings.json', () => namesIn(JSON.parse(readFileSync(join(folder, 'stand.json'), 'utf8')))],
  ];
  const texts = parts.map(([name, read]) => [name, `${JSON.stringify(attempt(read), null, 2)}\n`] as const);
  const files = [...texts, ...readLogs(join(folder, 'logs'))];
  return new Map(files.map(([name, text]) => [name, new TextEncoder().encode(text)]));
}

/** The result of `read`, or the code of its error. The error's message may contain the data. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return { unreadable: typeof code === 'string' ? code : 'not as expected' };
  }
}

function readRuntime(): object {
  return {
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    arch: process.arch,
    processors: cpus().length,
    memoryMb: Math.round(totalmem() / 1e6),
    freeMemoryMb: Math.round(freemem() / 1e6),
    upHours: Math.round(uptime() / 3_600),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The databases, logs and JSON files of the folder with their sizes in bytes. */
function listFiles(folder: string): readonly object[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(db|db-wal|db-shm|tail|json|log|part)/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs, mode } = lstatSync(path);
      const at = new Date(mtimeMs).toISOString();
      return { path: relative(folder, path), size, at, mode: (mode & 0o777).toString(8) };
    });
}

/** The structure of settings: names and types, never a value. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesIn);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, namesIn(inner)]));
}

function readLogs(folder: string): readonly (readonly [string, string])[] {
  const names = attempt(() => readdirSync(folder).sort());
  if (!Array.isArray(names)) return [];
  return names
    .filter((name): name is string => typeof name === 'string')
    .slice(-NEWEST_LOGS)
    .map((name) => {
      const text = attempt(() => readFileSync(join(folder, name), 'utf8'));
      return [`logs/${name}`, typeof text === 'string' ? withoutPersonalData(text) : JSON.stringify(text)];
    });
}

const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g, '[mail]'],
  [/\b(?:Basic|Bearer)\s+[\w+/=.~-]+/gi, '[key]'],
  // Badge UIDs are 8, 14 or 20 hexadecimal digits.
  [/\b(?:[0-9A-F]{20}|[0-9A-F]{14}|[0-9A-F]{8})\b/g, '[badge]'],
];

/** The text without e-mail addresses, credentials and badge codes. It redacts too much rather than too little. */
function withoutPersonalData(text: string): string {
  return HIDDEN.reduce((left, [pattern, word]) => left.replace(pattern, word), text);
}
