/**
 * Writes of the mirror: pages, sweeps, and the approval of a suspicious sweep.
 *
 * Invariants:
 * - A page and its cursor commit in one transaction (docs/laws.md#law-4).
 * - While following, a record is replaced only by one of the same or a higher revision. A lower one raises
 *   `wentBack`: the platform was reset to an older state.
 * - In a pass the platform's current record replaces the stored one, with any revision.
 * - A deleted record keeps its row, so that following does not bring an older version back. The row of a deleted
 *   visitor, or of a swept record, has no data.
 */
import { textOf } from '../../foundations/api/body.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { Database } from '../../foundations/store/database.ts';
import { badgeCodes } from './badge-codes.ts';
import { bodyOf } from './mirror-damage.ts';
import { createProgressTable, type Pass } from './progress.ts';
import { RESOURCES, type ResourceName } from './resources.ts';
import type { MirrorRow } from './rows.ts';

/**
 * The effect of a page. `added`: how many records are new. `wentBack`: a record had a lower revision than the stored
 * one.
 */
export type Applied = {
  readonly changed: readonly WireRecord[];
  readonly added: number;
  readonly wentBack: boolean;
};

/** How a pass ended. */
export type Swept =
  | { readonly kind: 'swept'; readonly removed: readonly string[] }
  | { readonly kind: 'asks'; readonly wouldRemove: number; readonly of: number };

/** A pass that would remove more than this share (and more than a handful) requires an approval. */
const DOUBTFUL_SHARE = 0.05;
const HANDFUL = 5;

/** Stands for the time of the last sweep of a list that must be swept again. */
const LONG_AGO = 0;

export type MirrorTables = {
  /** Applies a page of a pass (the first sync is one) and moves the pass to `pass.from`. */
  readonly applyPassPage: (resource: ResourceName, rows: readonly MirrorRow[], pass: Pass) => Applied;
  /** Applies a page read while following and moves the cursor to `revision`. */
  readonly applyPage: (resource: ResourceName, rows: readonly MirrorRow[], revision: bigint) => Applied;
  /**
   * Ends a pass. A sound pass removes the records that it did not see, or asks for approval if there are too many. Any
   * other pass removes nothing.
   */
  readonly endPass: (resource: ResourceName, pass: Pass, now: number) => Swept;
  /** Discards the positions in all lists: the next pull of each list is a new pass from the start. */
  readonly discardPositions: () => void;
  /** Lets the next pass over `resource` remove any number of records. */
  readonly approveSweep: (resource: ResourceName) => void;
  /** Ids of the living records that the latest complete pass did not see. */
  readonly unseen: (resource: ResourceName) => readonly string[];
};

type Held = { revision: bigint; deleted: bigint; body: string };

/** Decides which row of a page replaces a stored one. */
type Wins = (row: MirrorRow, before: Held) => boolean;

/** While following, only a newer record replaces another, or a different one of the same revision. */
const winsWhileFollowing: Wins = ({ record: { revision }, json }, held) =>
  revision > held.revision || (revision === held.revision && textOf(json) !== held.body);

/** In a pass, the platform's current record replaces the stored one, with any revision. */
const winsInPass: Wins = ({ record: { revision, deleted }, json }, held) =>
  revision !== held.revision || textOf(json) !== held.body || deleted !== (held.deleted === 1n);

