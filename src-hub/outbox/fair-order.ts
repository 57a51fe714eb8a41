/**
 * The order in which facts go upstream: round robin over devices, so that a device with many facts does not delay the
 * others.
 *
 *     first fact of each device, oldest first ► second of each ► third of each ► ...
 *
 * Invariants
 * - The order depends only on the stored facts. The facts of a smaller batch are the first ones of a larger batch,
 *   because the sender halves a refused batch to find the refused fact.
 * - A batch without `skip` has at most `MOST_OF_ONE` facts of one device. So while only one device has due facts,
 *   batches are small, and a fact of another device waits only for the small batch in flight. It is in the next batch,
 *   because the sender prepares a batch ahead only after a full one.
 * - The facts of one device keep their order.
 * - An undo waits for the fact that it undoes, because another device may have captured that one. It does not delay
 *   other facts.
 */
import { sql } from 'kysely';
import type { Store } from '../../src-platform/store/store.ts';

/**
 * This is the same expression as in the index `relay_fact_fair`. Facts that were submitted with a person's key are
 * treated as those of one device.
 */
const DEVICE = sql<string>`coalesce(device_id, '')`;
const IS_DUE = sql<boolean>`state = 'due'`;

/**
 * Whether an undo must wait because the fact that it undoes is in flight or will be sent later. A due fact that
 * precedes it in its own queue is sent first.
 */
const MUST_WAIT = sql<boolean>`relay_fact.undoes is not null and exists (
  select 1 from relay_fact as undone
  where undone.expo_id = relay_fact.expo_id and undone.id = relay_fact.undoes and (undone.state in ('in_flight', 'uncertain')
    or (undone.state = 'due' and (coalesce(undone.device_id, '') <> coalesce(relay_fact.device_id, '') or undone.seq > relay_fact.seq))))`;

/** Maximum number of facts of one device in a batch without `skip`. */
const MOST_OF_ONE = 10;

/** Selects the first `limit` due facts after `skip` in the fair order. Returns their numbers in ascending order. */
export async function nextInTurn(
  { ownDb }: Store,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<readonly bigint[]> {
  // One step in the index for each device, however many facts are due.
  const { rows } = await sql<{ device: string; seq: bigint | null }>`
    with recursive turn (device) as (
      select * from (select ${DEVICE} from relay_fact where ${IS_DUE} order by ${DEVICE} limit 1) as first
      union all
      select (select ${DEVICE} from relay_fact where ${IS_DUE} and ${DEVICE} > turn.device order by ${DEVICE} limit 1)
      from turn where turn.device is not null)
    select device, (select seq from relay_fact where ${IS_DUE} and ${DEVICE} = turn.device
      and not (${MUST_WAIT}) order by seq limit 1) as seq
    from turn where device is not null`.execute(ownDb);
  const heads = rows.flatMap(({ device, seq }) => (seq === null ? [] : [{ device, seq }]));
  // `skip` is above 0 while upstream refuses everything. Then each attempt sends another fact, even of one device.
  const most = skip === 0 ? Math.min(limit, MOST_OF_ONE) : limit + skip;
  const queues =
    heads.length === 0 || heads.length >= limit + skip
      ? [heads.map(({ seq }) => seq)]
      : inRounds(
          await queuesOf(
            ownDb,
            heads.map(({ device }) => device),
            most,
          ),
        );
  const order = queues.flatMap((round) => round.map(BigInt).toSorted(bySize));
  const from = order.length === 0 ? 0 : skip % order.length;
  return order.slice(from, from + limit).toSorted(bySize);
}

/** Up to `most` due facts of each device, oldest first. */
async function queuesOf(
  db: Store['ownDb'],
  devices: readonly string[],
  most: number,
): Promise<readonly (readonly bigint[])[]> {
  const parts = devices.map(
    (device) => sql`
      select * from (select ${DEVICE} as device, seq from relay_fact
        where ${IS_DUE} and ${DEVICE} = ${device} and not (${MUST_WAIT}) order by seq limit ${most}) as queue`,
  );
  const { rows } = await sql<{ device: string; seq: bigint }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  );
  const queues = Map.groupBy(rows, ({ device }) => device);
  return [...queues.values()].map((queue) => queue.map(({ seq }) => BigInt(seq)).toSorted(bySize));
}

/** The first fact of each queue, then the second of each, and so on. */
function inRounds(queues: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] {
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_none, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  );
}

function bySize(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

/**
 * The undo facts among these that must wait, because the fact that they undo is not sent yet and is not in this
 * batch.
 */
export async function waitingUndos({ ownDb }: Store, seqs: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  if (seqs.length === 0) return new Set();
  const rows = await ownDb
    .selectFrom('relay_fact as undo')
    .innerJoin('relay_fact as undone', (join) =>
      join.onRef('undone.expo_id', '=', 'undo.expo_id').onRef('undone.id', '=', 'undo.undoes'),
    )
    .select(['undo.seq', 'undone.seq as of'])
    .where('undo.state', '=', 'due')
    .where('undo.seq', 'in', seqs)
    .where('undone.state', 'in', ['due', 'in_flight', 'uncertain'])
    .execute();
  const leaving = new Set(seqs);
  return new Set(rows.filter((row) => !leaving.has(BigInt(row.of))).map(({ seq }) => BigInt(seq)));
}
