/**
 * Writes the records that are derived from facts (connections and attendance summaries), in the transaction of the
 * facts.
 *
 * Invariant: a record whose content did not change keeps its revision, so that clients do not fetch it again.
 */
import { connections, participants } from '../resources/derived.ts';
import { shapeOf } from '../resources/resource.ts';
import {
  createPuts,
  type Doc,
  findConnections,
  findRecord,
  findRecords,
  type Puts,
  putRecord,
  type StoredRecord,
} from '../store/records.ts';
import type { Write } from '../store/store.ts';
import { deriveConnection, deriveParticipant, type Fact } from './derive.ts';

const connectionShape = shapeOf(connections);
const participantShape = shapeOf(participants);

/** The facts of these visitors that were not undone, by visitor. */
async function factsOf(
  { db }: Write,
  expoId: string,
  visitorIds: readonly string[],
): Promise<ReadonlyMap<string | null, readonly Fact[]>> {
  const rows = await db
    .selectFrom('fact')
    .select([
      'id',
      'kind',
      'at',
      'seq',
      'visitor_id',
      'partner_id',
      'content_id',
      'activity_id',
      'touchpoint_id',
      'staff',
      'fields',
    ])
    .where('expo_id', '=', expoId)
    .where('visitor_id', 'in', visitorIds)
    .where('undone', '=', 0)
    .execute();
  const facts = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    seq: row.seq,
    visitorId: row.visitor_id,
    partnerId: row.partner_id,
    contentId: row.content_id,
    activityId: row.activity_id,
    touchpointId: row.touchpoint_id,
    staff: row.staff,
    fields: row.fields === null ? null : (JSON.parse(row.fields) as Doc),
  }));
  return Map.groupBy(facts, ({ visitorId }) => visitorId);
}

function isSame(a: Doc, b: Doc): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

/**
 * Writes the connections of one visitor and one partner; `before`: the existing ones. A deleted one contains only ids,
 * because an erasure deletes connections.
 */
function putPair(
  puts: Puts,
  facts: readonly Fact[],
  before: readonly StoredRecord[],
  pair: { readonly expoID: string; readonly visitorID: string; readonly partnerID: string },
  newId: () => string,
): void {
  const derived = deriveConnection(facts);
  for (const type of ['partner', 'visitor'] as const) {
    const known = before.find(({ doc }) => doc.type === type);
    const now = derived[type];
    if (now === null && (known === undefined || known.deleted)) continue;
    const doc: Doc = { id: known?.id ?? newId(), type, ...pair, ...(now ?? { deleted: true }) };
    if (!known || !isSame(known.doc, doc)) puts.put(connectionShape, pair.expoID, doc);
  }
}

function putParticipant(
  puts: Puts,
  facts: readonly Fact[],
  before: StoredRecord | undefined,
  expoId: string,
  visitorId: string,
): void {
  const doc = { visitorID: visitorId, expoID: expoId, ...deriveParticipant(facts) };
  if (!before || !isSame(before.doc, doc)) puts.put(participantShape, expoId, doc);
}

/** Writes the attendance summary of one registered visitor. */
export async function projectParticipant(write: Write, expoId: string, visitorId: string): Promise<void> {
  const facts = await factsOf(write, expoId, [visitorId]);
  const before = await findRecord(write.db, 'participant', expoId, visitorId);
  const puts = createPuts(write);
  putParticipant(puts, facts.get(visitorId) ?? [], before, expoId, visitorId);
  await puts.flush();
}

/** Removes the attendance summary while a visitor is not registered or is deleted. */
export async function hideParticipant(write: Write, expoId: string, visitorId: string): Promise<void> {
  const before = await findRecord(write.db, 'participant', expoId, visitorId);
  if (before && !before.deleted) {
    await putRecord(write, participantShape, expoId, { ...before.doc, deleted: true });
  }
}

/** Which derived records the facts of one transaction affect. */
export type Touched = {
  readonly note: (visitorId: string | null, partnerId: string | null) => void;
  /** Adds the derived records to `puts`. */
  readonly project: (write: Write, puts: Puts, expoId: string, newId: () => string) => Promise<void>;
};

/** Collects affected visitors and pairs, so that each is written once, regardless of the number of facts. */
export function createTouched(): Touched {
  const partnersByVisitor = new Map<string, Set<string>>();
  return {
    note: (visitorId, partnerId) => {
      if (visitorId === null) return;
      const partners = partnersByVisitor.get(visitorId) ?? new Set();
      if (partnerId !== null) partners.add(partnerId);
      partnersByVisitor.set(visitorId, partners);
    },
    project: async (write, puts, expoId, newId) => {
      const visitorIds = [...partnersByVisitor.keys()];
      if (visitorIds.length === 0) return;
      const { db } = write;
      const facts = await factsOf(write, expoId, visitorIds);
      const connected = Map.groupBy(
        await findConnections(db, expoId, visitorIds),
        ({ doc }) => doc.visitorID,
      );
      const byId = (records: readonly StoredRecord[]) =>
        new Map(records.map((record) => [record.id, record]));
      const summaries = byId(await findRecords(db, 'participant', expoId, visitorIds));
      const visitors = await whoTakesPart(write, expoId, visitorIds);
      for (const [visitorID, partners] of partnersByVisitor) {
        const all = facts.get(visitorID) ?? [];
        for (const partnerID of partners) {
          const shared = all.filter(({ partnerId }) => partnerId === partnerID);
          const before = (connected.get(visitorID) ?? []).filter(({ doc }) => doc.partnerID === partnerID);
          putPair(puts, shared, before, { expoID: expoId, visitorID, partnerID }, newId);
        }
        if (visitors.get(visitorID) === true) {
          putParticipant(puts, all, summaries.get(visitorID), expoId, visitorID);
        }
      }
    },
  };
}

/** Only registered visitors may take part in the event (docs/interface/overview.md#how-things-belong-together). */
export function isTakingPart(visitor: Doc): boolean {
  return visitor.registrationState === 'registered' && visitor.deleted !== true;
}

/** Whether these visitors take part in the event. Omits visitors that do not exist or were deleted. */
export async function whoTakesPart(
  { db }: Write,
  expoId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (ids.length === 0) return new Map();
  // Reads only columns, because the text of a visitor is long.
  const rows = await db
    .selectFrom('record')
    .select(['id', 'expo_id', 'state'])
    .where('kind', '=', 'visitor')
    .where('id', 'in', ids)
    .where('deleted', '=', 0)
    .execute();
  return new Map(
    rows
      .filter((row) => row.expo_id === expoId)
      .map(({ id, state }) => [id, isTakingPart({ registrationState: state })]),
  );
}
