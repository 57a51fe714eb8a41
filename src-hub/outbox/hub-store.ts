/**
 * The facts that devices submitted to the hub, for the sender (`core/delivery/outbox/delivery-store.ts`): the table
 * `relay_fact` of the hub's database.
 *
 *     accepted = due + in_flight + uncertain + sent + confirmed + parked
 *
 * Invariants
 * - The states and events are those of the device (`journal/facts/transitions.ts`). No row is ever deleted
 *   (docs/laws.md#law-2).
 * - Every attempt sends the stored text unchanged.
 * - One statement writes the accepted facts of an answer. It finds them by key and changes no other fact. One
 *   statement per fact, or a scan of all facts in flight, would take longer than upstream needs to answer. Only a
 *   refused fact has its own statement.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Batch } from '../../src-main/core/delivery/outbox/batch.ts';
import type { DeliveryStore } from '../../src-main/core/delivery/outbox/delivery-store.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { FactKind } from '../../src-main/core/journal/facts/fact.ts';
import type { OutboxItem } from '../../src-main/core/journal/facts/outbox.ts';
import {
  INTERRUPTED,
  lookedForAnew,
  reasonToLookAnew,
} from '../../src-main/core/journal/facts/outbox-changes.ts';
import {
  OUTBOX_STATES,
  type OutboxEvent,
  type OutboxState,
  TRANSITIONS,
} from '../../src-main/core/journal/facts/transitions.ts';
import type { HubFactTable, Tables } from '../../src-platform/store/schema.ts';
import type { Notify, Store } from '../../src-platform/store/store.ts';
import { nextInTurn, waitingUndos } from './fair-order.ts';

/** Facts by state, and how many the hub accepted. */
type HubCounts = { readonly taken: number } & Readonly<Record<OutboxState, number>>;

export type HubStore = DeliveryStore & {
  readonly counts: () => Promise<HubCounts>;
  /** As `OutboxChanges.recheck`. */
  readonly recheck: (platformWentBack: boolean, at: number) => Promise<number>;
};

const COLUMNS = [
  'seq',
  'id',
  'kind',
  'state',
  'item',
  'reason',
  'since_revision',
  'revision',
  'attempts',
] as const;

/** A first attempt notes the highest revision of an action known before it: a read-back begins there. */
const SINCE_HIGHEST = sql`since_revision =
  coalesce(relay_fact.since_revision, (select coalesce(max(revision), 0) from relay_fact where revision is not null))`;

/** Length limit of one request. The first item may exceed it. */
const MOST_TEXT = 300_000;

type Row = Pick<HubFactTable, 'id' | 'kind' | 'state' | 'item' | 'reason'> & {
  readonly seq: bigint;
  readonly since_revision: bigint | null;
  readonly revision: bigint | null;
  readonly attempts: bigint;
};

function itemOf(row: Row): OutboxItem {
  const { isLookedForAnew, platformWentBack } = lookedForAnew(row.reason);
  return {
    seq: Number(row.seq),
    id: row.id,
    // The platform and the journal have the same list of kinds. The sender does not read the text.
    kind: row.kind as FactKind,
    state: OUTBOX_STATES.find((state) => state === row.state) ?? 'uncertain',
    // Forgetting a person empties the text, so nothing is left to send.
    wire: row.item === '' ? null : row.item,
    wireIsSound: row.item !== '',
    sinceRevision: row.since_revision,
    revision: row.revision,
    attempts: Number(row.attempts),
    isLookedForAnew,
    platformWentBack,
    // A hub has no hub behind it.
    wasOut: false,
  };
}

