/**
 * What is new at a hub, in one answer: a mark for each list, which is another one when the list has changed. So a device whose
 * copy is up to date asks one question a round, not one for each list. Ours alone, and only at a hub (docs/hub.md).
 *
 * Invariants: a mark changes with every change that the list shows this device, deletions included, in the order of commits;
 * lists that are narrowed to a partner are marked for the partner of the device that asks; each mark is one step into an index.
 */
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { registrationTypes } from '../resources/registration-types.ts';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../store/store.ts';

/** The mark of the event itself, and of what a team's laptops handed over. */
const EVENT = 'event';
const TEAM = 'facts';

/** The operation that tells it; `epoch`: of the hub's store, `resources`: its lists. */
export function newsOperation(store: Store, epoch: string, resources: readonly Resource[]): Operation {
  const forAll = [...resources, registrationTypes].filter(
    ({ kind }) => kind !== 'action' && kind !== 'connection',
  );
  return {
    method: 'GET',
    path: '/hub/news/{expoId}',
    tag: 'hub',
    summary: 'A mark for each list, which changes when the list does',
    documented: false,
    right: 'read',
    answer: z.object({ news: z.record(z.string(), z.string()) }),
    onExpo: true,
    handle: async ({ caller, expo }: ExpoCall) => {
      const partner = caller.device?.partnerId ?? null;
      const newest = [
        newestOf(EVENT, expo.id, 'expo'),
        ...forAll.map(({ folder, kind }) => newestOf(folder, expo.id, kind)),
        ...(partner === null ? [] : newestOfPartner(expo.id, partner)),
      ];
      const { rows } = await sql<Record<string, bigint | null>>`select ${sql.join(newest)}`.execute(store.db);
      const marks = Object.entries(rows[0] ?? {}).map(([name, revision]) => [
        name,
        `${epoch}.${revision ?? 0n}`,
      ]);
      return { news: Object.fromEntries(marks) as Record<string, string> };
    },
  };
}

function newestOf(name: string, expo: string, kind: string): RawBuilder<unknown> {
  return sql`(select revision from record where expo_id = ${expo} and kind = ${kind}
    order by revision desc limit 1) as ${sql.ref(name)}`;
}

function newestOfPartner(expo: string, partner: string): readonly RawBuilder<unknown>[] {
  const ofTeam = (table: string): RawBuilder<unknown> => sql`
    coalesce((select seq from ${sql.table(table)} where expo_id = ${expo} and partner_id = ${partner}
      order by seq desc limit 1), 0)`;
  return [
    sql`(select revision from record where expo_id = ${expo} and kind = 'connection' and partner_id = ${partner}
      order by revision desc limit 1) as connections`,
    // Both are numbered by one counter; together they only grow.
    sql`${ofTeam('relay_fact')} + ${ofTeam('forgetting')} as ${sql.ref(TEAM)}`,
  ];
}
