/**
 * The facts that the other devices of a partner submitted to the hub, so that the laptops of a stand share them. This
 * is our own extension, which only a hub has (docs/hub.md).
 *
 * Invariants
 * - A device receives only facts of its own partner (docs/laws.md#law-14).
 * - An answer has the items after the requested number, in commit order, each as it was submitted and with its partner.
 * - Items that upstream refused are included, because they happened.
 * - A request to forget a person is an entry in the same order: ids and pseudonym hashes, no content.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { ExpoCall, Operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';

/** Maximum number of items in one answer. */
const most = 200;

const answer = z.object({
  facts: z.array(
    z.object({
      seq: z.number(),
      device: z.object({ id: z.string(), name: z.string() }),
      item: z.record(z.string(), z.unknown()),
    }),
  ),
  /** The requests to forget people, as the devices submitted them (`forget.ts`). */
  forgotten: z.array(z.looseObject({ seq: z.number(), id: z.string() })),
  /** The `after` of the next request. */
  next: z.number(),
  /** Whether more may follow now. */
  more: z.boolean(),
});

/** The operation that reads the facts of the team. */
export function teamFactsOperation(store: Store): Operation {
  return {
    method: 'GET',
    path: '/hub/facts/{expoId}',
    tag: 'hub',
    summary: 'What other devices of the same partner submitted to this hub',
    documented: false,
    right: 'read',
    query: z.object({ after: z.coerce.number().int().min(0).default(0) }),
    answer,
    onExpo: true,
    handle: async ({ caller, expo, query }: ExpoCall) => {
      const after = Number(query.after);
      const { device } = caller;
      const partnerId = device?.partnerId ?? null;
      if (device === undefined || partnerId === null)
        return { facts: [], forgotten: [], next: after, more: false };
      // One statement reads facts and requests in one snapshot, so no number is skipped.
      const rows = await store.db
        .selectFrom('relay_fact')
        .innerJoin('device', 'device.id', 'relay_fact.device_id')
        .select(['relay_fact.seq', 'relay_fact.item as text', 'device.id', 'device.name'])
        .where('relay_fact.expo_id', '=', expo.id)
        .where('relay_fact.partner_id', '=', partnerId)
        .where('relay_fact.seq', '>', BigInt(after))
        .where('relay_fact.device_id', '<>', device.id)
        .where('relay_fact.item', '<>', '')
        .unionAll(
          store.db
            .selectFrom('forgetting')
            .select(['seq', 'told as text', sql<string>`''`.as('id'), sql<string>`''`.as('name')])
            .where('expo_id', '=', expo.id)
            .where('partner_id', '=', partnerId)
            .where('seq', '>', BigInt(after)),
        )
        .orderBy('seq')
        .limit(most)
        .execute();
      const facts = rows.filter(({ id }) => id !== '');
      const forgotten = rows.filter(({ id }) => id === '');
      return {
        facts: facts.map(({ seq, text, id, name }) => ({
          seq: Number(seq),
          device: { id, name },
          item: { partnerID: partnerId, ...objectOf(text) },
        })),
        forgotten: forgotten.map(({ seq, text }) => ({ ...objectOf(text), seq: Number(seq) })),
        next: Number(rows.at(-1)?.seq ?? after),
        more: rows.length === most,
      };
    },
  };
}

function objectOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
