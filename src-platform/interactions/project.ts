/**
 * Writes what facts add up to: connections and attendance summaries, in the transaction of the facts.
 *
 * Invariant: a record whose content did not change keeps its revision, so nobody fetches it again for nothing.
 */
import { connections, participants } from '../resources/derived.ts';
import { shapeOf } from '../resources/resource.ts';
import { type Doc, findRecord, putRecord } from '../store/records.ts';
import type { Write } from '../store/store.ts';
import { deriveConnection, deriveParticipant, type Fact } from './derive.ts';

const connectionShape = shapeOf(connections);
const participantShape = shapeOf(participants);

const factsOf = async (
  { db }: Write,
  expoId: string,
  visitorId: string,
  partnerId?: string,
): Promise<readonly Fact[]> => {
  let select = db
    .selectFrom('fact')
    .select(['id', 'kind', 'at', 'seq', 'partner_id', 'content_id', 'activity_id', 'fields'])
    .where('expo_id', '=', expoId)
    .where('visitor_id', '=', visitorId)
    .where('undone', '=', 0);
  if (partnerId !== undefined) select = select.where('partner_id', '=', partnerId);
  return (await select.execute()).map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    seq: row.seq,
    partnerId: row.partner_id,
    contentId: row.content_id,
    activityId: row.activity_id,
    fields: row.fields === null ? null : (JSON.parse(row.fields) as Doc),
  }));
};

const isSame = (a: Doc, b: Doc): boolean => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
};

/** The connections of one visitor and one partner, as they stand now. */
const projectPair = async (
  write: Write,
  expoId: string,
  visitorId: string,
  partnerId: string,
  newId: () => string,
): Promise<void> => {
  const derived = deriveConnection(await factsOf(write, expoId, visitorId, partnerId));
  const rows = await write.db
    .selectFrom('record')
    .select(['id', 'category'])
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'connection')
    .where('visitor_id', '=', visitorId)
    .where('partner_id', '=', partnerId)
    .execute();
  for (const type of ['partner', 'visitor'] as const) {
    const id = rows.find((row) => row.category === type)?.id;
    const before = id === undefined ? undefined : await findRecord(write.db, 'connection', expoId, id);
    const now = derived[type];
    if (now === null && (before === undefined || before.deleted)) continue;
    const doc: Doc =
      now === null
        ? { ...before?.doc, deleted: true }
        : { id: id ?? newId(), expoID: expoId, type, visitorID: visitorId, partnerID: partnerId, ...now };
    if (!before || !isSame(before.doc, doc)) await putRecord(write, connectionShape, expoId, doc);
  }
};

/** The attendance summary of one registered visitor, as it stands now. */
export const projectParticipant = async (write: Write, expoId: string, visitorId: string): Promise<void> => {
  const facts = await factsOf(write, expoId, visitorId);
  const doc = { visitorID: visitorId, expoID: expoId, ...deriveParticipant(facts) };
  const before = await findRecord(write.db, 'participant', expoId, visitorId);
  if (!before || !isSame(before.doc, doc)) await putRecord(write, participantShape, expoId, doc);
};

/** Takes the attendance summary away while a visitor is not registered (or deleted). */
export const hideParticipant = async (write: Write, expoId: string, visitorId: string): Promise<void> => {
  const before = await findRecord(write.db, 'participant', expoId, visitorId);
  if (before && !before.deleted) {
    await putRecord(write, participantShape, expoId, { ...before.doc, deleted: true });
  }
};

/** Which derived records facts of one transaction touch. */
export type Touched = {
  readonly note: (visitorId: string | null, partnerId: string | null) => void;
  readonly project: (write: Write, expoId: string, newId: () => string) => Promise<void>;
};

/** Collects touched visitors and pairs, so that each is written once however many facts there were. */
export const createTouched = (): Touched => {
  const partnersByVisitor = new Map<string, Set<string>>();
  return {
    note: (visitorId, partnerId) => {
      if (visitorId === null) return;
      const partners = partnersByVisitor.get(visitorId) ?? new Set();
      if (partnerId !== null) partners.add(partnerId);
      partnersByVisitor.set(visitorId, partners);
    },
    project: async (write, expoId, newId) => {
      for (const [visitorId, partners] of partnersByVisitor) {
        for (const partnerId of partners) await projectPair(write, expoId, visitorId, partnerId, newId);
        const visitor = await findRecord(write.db, 'visitor', expoId, visitorId);
        if (visitor && isTakingPart(visitor.doc)) await projectParticipant(write, expoId, visitorId);
      }
    },
  };
};

/** Only registered visitors may take part in the event (section "What the service does"). */
export const isTakingPart = (visitor: Doc): boolean =>
  visitor.registrationState === 'registered' && visitor.deleted !== true;
