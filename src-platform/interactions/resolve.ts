/**
 * Assigns interactions that were captured with a badge before the badge had a visitor.
 *
 * Invariants
 * - A badge resolves only to a registered visitor; until then its interactions wait.
 * - A badge that passed to another visitor resolves to its owner at the time of the interaction.
 * - When a badge gets its visitor, the actions get their `visitorID` and the connections are created, in the
 *   transaction that changed the visitor.
 */
import { actions } from '../resources/derived.ts';
import { shapeOf } from '../resources/resource.ts';
import { createPuts, type Doc, findRecord } from '../store/records.ts';
import type { Write } from '../store/store.ts';
import { readOwners } from './badge-owners.ts';
import { createTouched, hideParticipant, isTakingPart, projectParticipant } from './project.ts';

const actionShape = shapeOf(actions);

async function giveWaitingFacts(
  write: Write,
  expoId: string,
  visitorId: string,
  codes: readonly string[],
  newId: () => string,
): Promise<void> {
  if (codes.length === 0) return;
  const waiting = await write.db
    .selectFrom('fact')
    .select(['id', 'at', 'badge', 'action_id', 'partner_id'])
    .where('expo_id', '=', expoId)
    .where('badge', 'in', [...codes])
    .where('visitor_id', 'is', null)
    .orderBy('at')
    .execute();
  const ownerAt = await readOwners(write.db, expoId, codes);
  const touched = createTouched();
  const puts = createPuts(write);
  for (const fact of waiting) {
    if (fact.badge === null || ownerAt(fact.badge, fact.at) !== visitorId) continue;
    await write.db
      .updateTable('fact')
      .set({ visitor_id: visitorId })
      .where('expo_id', '=', expoId)
      .where('id', '=', fact.id)
      .execute();
    touched.note(visitorId, fact.partner_id);
    const action = fact.action_id && (await findRecord(write.db, 'action', expoId, fact.action_id));
    if (action) puts.put(actionShape, expoId, { ...action.doc, visitorID: visitorId });
  }
  await touched.project(write, puts, expoId, newId);
  await puts.flush();
}

/** Updates interactions after a visitor was created, updated or deleted. */
export async function followVisitor(
  write: Write,
  expoId: string,
  visitor: Doc,
  codes: readonly string[],
  newId: () => string,
): Promise<void> {
  const visitorId = String(visitor.id);
  if (!isTakingPart(visitor)) {
    await hideParticipant(write, expoId, visitorId);
    return;
  }
  const past = await write.db
    .selectFrom('badge_past')
    .select('code')
    .where('expo_id', '=', expoId)
    .where('visitor_id', '=', visitorId)
    .execute();
  await giveWaitingFacts(write, expoId, visitorId, [...codes, ...past.map(({ code }) => code)], newId);
  await projectParticipant(write, expoId, visitorId);
}
