/**
 * Progress of each resource: its cursor, a running pass, the last sweep. One row per resource.
 *
 * Invariants:
 * - A position moves only in the transaction of its page or sweep (docs/laws.md#law-4).
 * - An interrupted pass continues where it stopped.
 */
import type { Database } from '../../foundations/store/database.ts';
import { MirrorDamage } from './mirror-damage.ts';
import type { ResourceName } from './resources.ts';

/**
 * A walk over the whole resource that marks every record it sees. `sound`: it skipped no record, so unseen records
 * may be removed.
 */
export type Pass = { readonly number: number; readonly from: bigint; readonly sound: boolean };

export type Progress = {
  /** The revision from which following continues (inclusive). */
  readonly revision: bigint;
  /** Whether a pass has reached the end at least once. */
  readonly complete: boolean;
  /** The running pass, or null. */
  readonly pass: Pass | null;
  /** Number of the latest pass. */
  readonly passes: number;
  /** Wall time of the end of the last pass, or null. 0 if the list must be read from the start again. */
  readonly sweptAt: number | null;
  /** How many records the last pass would have removed, while the removal waits for approval. 0 otherwise. */
  readonly asks: number;
  /** Whether staff allowed the next pass to remove any number of records. */
  readonly approved: boolean;
  /** How many records are not deleted. */
  readonly living: number;
};

type Row = {
  revision: bigint;
  complete: bigint;
  pass: bigint;
  pass_from: bigint | null;
  pass_sound: bigint;
  swept_at: bigint | null;
  asks: bigint;
  approved: bigint;
  living: bigint;
};

const NOTHING: Progress = {
  revision: 0n,
  complete: false,
  pass: null,
  passes: 0,
  sweptAt: null,
  asks: 0,
  approved: false,
  living: 0,
};

type ProgressTable = {
  readonly of: (resource: ResourceName) => Progress;
  readonly write: (resource: ResourceName, change: Partial<Omit<Progress, 'passes'>>) => void;
};

/** Progress over the mirror's `cursor` table. */
export function createProgressTable(database: Database): ProgressTable {
  const read = database.prepare<[string], Row>('SELECT * FROM cursor WHERE resource = ?').safeIntegers(true);
  const write = database.prepare(
    `INSERT OR REPLACE INTO cursor
       (resource, revision, complete, pass, pass_from, pass_sound, swept_at, asks, approved, living)
     VALUES (@resource, @revision, @complete, @passes, @passFrom, @passSound, @sweptAt, @asks, @approved, @living)`,
  );
  const of = (resource: ResourceName): Progress => {
    const row = read.get(resource);
    return row === undefined ? NOTHING : progressOfRow(row);
  };
  return {
    of,
    write: (resource, change) => {
      const next = { ...of(resource), ...change };
      write.run({
        resource,
        revision: next.revision,
        complete: next.complete ? 1 : 0,
        passes: next.pass?.number ?? next.passes,
        passFrom: next.pass?.from ?? null,
        passSound: next.pass?.sound === false ? 0 : 1,
        sweptAt: next.sweptAt,
        asks: next.asks,
        approved: next.approved ? 1 : 0,
        living: next.living,
      });
    },
  };
}

/** @throws MirrorDamage when the row is not as it was written */
function progressOfRow(row: Row): Progress {
  const from: unknown = row.pass_from;
  if (typeof row.revision !== 'bigint' || (from !== null && typeof from !== 'bigint'))
    throw new MirrorDamage('a list has no position');
  const number = Number(row.pass);
  return {
    revision: row.revision,
    complete: row.complete === 1n,
    pass: row.pass_from === null ? null : { number, from: row.pass_from, sound: row.pass_sound === 1n },
    passes: number,
    sweptAt: row.swept_at === null ? null : Number(row.swept_at),
    asks: Number(row.asks),
    approved: row.approved === 1n,
    living: Number(row.living),
  };
}
