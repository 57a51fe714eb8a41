/**
 * Accepts a batch of interactions: the operation `POST /actions/{expoId}`, our extension of the interface
 * (docs/interface/undocumented.md#writing-interactions).
 *
 * Invariants
 * - One result per item, identified by the item's id. One bad item never fails the batch.
 * - An id has one content for ever. An item with the same id and content is a duplicate and gets the first result. With
 *   other content it is rejected.
 * - The fact, its action and everything derived from it commit together.
 * - The answer to an undo means that the removed text is in no file of SQLite any more.
 */

import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import { actions } from '../resources/derived.ts';
import { licenses } from '../resources/licenses.ts';
import { shapeOf } from '../resources/resource.ts';
import { writeJson } from '../store/json.ts';
import { findAll, findRecord, putRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { normaliseCode } from './badge-owners.ts';
import { type Batch, type BatchScope, openBatch } from './batch.ts';
import {
  hashOf,
  type Item,
  type ItemResult,
  isInteraction,
  isItem,
  itemSchema,
  reject,
  resultSchema,
  understand,
} from './item.ts';
import { findPlace, findVisitor, isFieldError, type Place } from './places.ts';

const actionShape = shapeOf(actions);
const licenseShape = shapeOf(licenses);

function made(
  id: string,
  result: 'created' | 'duplicate',
  actionId: string | null,
  revision: bigint,
): ItemResult {
  return actionId === null ? { id, result } : { id, result, actionID: actionId, revision };
}

/** The first interaction at a touchpoint uses one activation of its partner's touchpoint license. */
async function countActivation({ write, expoId, hasSent }: Batch, place: Place): Promise<void> {
  if (place.touchpointId === null || place.partnerId === null) return;
  if (await hasSent(place.touchpointId)) return;
  const owned = await findAll(write.db, 'license', expoId, 'partner_id', place.partnerId);
  const free = owned.find(
    ({ doc }) => doc.type === 'touchpoint' && Number(doc.activations) < Number(doc.activationMax),
  );
  if (free) {
    const doc = { ...free.doc, activations: Number(free.doc.activations) + 1 };
    await putRecord(write, licenseShape, expoId, doc);
  }
}

function addFact(
  { expoId, addFact: add }: Batch,
  item: Item,
  place: Place,
  visitorId: string | null,
  action: { readonly id: string; readonly revision: bigint } | null,
): void {
  add({
    expo_id: expoId,
    id: item.id,
    hash: hashOf(item),
    kind: item.kind,
    at: item.at,
    seq: BigInt(item.seq),
    touchpoint_id: place.touchpointId,
    partner_id: place.partnerId,
    visitor_id: visitorId,
    content_id: place.contentId,
    activity_id: place.activityId,
    location_id: place.locationId,
    badge: item.badge === undefined ? null : normaliseCode(item.badge),
    source: item.source,
    staff: item.staff ?? null,
    fields: item.fields === undefined ? null : writeJson(item.fields),
    undoes: item.undoes ?? null,
    undone: 0,
    action_id: action?.id ?? null,
    revision: action?.revision ?? 0n,
  });
}

function putAction(
  { puts, expoId, newId }: Batch,
  item: Item,
  place: Place,
  visitorId: string | null,
): { readonly id: string; readonly revision: bigint } {
  const id = newId();
  const row = puts.put(actionShape, expoId, {
    id,
    expoID: expoId,
    type: item.source === 'manual' ? 'manual' : 'scan',
    at: item.at,
    touchpointID: place.touchpointId ?? undefined,
    locationID: place.locationId ?? undefined,
    partnerID: place.partnerId ?? undefined,
    visitorID: visitorId ?? undefined,
    contentID: place.contentId ?? undefined,
    activityID: place.activityId ?? undefined,
    badge: item.badge,
    source: item.source,
    clientID: item.id,
  });
  return { id, revision: row.revision };
}

/** Undoes a fact: its action is marked deleted, and everything derived from it is recomputed. */
async function undo(batch: Batch, item: Item): Promise<ItemResult> {
  const { write, expoId, company, puts } = batch;
  const target = batch.fact(item.undoes ?? '');
  const isTheirs = company === null || target?.partner_id === company;
  if (!target || target.kind === 'undo' || !isTheirs) {
    const description = 'There is no interaction with this id that can be undone';
    return reject(item.id, [{ field: 'undoes', error: 'unknown', description }]);
  }
  const place = await findPlace(batch, item);
  if (isFieldError(place)) return reject(item.id, [place]);
  addFact(batch, item, place, target.visitor_id, null);
  if (Number(target.undone) === 0) {
    await batch.undoFact(target.id);
    const { action_id: actionId } = target;
    const action =
      actionId &&
      (puts.waiting('action', actionId) ?? (await findRecord(write.db, 'action', expoId, actionId))?.doc);
    if (action) puts.put(actionShape, expoId, { ...action, deleted: true });
    batch.touched.note(target.visitor_id, target.partner_id);
  }
  return made(item.id, 'created', null, 0n);
}

async function acceptItem(batch: Batch, item: Item): Promise<ItemResult> {
  const earlier = batch.fact(item.id);
  if (earlier) {
    if (earlier.hash === hashOf(item)) return made(item.id, 'duplicate', earlier.action_id, earlier.revision);
    const description = 'This id was sent before with other content';
    return reject(item.id, [{ field: 'id', error: 'conflict', description }]);
  }
  if (item.kind === 'undo') return undo(batch, item);
  const place = await findPlace(batch, item);
  if (isFieldError(place)) return reject(item.id, [place]);
  const visitor = findVisitor(batch, item);
  if (isFieldError(visitor)) return reject(item.id, [visitor]);
  await countActivation(batch, place);
  const { visitorId } = visitor;
  const action = isInteraction(item.kind) ? putAction(batch, item, place, visitorId) : null;
  addFact(batch, item, place, visitorId, action);
  batch.touched.note(visitorId, place.partnerId);
  return made(item.id, 'created', action?.id ?? null, action?.revision ?? 0n);
}

/** Accepts every valid item and returns one result per item. */
async function acceptBatch(
  store: Store,
  scope: BatchScope,
  entries: readonly unknown[],
  newId: () => string,
): Promise<readonly ItemResult[]> {
  const understood = entries.map(understand);
  const { results, removedFields } = await store.write(async (write) => {
    const batch = await openBatch(write, scope, understood.filter(isItem), newId);
    const found: ItemResult[] = [];
    for (const entry of understood) found.push(isItem(entry) ? await acceptItem(batch, entry) : entry);
    await batch.flush();
    return { results: found, removedFields: batch.removedFields() };
  });
  if (removedFields) await store.emptyLog();
  return results;
}

const MOST_ITEMS = 100;

/** The operation that accepts interactions. */
export function writeOperation(store: Store, newId: () => string): Operation {
  return {
    method: 'POST',
    path: '/actions/{expoId}',
    tag: 'actions',
    summary: 'Send interactions of a touchpoint',
    description:
      'The answer contains one result for each item, matched by id. An item whose id was sent before is a duplicate ' +
      'if its content is the same, and gets the first result again. If its content differs, it is rejected. A ' +
      'rejected item does not affect the others. A tap of a visitor who was turned away at a door has the reason in ' +
      '`fields.turnedAway` and creates no connection.',
    documented: false,
    right: 'write',
    ofCompany: 'own',
    body: z.array(z.unknown()).max(MOST_ITEMS),
    example: [
      {
        id: '0193a1b2-0000-7000-8000-0000000000a1',
        kind: 'tap',
        at: '2026-11-24T10:15:30.123Z',
        touchpointID: 'AD2026T01',
        badge: '04A1B2C3D4E5F6',
        source: 'nfc',
      },
    ],
    bodyShape: z.array(itemSchema).max(MOST_ITEMS),
    answer: z.array(resultSchema),
    onExpo: true,
    handle: ({ caller, expo, body }) =>
      acceptBatch(
        store,
        { expoId: expo.id, company: caller.partnerId },
        body as unknown[],
        newId,
      ) as Promise<object>,
  };
}
