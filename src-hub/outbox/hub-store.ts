/**
 * The facts that devices handed to the hub, as the sender knows facts (`core/delivery/outbox/delivery-store.ts`): the same states,
 * the same changes, over the table `relay_fact` of the hub's database.
 *
 *     due ──► in_flight ──► sent ──► confirmed        taken in = due + in_flight + uncertain + sent + confirmed + parked
 *
 * Invariants: docs/laws.md#law-2 over the rows of the table, which are never deleted; each change names the states it may
 * leave; what goes out is the text that came in, every time.
 */

import type { Batch } from '../../src-main/core/delivery/outbox/batch.ts';
import type { DeliveryStore } from '../../src-main/core/delivery/outbox/delivery-store.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { FactKind } from '../../src-main/core/journal/facts/fact.ts';
import {
  OUTBOX_STATES,
  type OutboxItem,
  type OutboxState,
} from '../../src-main/core/journal/facts/outbox.ts';
import { lookedForAnew, reasonToLookAnew } from '../../src-main/core/journal/facts/outbox-changes.ts';
import type { HubFactTable } from '../../src-platform/store/schema.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { confirm, settle } from './hub-answers.ts';

/** Facts by state, and how many were taken in at all. */
export type HubCounts = { readonly taken: number } & Readonly<Record<OutboxState, number>>;

export type HubStore = DeliveryStore & {
  readonly counts: () => Promise<HubCounts>;
  /** As `OutboxChanges.recheck`. */
  readonly recheck: (platformWentBack: boolean, at: number) => Promise<number>;
};

/** So much text goes in one request at most, beyond its first item. */
const MOST_TEXT = 300_000;

type Row = Pick<HubFactTable, 'id' | 'kind' | 'state' | 'item' | 'reason'> & {
  readonly seq: bigint;
  readonly since_revision: bigint | null;
  readonly revision: bigint | null;
  readonly attempts: bigint;
};

function itemOf(row: Row): OutboxItem {
  return {
    seq: Number(row.seq),
    id: row.id,
    // The platform's list of kinds and the journal's are the same; what is sent is the text, whatever it says.
    kind: row.kind as FactKind,
    state: OUTBOX_STATES.find((state) => state === row.state) ?? 'uncertain',
    // Of somebody who was forgotten there is nothing to send any more.
    wire: row.item === '' ? null : row.item,
    wireIsSound: row.item !== '',
    sinceRevision: row.since_revision,
    revision: row.revision,
    attempts: Number(row.attempts),
    ...lookedForAnew(row.reason),
    // There is no hub behind a hub.
    wasOut: false,
  };
}

/**
 * The forwarded facts of one event in `store`. `settings`: what is known of upstream, kept beside them; `check` throws where another hub has
 * taken over, and then nothing is sent.
 */
export function createHubStore(
  store: Store,
  expoId: string,
  settings: DeliveryStore['settings'],
  clock: Pick<Clock, 'now'>,
  check: () => Promise<void> = async () => undefined,
): HubStore {
  const items = async (state: OutboxState, limit: number, after = 0): Promise<readonly OutboxItem[]> => {
    const rows = await store.ownDb
      .selectFrom('relay_fact')
      .select(['seq', 'id', 'kind', 'state', 'item', 'reason', 'since_revision', 'revision', 'attempts'])
      .where('state', '=', state)
      .where('seq', '>', BigInt(after))
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(itemOf);
  };
  const highestRevision = async (): Promise<bigint> => {
    const row = await store.ownDb
      .selectFrom('relay_fact')
      .select('revision')
      .where('revision', 'is not', null)
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.revision ?? 0n;
  };
  return {
    ...createChanges(store, expoId),
    items,
    settings,
    take: async (_owner, { limit, skip }) => {
      const due = await items('due', limit + skip);
      const outgoing = firstOf(due.slice(skip % Math.max(1, due.length)).slice(0, limit));
      if (outgoing.length > 0) {
        const seqs = outgoing.map(({ seq }) => seq);
        await markInFlight(store, seqs, await highestRevision(), clock.now());
      }
      return { taken: outgoing.length, outgoing };
    },
    stillInFlight: async (batch) => {
      await check();
      return withoutErased(store, batch);
    },
    isUndone: (seq) => isUndone(store, seq),
    counts: async () => {
      const rows = await store.db
        .selectFrom('relay_fact')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      const of = (state: string): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
      const [due, in_flight, uncertain, sent, confirmed, parked] = OUTBOX_STATES.map(of) as [
        ...[number, number, number, number, number, number],
      ];
      const taken = rows.reduce((sum, { count }) => sum + Number(count), 0);
      return { taken, due, in_flight, uncertain, sent, confirmed, parked };
    },
  };
}

/** A person who was forgotten since takes nothing along. */
async function withoutErased({ ownDb }: Store, { taken, outgoing }: Batch): Promise<Batch> {
  if (outgoing.length === 0) return { taken, outgoing };
  const seqs = outgoing.map(({ seq }) => BigInt(seq));
  const erased = await ownDb
    .selectFrom('relay_fact')
    .select('seq')
    .where('seq', 'in', seqs)
    .where('item', '=', '')
    .execute();
  const gone = new Set(erased.map(({ seq }) => Number(seq)));
  return { taken, outgoing: outgoing.filter(({ seq }) => !gone.has(seq)) };
}