/**
 * The facts of one event in `store`. `settings`: what the sender learnt about the platform. `check` throws after
 * another hub has taken over; then nothing is sent.
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
      .select(COLUMNS)
      .where('state', '=', state)
      .where('seq', '>', BigInt(after))
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(itemOf);
  };
  /** The items of `seqs` that are due. */
  const itemsOf = async (seqs: readonly bigint[]): Promise<readonly OutboxItem[]> => {
    if (seqs.length === 0) return [];
    const rows = await store.ownDb
      .selectFrom('relay_fact')
      .select(COLUMNS)
      .where('state', '=', 'due')
      .where('seq', 'in', seqs)
      .orderBy('seq')
      .execute();
    return rows.map(itemOf);
  };
  /** Applies an event to these facts; returns how many changed. */
  const change = async (
    event: OutboxEvent,
    seqs: readonly number[],
    at: number,
    about: About = {},
  ): Promise<number> =>
    seqs.length === 0
      ? 0
      : store.transaction((db, notify) => apply(db, notify, event, bySeq(seqs), at, about));
  /** Applies an event to every fact in a state where the event is valid. */
  const changeAll = (event: OutboxEvent, at: number, about: About): Promise<number> =>
    store.transaction((db, notify) => apply(db, notify, event, sql`true`, at, about));

  return {
    items,
    settings,
    take: async (_owner, portion) => {
      const turn = await nextInTurn(store, portion);
      const found = await itemsOf(turn);
      const waiting = found.some(({ kind }) => kind === 'undo')
        ? await waitingUndos(store, turn)
        : new Set<bigint>();
      const outgoing = firstOf(found.filter(({ seq }) => !waiting.has(BigInt(seq))));
      if (outgoing.length > 0) {
        const seqs = outgoing.map(({ seq }) => seq);
        await change('dispatched', seqs, clock.now(), { set: [SINCE_HIGHEST] });
      }
      return { taken: outgoing.length, outgoing };
    },
    stillInFlight: async (batch) => {
      await check();
      return withoutErased(store, batch);
    },
    isUndone: (seq) => isUndone(store, seq),
    requeue: async (seqs, reason, counted, at) => {
      await change(counted ? 'failed' : 'postponed', seqs, at, { reason });
    },
    markUncertain: async (seqs, reason, at) => {
      await change('unanswered', seqs, at, { reason });
    },
    requeueUnseen: async (seqs, at) => {
      await change('notFound', seqs, at);
    },
    park: async (seqs, reason, at) => {
      await change('unfit', seqs, at, { reason });
    },
    requeueParked: (items, at) =>
      change(
        'retried',
        items.map(({ seq }) => seq),
        at,
      ),
    settle: (settlements, at) => settle(store, settlements, at),
    confirm: (seen, at) => confirm(store, expoId, seen, at),
    noteRepeated: async (seqs) => {
      if (seqs.length === 0) return;
      await store.transaction((db) =>
        sql`update relay_fact set repeated = 1 where ${bySeq(seqs)}`.execute(db),
      );
    },
    recover: (at) => changeAll('interrupted', at, { reason: INTERRUPTED }),
    recheck: (platformWentBack, at) =>
      changeAll(platformWentBack ? 'rolledBack' : 'compared', at, {
        reason: reasonToLookAnew(platformWentBack),
        set: [sql`revision = null`, sql`since_revision = 0`],
      }),
    counts: async () => {
      const rows = await store.db
        .selectFrom('relay_fact')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      const of = (state: OutboxState): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
      return {
        taken: rows.reduce((sum, { count }) => sum + Number(count), 0),
        due: of('due'),
        in_flight: of('in_flight'),
        uncertain: of('uncertain'),
        sent: of('sent'),
        confirmed: of('confirmed'),
        parked: of('parked'),
      };
    },
  };
}

const ATTEMPTS = {
  keep: [],
  increment: [sql`attempts = relay_fact.attempts + 1`],
  decrement: [sql`attempts = relay_fact.attempts - 1`],
  reset: [sql`attempts = 0`],
} as const;

/** Erasure empties the text of a fact. */
const HAS_TEXT = [sql`relay_fact.item <> ''`];
const NEEDS = {
  nothing: [],
  content: HAS_TEXT,
  erased: [sql`relay_fact.item = ''`],
  text: HAS_TEXT,
} as const;

/**
 * Details of an event. `set`: further columns to write. `told`: the rows of an answer. The SQL in `set` and `where`
 * can use them as the table `told`.
 */
type About = {
  readonly reason?: string;
  readonly set?: readonly RawBuilder<unknown>[];
  readonly told?: RawBuilder<unknown>;
};

/** Maximum number of facts that a notice names. If there are more, it names none, and devices request receipts. */
const MOST_NAMED = 300;

