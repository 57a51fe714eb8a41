/**
 * Lists: one page of records in order of increasing revision.
 *
 * Invariants
 * - `fromRevision` is inclusive (docs/interface/lists.md#from-revision).
 * - A page is one range of one index, regardless of the table's size.
 * - With `webhookId` and no `fromRevision` the page starts after the webhook's mark; returned records are noted as seen,
 *   and a later acknowledgement moves the mark there.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { badRequest } from '../http/errors.ts';
import { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { isOrganiser, mayUse } from '../keys/caller.ts';
import { basicText, findRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { ownerOf } from './company-scope.ts';
import { queryLimit, queryRevision, querySwitch, queryText } from './fields.ts';
import { type ListRule, type Resource, shownAs } from './resource.ts';

/** The query parameters of a list. */
export function listQuery(rule: ListRule): z.ZodObject {
  const shape: Record<string, z.ZodType> = {
    fromRevision: queryRevision().optional(),
    limit: queryLimit(rule.most).optional(),
  };
  if (rule.webhooks) shape.webhookId = queryText().optional();
  if (rule.showDeleted) shape.showDeleted = querySwitch().optional();
  for (const [name, filter] of Object.entries(rule.filters)) shape[name] = filter.schema;
  return z.object(shape);
}

/** Reads one page as rows. */
function readPage(store: Store, resource: Resource, rule: ListRule, { caller, expo, query }: ExpoCall) {
  const limit = (query.limit as number | undefined) ?? rule.most;
  let select = store.db
    .selectFrom('record')
    .select(['kind', 'basic', 'revision', 'deleted', 'partner_id'])
    .where('expo_id', '=', expo.id)
    .where('kind', '=', resource.kind)
    .where('revision', '>=', (query.fromRevision as bigint | undefined) ?? 0n);
  if (caller.partnerId !== null && resource.ofCompany === 'own')
    select = select.where(ownerOf(resource).column, '=', caller.partnerId);
  if (resource.belongsToKey && !isOrganiser(caller)) select = select.where('key_id', '=', caller.keyId);
  if (query.showDeleted !== true && rule.alwaysShowsDeleted !== true) {
    select = select.where(sql<boolean>`deleted = 0`);
  }
  for (const [name, filter] of Object.entries(rule.filters)) {
    const value = query[name];
    if (value === undefined) continue;
    select = filter.many
      ? select.where(filter.column, 'in', value as string[])
      : select.where(filter.column, '=', value as string);
  }
  return select.orderBy('revision').limit(limit).execute();
}

/** The position of a webhook's reader. 400 if the webhook is unknown or has another type. */
async function findMark(
  store: Store,
  resource: Resource,
  rule: ListRule,
  { caller, expo }: ExpoCall,
  webhookId: string,
): Promise<{ readonly mark: bigint; readonly seen: bigint }> {
  const webhook = await findRecord(store.db, 'webhook', expo.id, webhookId);
  if (!webhook || webhook.deleted || !mayUse(caller, webhook.keyId)) throw badRequest('Webhook not found');
  if (!rule.webhooks?.some((type) => type === webhook.doc.type)) {
    throw badRequest(`This list belongs to webhooks of type ${rule.webhooks?.join(' or ')}`);
  }
  const row = await store.db
    .selectFrom('webhook_mark')
    .select(['mark', 'seen'])
    .where('webhook_id', '=', webhookId)
    .where('kind', '=', resource.kind)
    .executeTakeFirst();
  return row ?? { mark: 0n, seen: 0n };
}

function noteSeen(store: Store, webhookId: string, kind: string, revision: bigint): Promise<void> {
  return store.transaction(async (db) => {
    await db
      .updateTable('webhook_mark')
      .set({ seen: revision })
      .where('webhook_id', '=', webhookId)
      .where('kind', '=', kind)
      .where('seen', '<', revision)
      .execute();
  });
}

/** The newest revision in a list, including deleted records. */
async function newestRevision(store: Store, kind: string, expoId: string): Promise<bigint> {
  const row = await store.db
    .selectFrom('record')
    .select('revision')
    .where('expo_id', '=', expoId)
    .where('kind', '=', kind)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.revision ?? 0n;
}

/**
 * Reads one page for a webhook and records its reader's position. A page that reaches the end of the list counts as
 * read up to that end. Otherwise records that the list hides (deleted ones) would cause notifications forever.
 */
async function readWebhookPage(store: Store, resource: Resource, rule: ListRule, call: ExpoCall) {
  const { expo, query } = call;
  const webhookId = String(query.webhookId);
  const { mark, seen } = await findMark(store, resource, rule, call, webhookId);
  const from = (query.fromRevision as bigint | undefined) ?? mark + 1n;
  const end = await newestRevision(store, resource.kind, expo.id);
  const rows = await readPage(store, resource, rule, { ...call, query: { ...query, fromRevision: from } });
  const isWhole =
    from <= seen + 1n &&
    rows.length < ((query.limit as number | undefined) ?? rule.most) &&
    Object.keys(rule.filters).every((name) => query[name] === undefined);
  const last = rows.at(-1)?.revision ?? 0n;
  const reached = isWhole && end > last ? end : last;
  if (reached > seen && !call.head) await noteSeen(store, webhookId, resource.kind, reached);
  return rows;
}

type Row = Awaited<ReturnType<typeof readPage>>[number];

/** Returns a function that gives the text of a row for the caller, or null to omit the row. */
export type ShowRows = (call: ExpoCall) => Promise<(row: Row) => string | null>;

/** Answers a list request of one event. */
async function answerList(
  store: Store,
  resource: Resource,
  rule: ListRule,
  call: ExpoCall,
  show: ShowRows,
): Promise<JsonText> {
  if (rule.isOpen && !rule.isOpen(call.expo)) return new JsonText('[]');
  const query = rule.complete ? rule.complete(call.query) : call.query;
  const read = query.webhookId === undefined ? readPage : readWebhookPage;
  const rows = await read(store, resource, rule, { ...call, query });
  const shown = rows.map(await show(call)).filter((text) => text !== null);
  return new JsonText(`[${shown.join(',')}]`);
}

/** The list operation of a resource. */
export function listOperation(
  store: Store,
  resource: Resource,
  rule: ListRule,
  show: ShowRows = async () => basicText,
): Operation {
  return {
    method: 'GET',
    path: `/${resource.folder}/{expoId}`,
    tag: resource.folder,
    summary: `List ${resource.folder}`,
    documented: rule.documented,
    right: resource.kind === 'connection' ? 'connections' : 'read',
    query: listQuery(rule),
    undocumentedQuery: [
      ...(rule.showDeletedUndocumented ? ['showDeleted'] : []),
      ...Object.entries(rule.filters)
        .filter(([, filter]) => filter.undocumented)
        .map(([name]) => name),
    ],
    answer: z.array(resource.basic),
    shows: shownAs(resource, 'list'),
    onExpo: true,
    handle: (call) => answerList(store, resource, rule, call, show),
  };
}
