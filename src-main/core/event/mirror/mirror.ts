/**
 * The mirror of the event: its read operations, and the replacement of its file. `tables.ts` has the writes.
 *
 * Invariants:
 * - Every answer is read from the file. Only the forms of badge codes are cached in memory.
 * - A read that finds damage replaces the file (`mirror-file.ts`) and returns the answer of the new, empty file.
 * - When the write of a page finds damage, it is not repeated in the new, empty mirror, because the earlier pages
 *   would be missing there. The write throws, and a walk that began on the old file stops at the next page
 *   (`generation`).
 */
import type { WireRecord } from '../../foundations/api/page.ts';
import type { CodeForms } from '../../foundations/badge/code-forms.ts';
import { everyCallThrough } from '../../foundations/store/call-through.ts';
import type { Database } from '../../foundations/store/database.ts';
import { createCodeForms } from './learnt-forms.ts';
import { bodyOf, isMirrorDamage, MirrorDamage } from './mirror-damage.ts';
import { deleteMirror, markForRewrite, openMirrorFile, renameMirror } from './mirror-file.ts';
import { createProgressTable, type Progress } from './progress.ts';
import type { ResourceName } from './resources.ts';
import { isUntouched, readOwnRows, writeOwnRows } from './snapshot-file.ts';
import { createStandRecords, type StandRecords } from './stand-records.ts';
import { createTables, type MirrorTables } from './tables.ts';

/** A mirrored record. */
export type MirrorRecord = {
  readonly id: string;
  readonly revision: bigint;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as JSON text. */
  readonly text: string;
};

/** Answer to "whose badge is this?". `ambiguous`: its codes belong to several visitors. */
export type BadgeOwner =
  | { readonly kind: 'visitor'; readonly code: string; readonly visitor: MirrorRecord }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly code: string };

export type Mirror = MirrorContent & {
  /** How often a damaged file was replaced since the mirror was opened. */
  readonly generation: () => number;
  /**
   * Replaces the file by the snapshot at `path` (on the same disk, prepared by `snapshot-file.ts`), and copies the
   * device's own rows (`OwnRows`) into it. An error before the file is renamed leaves the mirror unchanged.
   * @throws Error when the device has too many rows of its own, and errors of the disk
   */
  readonly adopt: (path: string) => void;
  readonly close: () => void;
};

/** The read and write operations of one file. */
type MirrorContent = MirrorTables & {
  readonly progress: (resource: ResourceName) => Progress;
  readonly record: (resource: ResourceName, id: string) => MirrorRecord | null;
  /** Living records in order of id. */
  readonly records: (resource: ResourceName) => readonly MirrorRecord[];
  /** Up to `limit` living records after the one with this id, in order of id, with their bodies as JSON texts. */
  readonly textsAfter: (
    resource: ResourceName,
    id: string,
    limit: number,
  ) => readonly { readonly id: string; readonly body: string }[];
  /** Up to `limit` records after the one with this id, in order of id, including deleted ones. */
  readonly recordsAfter: (resource: ResourceName, id: string, limit: number) => readonly WireRecord[];
  /** Those of `ids` that are deleted records here. */
  readonly deletedAmong: (resource: ResourceName, ids: readonly string[]) => readonly string[];
  readonly count: (resource: ResourceName) => number;
  /** The visitor with these codes, all from one badge. `ambiguous` when the codes belong to several visitors. */
  readonly ownerOf: (codes: readonly string[]) => BadgeOwner;
  /** The forms of this event's codes, learnt after one complete pass over the visitors. */
  readonly codeForms: () => CodeForms;
  /** A short text stored beside the records (e.g. the event's name). */
  readonly metadata: (key: string) => string | null;
  readonly setMetadata: (key: string, text: string) => void;
  /** Whether the key had no right to this resource at the last request. */
  readonly isRefused: (resource: ResourceName) => boolean;
  readonly setRefused: (resource: ResourceName, refused: boolean) => void;
  /** Removes the old texts of changed records from the disk: most of them now, the rest at the next start. */
  readonly discardReplaced: () => void;
  readonly stand: StandRecords;
  /** Whether a list is empty and reading it has not started. */
  readonly isUntouched: (resource: ResourceName) => boolean;
};

/** The part of a mirror that the puller uses. */
export type PulledMirror = Pick<
  Mirror,
  | 'generation'
  | 'progress'
  | 'applyPage'
  | 'applyPassPage'
  | 'endPass'
  | 'discardPositions'
  | 'metadata'
  | 'setMetadata'
  | 'isRefused'
  | 'setRefused'
  | 'discardReplaced'
>;

/** The most replacements in one run. If there are more, a damaged file is not the cause, and the error is thrown. */
const MOST_REPLACEMENTS = 20;

/** Writes that depend on a position in the list. That position is lost with the file. */
const WRITES = ['applyPage', 'applyPassPage', 'endPass'] as const;

/**
 * Opens the mirror at `path` for one event. `onReplaced` receives the reason as in `openMirrorFile`, and also when a
 * file is found damaged later and is replaced.
 * @throws StartRefusal as `openMirrorFile`
 */