/** The tables of `database`. */
export function createTables(database: Database): MirrorTables {
  const progress = createProgressTable(database);
  const records = createRecordTable(database);

  const applyPage = database.transaction(
    (resource: ResourceName, rows: readonly MirrorRow[], cursor: bigint): Applied => {
      const { passes, living: before } = progress.of(resource);
      const { living, ...applied } = records.put(resource, rows, passes, winsWhileFollowing);
      progress.write(resource, { revision: cursor, living: before + living });
      return applied;
    },
  );

  const applyPassPage = database.transaction(
    (resource: ResourceName, rows: readonly MirrorRow[], pass: Pass): Applied => {
      const { living: before } = progress.of(resource);
      const { living, ...applied } = records.put(resource, rows, pass.number, winsInPass);
      progress.write(resource, { pass, living: before + living });
      return applied;
    },
  );

  const endPass = database.transaction((resource: ResourceName, pass: Pass, now: number): Swept => {
    const gone = pass.sound ? records.unseen(resource, pass.number) : [];
    const { living: of, approved } = progress.of(resource);
    const doubtful = gone.length > HANDFUL && gone.length > of * DOUBTFUL_SHARE;
    const end = { revision: pass.from, complete: true, pass: null, sweptAt: now };
    if (doubtful && !approved) {
      progress.write(resource, { ...end, asks: gone.length });
      return { kind: 'asks', wouldRemove: gone.length, of };
    }
    for (const id of gone) records.remove(resource, id);
    progress.write(resource, { ...end, asks: 0, approved: false, living: of - gone.length });
    return { kind: 'swept', removed: gone };
  });

  const discardPositions = database.transaction((): void => {
    for (const { name } of RESOURCES) {
      const { pass, sweptAt } = progress.of(name);
      if (pass !== null || sweptAt !== null) progress.write(name, { pass: null, sweptAt: LONG_AGO });
    }
  });

  const approveSweep = database.transaction((resource: ResourceName): void =>
    progress.write(resource, { approved: true }),
  );

  return {
    applyPassPage: (resource, rows, pass) => applyPassPage.immediate(resource, rows, pass),
    applyPage: (resource, rows, revision) => applyPage.immediate(resource, rows, revision),
    endPass: (resource, pass, now) => endPass.immediate(resource, pass, now),
    discardPositions: () => discardPositions.immediate(),
    approveSweep: (resource) => approveSweep.immediate(resource),
    unseen: (resource) => {
      const { pass, passes } = progress.of(resource);
      return records.unseen(resource, pass === null ? passes : pass.number - 1);
    },
  };
}

/** The rows of `record` and the badges of visitors. Call its functions inside a transaction. */
function createRecordTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO record (resource, id, revision, deleted, body, pass) VALUES (?, ?, ?, ?, CAST(? AS TEXT), ?)
     ON CONFLICT DO NOTHING`,
  );
  const held = database
    .prepare<[string, string], Held>(
      'SELECT revision, deleted, body FROM record WHERE resource = ? AND id = ?',
    )
    .safeIntegers(true);
  const replace = database.prepare(
    'UPDATE record SET revision = ?, deleted = ?, body = CAST(? AS TEXT), pass = ? WHERE resource = ? AND id = ?',
  );
  const remove = database.prepare(`UPDATE record SET deleted = 1, body = '{}' WHERE resource = ? AND id = ?`);
  const mark = database.prepare('UPDATE record SET pass = ? WHERE resource = ? AND id = ?');
  const dropBadge = database.prepare('DELETE FROM badge WHERE code = ? AND visitor = ?');
  const addBadge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const unseen = database.prepare<[string, number], { id: string }>(
    'SELECT id FROM record WHERE resource = ? AND deleted = 0 AND pass < ?',
  );

  const dropBadges = (id: string, body: string): void => {
    for (const code of badgeCodes(bodyOf(body))) dropBadge.run(code, id);
  };

  return {
    /**
     * Writes the rows of a page that are new or replace a stored one, and marks the others as seen in `pass`.
     * `living` is the increase of living records.
     */
    put: (
      resource: ResourceName,
      rows: readonly MirrorRow[],
      pass: number,
      wins: Wins,
    ): Applied & { readonly living: number } => {
      const changed: WireRecord[] = [];
      let living = 0;
      let added = 0;
      let wentBack = false;
      for (const row of rows) {
        const { record, json, codes } = row;
        const { id, revision } = record;
        const deleted = record.deleted ? 1 : 0;
        // In a first sync most records are new, so the stored row need not be read.
        const isNew = insert.run(resource, id, revision, deleted, json, pass).changes > 0;
        const before = isNew ? undefined : held.get(resource, id);
        if (before !== undefined) {
          wentBack ||= revision < before.revision;
          if (!wins(row, before)) {
            mark.run(pass, resource, id);
            continue;
          }
          replace.run(revision, deleted, json, pass, resource, id);
          if (resource === 'visitors') dropBadges(id, before.body);
          living -= before.deleted === 0n ? 1 : 0;
        }
        for (const code of codes) addBadge.run(code, id);
        added += isNew ? 1 : 0;
        living += record.deleted ? 0 : 1;
        changed.push(record);
      }
      return { changed, added, wentBack, living };
    },
    /** Living records that the pass did not see. */
    unseen: (resource: ResourceName, pass: number): readonly string[] =>
      unseen.all(resource, pass).map(({ id }) => id),
    /** Keeps the row, without badge and data, so that an older version of the record cannot come back. */
    remove: (resource: ResourceName, id: string): void => {
      if (resource === 'visitors') dropBadges(id, held.get(resource, id)?.body ?? '{}');
      remove.run(resource, id);
    },
  };
}
