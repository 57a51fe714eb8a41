/**
 * The changed records of the event in commit order. Their bytes are prepared once for all devices with the same view.
 *
 * Invariants
 * - Batches follow each other without a gap: a batch holds every change after revision `from`, up to and including
 *   `to`.
 * - The recent batches stay in memory, bounded, so that a device that reconnects soon reads no list.
 */
import { type RawBuilder, sql } from 'kysely';
import type { RecordTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { type DeviceView, formOf, shownTo } from './narrowing.ts';

type Row = Pick<RecordTable, 'kind' | 'basic' | 'partner_id' | 'deleted'> & { readonly revision: bigint };

/** All changes after revision `from` up to `to`. */
export type Batch = {
  readonly from: bigint;
  readonly to: bigint;
  /** Whether it may change the views of devices, because it contains a touchpoint. */
  readonly changesViews: boolean;
  /**
   * The lines of a view with the changes after revision `after`: each has a list and its records. Empty if the view
   * shows none of them.
   */
  readonly linesFor: (view: DeviceView, after?: bigint) => Buffer;
};

type Pump = {
  /** The revision up to which every change is in a batch. */
  readonly head: () => bigint;
  /** The batches after a revision, or null if some of them are no longer in memory. */
  readonly since: (revision: bigint) => readonly Batch[] | null;
  /** Reads new changes, and calls `onBatch` for each batch. Calls during a run cause one more run. */
  readonly run: () => Promise<void>;
};

/** Maximum number of records and characters in one batch. A single record may be longer. */
const MOST_RECORDS = 200;
const MOST_CHARACTERS = 256_000;
/** Maximum size of the batches that are kept in memory. */
const KEPT_CHARACTERS = 4_000_000;
/**
 * How many revisions before its start a pump reads, so that devices of a restarted process reconnect without reading
 * lists.
 */
const BEFORE_START = 500n;

/** The pump of one event. `lists`: the list of each kind of record. */
export function createPump(
  store: Store,
  expoId: string,
  lists: ReadonlyMap<string, string>,
  onBatch: (batch: Batch) => void,
): Pump {
  let head: bigint | null = null;
  let kept: { readonly batch: Batch; readonly size: number }[] = [];
  let isAsked = false;
  let running: Promise<void> | null = null;

  const readSome = async (after: bigint): Promise<readonly Row[]> => {
    const parts = [...lists.keys()].map((kind) => changesOf(expoId, kind, after));
    const all = sql.join(parts, sql` union all `);
    const { rows } = await sql<Row>`
      select * from (${all}) as changes order by revision limit ${MOST_RECORDS}`.execute(store.db);
    let characters = 0;
    const end = rows.findIndex(({ basic }, place) => {
      characters += basic.length;
      return place > 0 && characters > MOST_CHARACTERS;
    });
    return end < 0 ? rows : rows.slice(0, end);
  };

  const runOnce = async (): Promise<void> => {
    if (head === null) {
      const { value } = await store.db.selectFrom('counter').select('value').executeTakeFirstOrThrow();
      head = value > BEFORE_START ? value - BEFORE_START : 0n;
    }
    for (;;) {
      const rows = await readSome(head);
      const to = rows.at(-1)?.revision;
      if (to === undefined) return;
      const batch = batchOf(head, to, rows, lists);
      head = to;
      kept.push({ batch, size: rows.reduce((sum, { basic }) => sum + basic.length, 0) });
      let size = kept.reduce((sum, one) => sum + one.size, 0);
      kept = kept.filter((one) => {
        const isTooMuch = size > KEPT_CHARACTERS;
        if (isTooMuch) size -= one.size;
        return !isTooMuch;
      });
      onBatch(batch);
    }
  };

  const runAll = async (): Promise<void> => {
    try {
      while (isAsked) {
        isAsked = false;
        await runOnce();
      }
    } finally {
      running = null;
    }
  };

  return {
    head: () => head ?? 0n,
    since: (revision) => {
      if (head === null || revision > head) return null;
      if (revision === head) return [];
      const first = kept[0]?.batch.from;
      if (first === undefined || revision < first) return null;
      return kept.flatMap(({ batch }) => (batch.to > revision ? [batch] : []));
    },
    run: () => {
      isAsked = true;
      running ??= runAll();
      return running;
    },
  };
}

/** The next changes of one kind, read as one range of an index. */
function changesOf(expoId: string, kind: string, after: bigint): RawBuilder<unknown> {
  return sql`select * from (
    select kind, basic, revision, deleted, partner_id from record
    where expo_id = ${expoId} and kind = ${kind} and revision > ${after}
    order by revision limit ${MOST_RECORDS}) as ${sql.ref(`changed_${kind}`)}`;
}

function batchOf(from: bigint, to: bigint, rows: readonly Row[], lists: ReadonlyMap<string, string>): Batch {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const prepared = new Map<string, Buffer>();
  const linesOf = (view: DeviceView, kind: string, after: bigint): Buffer => {
    const shown = rows.flatMap((row) =>
      row.kind === kind && row.revision > after ? (shownTo(view, row) ?? []) : [],
    );
    return Buffer.from(shown.length === 0 ? '' : `data: ${lists.get(kind)} [${shown.join(',')}]\n`);
  };
  return {
    from,
    to,
    changesViews: kinds.includes('touchpoint'),
    linesFor: (view, after = from) => {
      const parts = kinds.flatMap((kind) => {
        const form = formOf(view, kind);
        if (form === null) return [];
        const key = `${kind} ${after} ${form}`;
        const lines = prepared.get(key) ?? linesOf(view, kind, after);
        prepared.set(key, lines);
        return [lines];
      });
      return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    },
  };
}
