/**
 * Events: `GET /expos` within the scope of the key, and the detailed read (docs/interface/resources.md#expo).
 */
import { z } from 'zod';
import { JsonText } from '../http/json.ts';
import type { Operation } from '../http/operation.ts';
import { basicText, detailText, findRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { id, instant, longText, queryText, revision, text, undocumented } from './fields.ts';
import { listQuery } from './list.ts';
import { detailSchema, type ListRule, type Resource, shownAs } from './resource.ts';

const rule: ListRule = {
  most: 100,
  filters: { reference: { column: 'reference', schema: queryText().optional() } },
  showDeleted: false,
  documented: true,
};

export const expos: Resource = {
  kind: 'expo',
  folder: 'expos',
  noun: 'event',
  parameter: 'expoId',
  basic: z.object({
    id: id(),
    name: text(),
    description: longText().optional(),
    contactEmail: text(),
    start: instant(),
    end: instant(),
    timezone: text(),
    reference: text().optional(),
    revision: revision(),
  }),
  extra: z.object({
    venue: undocumented(text().optional()),
    logo: undocumented(longText().optional()),
    labels: undocumented(z.array(text())),
    discoverUrl: undocumented(z.url()),
    bagUrl: undocumented(z.url().optional()),
  }),
  showsFields: true,
  state: 'contentManagement',
  reference: 'reference',
};

/**
 * The two operations on events. `bagUrl` returns the base address of an event's bag pages, which the detailed read
 * shows. It is null without bag pages, and at a hub, which shows upstream's value.
 */
export function expoOperations(
  store: Store,
  bagUrl: ((expoId: string) => string) | null,
): readonly Operation[] {
  return [
    {
      method: 'GET',
      path: '/expos',
      tag: 'expos',
      summary: 'List the events of the key',
      documented: true,
      right: 'read',
      ofCompany: 'event',
      query: listQuery(rule),
      answer: z.array(expos.basic),
      shows: shownAs(expos, 'list'),
      onExpo: false,
      handle: async ({ caller, query }) => {
        let select = store.db
          .selectFrom('record')
          .select(['basic', 'revision'])
          .where('kind', '=', 'expo')
          .where('revision', '>=', (query.fromRevision as bigint | undefined) ?? 0n);
        // The list reveals the scope of the key (docs/interface/authentication.md#scope).
        if (caller.expos !== null) select = select.where('id', 'in', [...caller.expos]);
        if (query.reference !== undefined) select = select.where('reference', '=', query.reference as string);
        const rows = await select
          .orderBy('revision')
          .limit((query.limit as number | undefined) ?? rule.most)
          .execute();
        return new JsonText(`[${rows.map(basicText).join(',')}]`);
      },
    },
    {
      method: 'GET',
      path: '/expos/{expoId}',
      tag: 'expos',
      summary: 'Read one event',
      documented: true,
      right: 'read',
      ofCompany: 'event',
      answer: detailSchema(expos),
      shows: shownAs(expos, 'single'),
      onExpo: true,
      handle: async ({ expo }) => {
        const row = await findRow(store.db, 'expo', expo.id, expo.id);
        if (!row) throw new Error('The event vanished while it was read.');
        const text = detailText(row);
        return new JsonText(
          bagUrl === null ? text : `${text.slice(0, -1)},"bagUrl":${JSON.stringify(bagUrl(expo.id))}}`,
        );
      },
    },
  ];
}