/** States that devices are notified of. */
const TOLD: readonly OutboxState[] = ['sent', 'confirmed', 'parked'];

/**
 * Applies an event to the rows that match `where`, as the table of transitions says, and notifies devices of new
 * receipts. Returns how many rows changed.
 */
async function apply(
  db: Kysely<Tables>,
  notify: Notify,
  event: OutboxEvent,
  where: RawBuilder<unknown>,
  at: number,
  { reason, set = [], told }: About,
): Promise<number> {
  const transition = TRANSITIONS[event];
  const reasons = { set: [sql`reason = ${reason ?? null}`], clear: [sql`reason = null`], keep: [] };
  const changes = [
    sql`state = ${transition.to}`,
    sql`changed = ${new Date(at).toISOString()}`,
    ...reasons[transition.reason],
    ...ATTEMPTS[transition.attempts],
    ...set,
  ];
  const conditions = [
    where,
    sql`relay_fact.state in (${sql.join(transition.from)})`,
    ...NEEDS[transition.needs],
  ];
  const { rows } = await sql<{ seq: bigint }>`
    ${told === undefined ? sql`` : sql`with told ${told}`}
    update relay_fact set ${sql.join(changes)} ${told === undefined ? sql`` : sql`from told`}
    where ${sql.join(conditions, sql` and `)} returning relay_fact.seq`.execute(db);
  if (rows.length > 0 && TOLD.includes(transition.to))
    notify('receipts', rows.length > MOST_NAMED ? '' : rows.map(({ seq }) => seq).join(','));
  return rows.length;
}

function bySeq(seqs: readonly number[]): RawBuilder<unknown> {
  return sql`relay_fact.seq in (${sql.join(seqs.map(BigInt))})`;
}

const longOf = (value: bigint | null): RawBuilder<unknown> => sql`cast(${value} as bigint)`;
const textOf = (value: string | null): RawBuilder<unknown> => sql`cast(${value} as text)`;

/** Writes an answer: each fact in it gets its own result. */
async function settle(
  store: Store,
  settlements: Parameters<DeliveryStore['settle']>[0],
  at: number,
): Promise<void> {
  if (settlements.length === 0) return;
  const accepted = settlements.flatMap((told) =>
    told.kind === 'sent'
      ? [sql`(${longOf(BigInt(told.seq))}, ${textOf(told.action)}, ${longOf(told.revision)})`]
      : [],
  );
  await store.transaction(async (db, notify) => {
    if (accepted.length > 0)
      await apply(db, notify, 'accepted', sql`relay_fact.seq = told.seq`, at, {
        told: sql`(seq, action_id, revision) as (values ${sql.join(accepted)})`,
        set: [sql`action_id = told.action_id`, sql`revision = told.revision`],
      });
    for (const told of settlements)
      if (told.kind === 'parked')
        await apply(db, notify, 'refused', bySeq([told.seq]), at, { reason: told.reason });
  });
}

/** Confirms the facts that were read back from upstream. Returns how many were not confirmed before. */
async function confirm(
  store: Store,
  expoId: string,
  seen: Parameters<DeliveryStore['confirm']>[0],
  at: number,
): Promise<number> {
  if (seen.length === 0) return 0;
  // One row per fact, because the result of an UPDATE from two rows is undefined.
  const rows = [...new Map(seen.map((one) => [one.id, one])).values()].map(
    ({ id, action, revision }) => sql`(${textOf(id)}, ${textOf(action)}, ${longOf(revision)})`,
  );
  return store.transaction((db, notify) =>
    apply(db, notify, 'seen', sql`relay_fact.expo_id = ${expoId} and relay_fact.id = told.id`, at, {
      told: sql`(id, action_id, revision) as (values ${sql.join(rows)})`,
      set: [
        sql`action_id = coalesce(told.action_id, relay_fact.action_id)`,
        sql`revision = coalesce(told.revision, relay_fact.revision)`,
      ],
    }),
  );
}

/** The batch without facts that were erased in the meantime, so that no fact of a forgotten person is sent. */
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

/** Whether another fact undoes this one, or the fact was erased. */
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

/** The facts that undo this one. They are found by an index, or by their text if they are older than the index. */
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
