/**
 * Change marks of a hub in one answer: a version mark for each list, which changes with the list. So a device with an
 * up-to-date mirror sends one request per round instead of one per list. This is our own extension, which only a hub
 * has (docs/hub.md).
 *
 * Invariants
 * - A mark changes with every change of the list that this device can see, including deletions, in commit order.
 * - A list that is narrowed to a partner has a mark for the partner of the calling device. The mark of a list that
 *   the device may not read never changes.
 * - `view` identifies the view of the device. After a change of it, the device compares its mirror with the lists.
 * - A mark costs one or two index lookups.
 */
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { registrationTypes } from '../resources/registration-types.ts';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../store/store.ts';
import { formOf, nameOfView, viewOf } from './narrowing.ts';

/** The marks of the event itself and of the team's facts, and the view of the device. */
const EVENT = 'event';
const TEAM = 'facts';
const VIEW = 'view';

/** The operation. A mark contains the hub store id; `resources`: the lists. */
export function newsOperation(store: Store, hubStoreId: string, resources: readonly Resource[]): Operation {
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
      const { device } = caller;
      const partner = device?.partnerId ?? null;
      const view = device === undefined ? null : await viewOf(store.db, device);
      const isShown = ({ kind }: Resource): boolean => view === null || formOf(view, kind) !== null;
      const newest = [
        newestOf(EVENT, expo.id, 'expo'),
        ...forAll.filter(isShown).map(({ folder, kind }) => newestOf(folder, expo.id, kind)),
        ...(partner === null ? [] : newestOfPartner(expo.id, partner)),
      ];
      const { rows } = await sql<Record<string, bigint | null>>`select ${sql.join(newest)}`.execute(store.db);
      const marks = Object.entries(rows[0] ?? {}).map(([name, revision]) => [
        name,
        `${hubStoreId}.${revision ?? 0n}`,
      ]);
      const never = forAll
        .filter((resource) => !isShown(resource))
        .map(({ folder }) => [folder, `${hubStoreId}.none`]);
      const seen = view === null ? [] : [[VIEW, nameOfView(view)]];
      return { news: Object.fromEntries([...marks, ...never, ...seen]) as Record<string, string> };
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
    // Both are numbered by one counter, so their sum only grows.
    sql`${ofTeam('relay_fact')} + ${ofTeam('forgetting')} as ${sql.ref(TEAM)}`,
  ];
}
