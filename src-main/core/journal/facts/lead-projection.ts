/**
 * The projection of leads: assigns facts to leads, and leads to visitors. Runs inside the journal's transaction.
 *
 * Invariants:
 * - A lead belongs to one partner (docs/laws.md#law-14).
 * - Within a partner, a badge or a visitor finds at most one lead.
 * - Two leads that staff attached to each other stay two rows, one `part_of` the other, so that staff can undo the
 *   attachment.
 * - Two leads that the mirror identifies as one visitor become one row.
 */

import { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import { type VisitorSnapshot, WITHHELD, withKnownDetails } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import type { AnyPayload, Fact, FactKind } from './fact.ts';
import { IS_TURNED_AWAY } from './lead-queries.ts';

/**
 * The effect of a fact on its lead. `taps` counts taps that were not undone. `since` is the time of the first one, or
 * of the first fact if there is none.
 */
export type LeadChange = { readonly id: string; readonly taps: number; readonly since: number };

/** Partner id of leads without a partner, such as those of the organiser's door. */
export const NOBODYS = '';
/** Partner id of leads that were captured before the device knew its partner. */
export const NOT_KNOWN_YET = '?';

/** The partner of a fact's lead (docs/decisions/lead-belongs-to-partner.md). */
export function partnerOfFact({ partner, touchpoint }: Pick<Fact, 'partner' | 'touchpoint'>): string {
  return partner ?? (touchpoint === null ? NOT_KNOWN_YET : NOBODYS);
}

/**
 * Whether facts of a kind come from a badge on the reader. They are counted as taps of their lead, unless the visitor
 * was turned away.
 */
const MADE_BY_BADGE: Readonly<Record<FactKind, boolean>> = {
  tap: true,
  checkin: true,
  collect: false,
  consent: false,
  undo: false,
  qualify: false,
  note: false,
  correct: false,
  attach: false,
};
const TAPPED_KINDS = FACT_KINDS.filter((kind) => MADE_BY_BADGE[kind]);
/** Whether a row of `fact` counts as a tap, by the same rule, in SQL. */
const IS_TAPPED = `(fact.kind IN (${TAPPED_KINDS.map((kind) => `'${kind}'`).join(', ')}) AND NOT ${IS_TURNED_AWAY})`;

/** Assignments of an UPDATE that recount a row of `lead` from its facts. */
export const COUNTED_ANEW = `
  taps = (SELECT count(*) FROM lead_fact JOIN fact USING (seq)
          WHERE lead_fact.lead = lead.id AND ${IS_TAPPED} AND undone_by IS NULL),
  first_at = coalesce((SELECT min(fact.at) FROM lead_fact JOIN fact USING (seq)
          WHERE lead_fact.lead = lead.id AND ${IS_TAPPED} AND undone_by IS NULL), first_at),
  last_at = coalesce((SELECT max(fact.at) FROM lead_fact JOIN fact USING (seq)
          WHERE lead_fact.lead = lead.id AND NOT ${IS_TURNED_AWAY}), last_at)`;

function isTurnedAway(fact: Fact): boolean {
  return fact.kind === 'tap' && fact.payload?.fields?.turnedAway !== undefined;
}
function isTapped(fact: Fact): boolean {
  return MADE_BY_BADGE[fact.kind] && !isTurnedAway(fact);
}

/**
 * Codes by which a lead is found. A badge that matches two visitors gets a code of its own, so that its fact joins
 * neither visitor's lead.
 */
function codesOf(fact: Fact): readonly string[] {
  // The badge of an attached lead still finds that lead.
  if (fact.kind === 'attach') return [];
  const { badge, otherCodes = [], clash }: AnyPayload = fact.payload ?? {};
  if (badge === undefined) return [];
  return clash === true ? [`clash ${badge}`] : [badge, ...otherCodes];
}

type LeadRow = {
  id: string;
  badge: string;
  visitor: string | null;
  partner: string;
  first_at: number;
  taps: number;
};

// Without the visitor's record, which is most of a lead's size.
const FEW = 'lead.id, lead.badge, lead.visitor, lead.partner, lead.first_at, lead.taps';

type Statements = ReturnType<typeof prepareProjection>;

/** The statements of the projection. */
export function prepareProjection(database: Database) {
  return {
    key: database.prepare<[string, string, string], { lead: string }>(
      'SELECT lead FROM lead_key WHERE kind = ? AND code = ? AND partner = ?',
    ),
    ofKey: database.prepare<[string, string], LeadRow>(
      `SELECT ${FEW} FROM lead_key JOIN lead ON lead.id = lead_key.lead WHERE lead_key.kind = ? AND lead_key.code = ?`,
    ),
    byId: database.prepare<[string], LeadRow>(`SELECT ${FEW} FROM lead WHERE id = ?`),
    byFactId: database.prepare<[string], { lead: string; seq: number; kind: FactKind }>(
      `SELECT lead_fact.lead, lead_fact.seq, fact.kind FROM fact
     JOIN lead_fact ON lead_fact.seq = fact.seq WHERE fact.id = ?`,
    ),
    bySeq: database.prepare<[number], LeadRow>(
      `SELECT ${FEW} FROM lead_fact JOIN lead ON lead.id = lead_fact.lead WHERE lead_fact.seq = ?`,
    ),
    // `search` stays empty: searches use the index of the reading thread (core/team/leads).
    insertLead: database.prepare(
      `INSERT INTO lead (id, badge, visitor, first_at, last_at, taps, name, company, job_title, place, search, record, partner)
     VALUES (@lead, @badge, @id, @at, @at, @taps, @name, @company, @jobTitle, @place, '', @record, @partner)`,
    ),
    insertKey: database.prepare(
      'INSERT OR IGNORE INTO lead_key (kind, code, partner, lead) VALUES (@kind, @code, @partner, @lead)',
    ),
    insertFact: database.prepare('INSERT INTO lead_fact (seq, lead) VALUES (?, ?)'),
    markUndone: database.prepare('UPDATE lead_fact SET undone_by = ? WHERE seq = ? AND undone_by IS NULL'),
    recount: database.prepare(`UPDATE lead SET ${COUNTED_ANEW} WHERE id = ?`),
    addTap: database.prepare(
      `UPDATE lead SET first_at = CASE WHEN taps = 0 THEN @at ELSE first_at END,
       last_at = max(last_at, @at), taps = taps + 1 WHERE id = @id`,
    ),
    touch: database.prepare('UPDATE lead SET last_at = max(last_at, ?) WHERE id = ?'),
    recordOf: database.prepare<[string], { record: string | null }>('SELECT record FROM lead WHERE id = ?'),
    setVisitor: database.prepare(`
    UPDATE lead SET visitor = @id, name = @name, company = @company, job_title = @jobTitle, place = @place,
      record = @record
    WHERE id = @lead AND (visitor IS NOT @id OR record IS NOT @record)`),
    attach: database.prepare(
      'UPDATE lead SET part_of = @root, attached_by = @seq WHERE id = @lead AND id <> @root AND part_of IS NULL',
    ),
    detach: database.prepare('UPDATE lead SET part_of = NULL, attached_by = NULL WHERE attached_by = ?'),
    moveFacts: database.prepare('UPDATE lead_fact SET lead = ? WHERE lead = ?'),
    moveKeys: database.prepare('UPDATE lead_key SET lead = ? WHERE lead = ?'),
    moveParts: database.prepare('UPDATE lead SET part_of = ? WHERE part_of = ?'),
    dropLead: database.prepare('DELETE FROM lead WHERE id = ?'),
  };
}

/** Applies a fact to the leads: it opens a lead or joins one. */
export function projectFact(statements: Statements, fact: Fact, visitor: VisitorSnapshot | null): LeadChange {
  const { bySeq, insertFact } = statements;
  const partner = partnerOfFact(fact);
  const known = knownLead(statements, fact, visitor, partner);
  const opened = known === null ? openLead(statements, fact, visitor, partner) : null;
  const lead = known?.id ?? fact.id;
  for (const code of codesOf(fact)) addKey(statements, 'badge', code, known?.partner ?? partner, lead);
  insertFact.run(fact.seq, lead);
  if (opened === null) joinLead(statements, fact, visitor, lead);
  if (fact.kind === 'attach' && fact.payload !== null) {
    const root = bySeq.get(fact.seq)?.id ?? lead;
    statements.attach.run({ root, lead: fact.payload.lead, seq: fact.seq });
  }
  const change = opened ?? changeOf(bySeq.get(fact.seq));
  if (change === null) throw new Error(`Expected fact ${fact.seq} to belong to a lead`);
  return change;
}

function joinLead(statements: Statements, fact: Fact, visitor: VisitorSnapshot | null, lead: string): void {
  const { byFactId, addTap, touch, markUndone, detach, recount } = statements;
  if (visitor !== null) nameLead(statements, lead, visitor);
  if (isTapped(fact)) {
    addTap.run({ at: fact.at, id: lead });
  } else if (!isTurnedAway(fact)) {
    touch.run(fact.at, lead);
  }
  if (fact.kind === 'undo' && fact.payload !== null) {
    const undone = byFactId.get(fact.payload.undoes);
    if (undone !== undefined) markUndone.run(fact.seq, undone.seq);
    if (undone?.kind === 'attach') detach.run(undone.seq);
    recount.run(lead);
  }
}

/** The lead of a fact, or null when the fact opens a new lead. */
function knownLead(
  statements: Statements,
  fact: Fact,
  visitor: VisitorSnapshot | null,
  partner: string,
): LeadRow | null {
  const { byFactId, byId } = statements;
  if (fact.kind === 'undo' && fact.payload !== null) {
    const undone = byFactId.get(fact.payload.undoes);
    if (undone !== undefined) return byId.get(undone.lead) ?? null;
  }
  const own = visitor === null ? undefined : leadByKey(statements, 'visitor', visitor.id, partner);
  if (own !== undefined) return own;
  if (fact.kind === 'attach') {
    const into = fact.payload?.into;
    return (into === undefined ? undefined : byId.get(into)) ?? null;
  }
  const known = codesOf(fact)
    .map((code) => leadByKey(statements, 'badge', code, partner))
    .find((row) => row !== undefined);
  const isFree = visitor === null || known?.visitor === null;
  return known !== undefined && isFree ? known : null;
}

/** Two steps: most taps find no lead for the key, and for them a join would take twenty times as long. */
export function leadByKey(
  { key, byId }: Statements,
  kind: string,
  code: string,
  partner: string,
): LeadRow | undefined {
  const found = key.get(kind, code, partner);
  return found === undefined ? undefined : byId.get(found.lead);
}

function openLead(
  statements: Statements,
  fact: Fact,
  visitor: VisitorSnapshot | null,
  partner: string,
): LeadChange {
  const taps = isTapped(fact) ? 1 : 0;
  statements.insertLead.run({
    ...(visitor ?? NOBODY),
    lead: fact.id,
    partner,
    badge: fact.payload?.badge ?? '',
    at: fact.at,
    taps,
  });
  if (visitor !== null) addKey(statements, 'visitor', visitor.id, partner, fact.id);
  return { id: fact.id, taps, since: fact.at };
}

function addKey(
  { insertKey }: Statements,
  kind: 'badge' | 'visitor',
  code: string,
  partner: string,
  lead: string,
): void {
  insertKey.run({ kind, code, partner, lead });
}

/** Assigns a visitor to a lead, and merges it with the visitor's existing lead. Returns true when something changed. */
export function nameLead(statements: Statements, lead: string, visitor: VisitorSnapshot): boolean {
  const { byId, setVisitor } = statements;
  const row = byId.get(lead);
  if (row === undefined || (row.visitor !== null && row.visitor !== visitor.id)) return false;
  const { partner } = row;
  const other = leadByKey(statements, 'visitor', visitor.id, partner);
  if (other !== undefined && other.id !== lead) {
    absorb(statements, lead, other.id);
    return nameLead(statements, other.id, visitor) || true;
  }
  addKey(statements, 'visitor', visitor.id, partner, lead);
  // The record is most of a lead's size, so it is read only if a hub withholds details.
  const named = visitor.record.includes(WITHHELD)
    ? withKnownDetails(visitor, statements.recordOf.get(lead)?.record ?? null)
    : visitor;
  return setVisitor.run({ ...named, lead }).changes > 0;
}

/** Merges one lead into another permanently: both are the same visitor, according to the mirror or to the partner. */
export function absorb(statements: Statements, lead: string, into: string): void {
  const { moveFacts, moveKeys, moveParts, dropLead, recount } = statements;
  moveFacts.run(into, lead);
  moveKeys.run(into, lead);
  moveParts.run(into, lead);
  dropLead.run(lead);
  recount.run(into);
}

/** The effect of a fact, read from a row of `lead`. */
export function changeOf(row: LeadRow | undefined): LeadChange | null {
  return row === undefined ? null : { id: row.id, taps: row.taps, since: row.first_at };
}

const NOBODY = { id: null, name: null, company: null, jobTitle: null, place: null, record: null };