export function openMirror(
  path: string,
  expoId: string,
  onReplaced: (why: string) => void = () => undefined,
): Mirror {
  let generation = 0;
  const open = () => {
    const database = openMirrorFile(path, expoId, onReplaced);
    return { database, tables: createMirrorTables(database) };
  };
  let opened: ReturnType<typeof open> | null = open();
  const current = () => {
    opened ??= open();
    return opened;
  };

  const replace = (why: unknown): void => {
    const { database } = current();
    opened = null;
    generation += 1;
    try {
      database.close();
    } catch {
      // Even a file that cannot be closed properly is deleted.
    }
    deleteMirror(path);
    onReplaced(why instanceof Error ? why.message : 'unknown');
  };
  const replaceIfDamaged = (error: unknown): void => {
    if (!isMirrorDamage(error) || generation >= MOST_REPLACEMENTS) throw error;
    replace(error);
  };
  const through = everyCallThrough(current().tables, (use) => {
    try {
      return use(current().tables);
    } catch (error) {
      replaceIfDamaged(error);
      return use(current().tables);
    }
  });
  const write = <Name extends (typeof WRITES)[number]>(name: Name): MirrorContent[Name] => {
    const run = (...args: readonly unknown[]): unknown => {
      try {
        return (current().tables[name] as (...given: readonly unknown[]) => unknown)(...args);
      } catch (error) {
        replaceIfDamaged(error);
        throw new Error('the mirror was damaged and is fetched again', { cause: error });
      }
    };
    return run as MirrorContent[Name];
  };
  return {
    ...through,
    applyPage: write('applyPage'),
    applyPassPage: write('applyPassPage'),
    endPass: write('endPass'),
    // An unreadable snapshot does not mean a damaged mirror.
    adopt: (from) => {
      const { database } = current();
      const own = readOwnRows(database);
      opened = null;
      // No flush is needed: the old file is replaced next, and the worker thread has flushed the new one. A power cut
      // can lose only the copied rows.
      database.pragma('synchronous = OFF');
      database.close();
      renameMirror(from, path);
      const adopted = current().database;
      adopted.pragma('synchronous = OFF');
      try {
        writeOwnRows(adopted, own);
      } finally {
        adopted.pragma('synchronous = NORMAL');
      }
    },
    generation: () => generation,
    close: () => void opened?.database.close(),
  };
}

type RecordRow = { id: string; revision: bigint; body: string };

function createMirrorTables(database: Database): MirrorContent {
  const progress = createProgressTable(database);
  const livingRecords = `SELECT id, revision, body FROM record WHERE resource = ? AND deleted = 0`;
  const one = database.prepare<[string, string], RecordRow>(`${livingRecords} AND id = ?`).safeIntegers(true);
  const every = database.prepare<[string], RecordRow>(`${livingRecords} ORDER BY id`).safeIntegers(true);
  const after = database.prepare<[string, string, number], { id: string; body: string }>(
    'SELECT id, body FROM record WHERE resource = ? AND deleted = 0 AND id > ? ORDER BY id LIMIT ?',
  );
  const everyAfter = database
    .prepare<[string, string, number], RecordRow & { deleted: bigint }>(
      'SELECT id, revision, deleted, body FROM record WHERE resource = ? AND id > ? ORDER BY id LIMIT ?',
    )
    .safeIntegers(true);
  const deleted = database
    .prepare<[string, string], string>(
      `SELECT record.id FROM json_each(?) AS wanted CROSS JOIN record
       ON record.id = wanted.value AND resource = ? AND deleted = 1`,
    )
    .pluck();
  // No visitor is in both halves (see `rowsOf`). Removing duplicates would cost each tap a temporary index.
  const carriers = database.prepare<{ code: string }, { visitor: string }>(
    `SELECT visitor FROM badge WHERE code = @code
     UNION ALL SELECT id FROM record WHERE resource = 'visitors' AND id = @code AND deleted = 0 LIMIT 2`,
  );

  const record = (resource: ResourceName, id: string): MirrorRecord | null => {
    const row = one.get(resource, id);
    return row === undefined ? null : recordOfRow(row);
  };

  return {
    ...createMetadata(database),
    ...createTables(database),
    progress: progress.of,
    record,
    records: (resource) => every.all(resource).map(recordOfRow),
    textsAfter: (resource, id, limit) => after.all(resource, id, limit),
    recordsAfter: (resource, id, limit) =>
      everyAfter
        .all(resource, id, limit)
        .map((row) => ({ ...recordOfRow(row), deleted: row.deleted === 1n })),
    deletedAmong: (resource, ids) => deleted.all(JSON.stringify(ids), resource),
    count: (resource) => progress.of(resource).living,
    ownerOf: (codes) => {
      let owner: BadgeOwner = { kind: 'unknown' };
      for (const code of codes) {
        for (const carrier of carriers.all({ code })) {
          if (owner.kind === 'visitor' && owner.visitor.id === carrier.visitor) continue;
          const visitor = record('visitors', carrier.visitor);
          if (visitor === null) continue;
          if (owner.kind === 'unknown') owner = { kind: 'visitor', code, visitor };
          else return { kind: 'ambiguous', code };
        }
      }
      return owner;
    },
    codeForms: createCodeForms(database),
    discardReplaced: () => {
      markForRewrite(database);
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    stand: createStandRecords(database),
    isUntouched: isUntouched(database),
  };
}

function createMetadata(
  database: Database,
): Pick<Mirror, 'metadata' | 'setMetadata' | 'isRefused' | 'setRefused'> {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const write = database.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const metadata = (key: string): string | null => read.get(key)?.value ?? null;
  const setMetadata = (key: string, text: string): void => {
    if (metadata(key) !== text) write.run(key, text);
  };
  const isRefused = (resource: ResourceName): boolean => metadata(`refused ${resource}`) === 'yes';
  return {
    metadata,
    setMetadata,
    isRefused,
    setRefused: (resource, refused) => {
      if (isRefused(resource) !== refused) setMetadata(`refused ${resource}`, refused ? 'yes' : 'no');
    },
  };
}

/** @throws MirrorDamage or SyntaxError when the row is not as it was written */
function recordOfRow({ id, revision, body: text }: RecordRow): MirrorRecord {
  if (typeof id !== 'string' || typeof revision !== 'bigint')
    throw new MirrorDamage('a record has no id or revision');
  return { id, revision, body: bodyOf(text), text };
}