function firstOf(items: readonly OutboxItem[]): Batch['outgoing'] {
  let text = 0;
  const end = items.findIndex(({ wire }) => {
    text += wire?.length ?? 0;
    return text > MOST_TEXT;
  });
  const fit = end < 0 ? items : items.slice(0, Math.max(1, end));
  return fit.map(({ seq, id, wire, wasOut }) => ({ seq, id, wire: wire ?? '', wasOut }));
}

/** Whether another fact takes this one back. */
async function isUndone(store: Store, seq: number): Promise<boolean> {
  const row = await store.ownDb
    .selectFrom('relay_fact')
    .select(['id', 'expo_id', 'item'])
    .where('seq', '=', BigInt(seq))
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.item === '') return true;
  const undo = await undosOf(store.ownDb, row.expo_id, row.id).executeTakeFirst();
  return undo !== undefined;
}

/** The facts that take this one back, by an index; of facts that are older than the index, by their text. */
export function undosOf(db: Store['ownDb'], expoId: string, id: string) {
  const undos = db
    .selectFrom('relay_fact')
    .select('id')
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'undo');
  return undos
    .where('undoes', '=', id)
    .unionAll(undos.where('has_lookup', '=', 0).where('item', 'like', `%"undoes":"${id}"%`));
}

type Change = Partial<Omit<HubFactTable, 'seq' | 'expo_id' | 'id'>>;

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Changes those of `seqs` that are in one of `from`; how many. */
function change(
  store: Store,
  seqs: readonly number[],
  from: readonly OutboxState[],
  set: Change,
): Promise<number> {
  if (seqs.length === 0) return Promise.resolve(0);
  return store.transaction(async (db) => {
    const result = await db
      .updateTable('relay_fact')
      .set(set)
      .where('seq', 'in', seqs.map(BigInt))
      .where('state', 'in', [...from])
      // Of somebody who was forgotten nothing goes out again.
      .$if(set.state === 'due', (query) => query.where('item', '<>', ''))
      .executeTakeFirst();
    return Number(result.numUpdatedRows);
  });
}

async function markInFlight(store: Store, seqs: readonly number[], since: bigint, at: number): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .updateTable('relay_fact')
      .set((row) => ({
        state: 'in_flight',
        changed: timeOf(at),
        attempts: row('attempts', '+', 1n),
        since_revision: row.fn.coalesce('since_revision', row.val(since)),
      }))
      .where('seq', 'in', seqs.map(BigInt))
      .where('state', 'in', ['due', 'uncertain'])
      .execute();
  });
}

function createChanges(
  store: Store,
  expoId: string,
): Omit<DeliveryStore, 'items' | 'take' | 'stillInFlight' | 'isUndone' | 'settings'> &
  Pick<HubStore, 'recheck'> {
  const inFlight = ['in_flight'] as const;
  return {
    requeue: async (seqs, reason, counted, at) => {
      await store.transaction(async (db) => {
        if (seqs.length === 0) return;
        await db
          .updateTable('relay_fact')
          .set((row) => ({
            ...{ state: 'due', reason, changed: timeOf(at) },
            ...(counted ? {} : { attempts: row('attempts', '-', 1n) }),
          }))
          .where('seq', 'in', seqs.map(BigInt))
          .where('state', '=', 'in_flight')
          .execute();
      });
    },
    markUncertain: async (seqs, reason, at) => {
      await change(store, seqs, inFlight, { state: 'uncertain', reason, changed: timeOf(at) });
    },
    requeueUnseen: async (seqs, at) => {
      await change(store, seqs, ['uncertain'], { state: 'due', changed: timeOf(at) });
    },
    settle: (settlements, at) => settle(store, settlements, at),
    park: async (seqs, reason, at) => {
      await change(store, seqs, ['due', 'uncertain'], { state: 'parked', reason, changed: timeOf(at) });
    },
    requeueParked: (items, at) => {
      const anew = { state: 'due', reason: null, attempts: 0n, changed: timeOf(at) };
      return change(
        store,
        items.map(({ seq }) => seq),
        ['parked'],
        anew,
      );
    },
    confirm: (seen, at) => confirm(store, expoId, seen, at),
    noteRepeated: async (seqs) => {
      await change(store, seqs, OUTBOX_STATES, { repeated: 1 });
    },
    recover: (at) => changeAll(store, ['in_flight'], { state: 'uncertain', changed: timeOf(at) }),
    recheck: (platformWentBack, at) =>
      changeAll(store, platformWentBack ? ['confirmed', 'sent'] : ['confirmed'], {
        ...{ state: 'sent', revision: null, since_revision: 0n },
        ...{ reason: reasonToLookAnew(platformWentBack), changed: timeOf(at) },
      }),
  };
}

function changeAll(store: Store, from: readonly OutboxState[], set: Change): Promise<number> {
  return store.transaction(async (db) => {
    const result = await db
      .updateTable('relay_fact')
      .set(set)
      .where('state', 'in', from)
      .where('item', '<>', '')
      .executeTakeFirst();
    return Number(result.numUpdatedRows);
  });
}
