/**
 * Leads: who was here, projected from facts. Runs inside the journal's transaction.
 *
 * Invariants: every fact belongs to exactly one lead; a badge belongs to at most one lead; a visitor to at most one
 * lead (two badges of one visitor become one lead when the second is named); a later fact never wipes what an
 * earlier one said (fields merge one by one); whoever was only turned away at a door is no lead to anybody who asks
 * for leads; a lead keeps its own copy of the visitor, because the mirror can be
 * thrown away and the lead cannot.
 */
import type { LeadPage } from '../../contract/lead.ts';
import type { Database } from '../store/database.ts';
import { foldForSearch } from '../text/fold.ts';
import { type AnyPayload, FACT_KINDS, type Fact, type FactKind } from './fact.ts';
import { type Carrier, createLeadQueries, IS_TURNED_AWAY } from './lead-queries.ts';

/** What the lead keeps of a visitor. `record` is the visitor as the platform told it, as JSON. */
export type VisitorSnapshot = {
  readonly id: string;
  readonly name: string;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly place: string | null;
  readonly record: string;
};

/** What a fact did to its lead. `taps` counts taps that were not taken back, `since` is the first of them. */
export type LeadChange = { readonly id: string; readonly taps: number; readonly since: number };

export type Leads = {
  /** Brings the projection up to `fact`. Only to be called inside the fact's transaction. */
  readonly project: (fact: Fact, visitor: VisitorSnapshot | null) => LeadChange;
  /** Gives (or refreshes) the visitor's name on leads of these badges. Returns how many leads changed. */
  readonly nameBadges: (codes: readonly string[], visitor: VisitorSnapshot) => number;
  /** Ids of those visitors who have a lead, by themselves or by one of their badges. */
  readonly concerned: (carriers: readonly Carrier[]) => ReadonlySet<string>;
  /** Badges of leads that have no visitor yet. */
  readonly unnamedBadges: () => readonly string[];
  /** The lead a fact belongs to, or null. */
  readonly ofFact: (seq: number) => LeadChange | null;
  /** Whether a fact was taken back. */
  readonly isUndone: (seq: number) => boolean;
  readonly list: (search: string, offset: number, limit: number) => LeadPage;
  readonly count: () => number;
};

/** Whether a badge on the reader makes a fact of a kind: then it counts as a tap of its lead, unless it was turned away. */
const MADE_BY_BADGE: Readonly<Record<FactKind, boolean>> = {
  ...{ tap: true, checkin: true },
  ...{ collect: false, consent: false, undo: false, qualify: false, note: false },
};
const TAPPED_KINDS = FACT_KINDS.filter((kind) => MADE_BY_BADGE[kind]);
/** The same of a row of `fact` in SQL. */
const IS_TAPPED = `(fact.kind IN (${TAPPED_KINDS.map((kind) => `'${kind}'`).join(', ')}) AND NOT ${IS_TURNED_AWAY})`;

/** What a row of `lead` counts of its facts, as the assignments of an UPDATE. */
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

/** Codes a lead is found by. A badge that named two visitors is found by itself only, so it joins neither of them. */
function codesOf({ payload }: Fact): readonly string[] {
  const { badge, otherCodes = [], clash }: AnyPayload = payload ?? {};
  if (badge === undefined) return [];
  return clash === true ? [`clash ${badge}`] : [badge, ...otherCodes];
}

type LeadRow = { id: string; badge: string; visitor: string | null; first_at: number; taps: number };

// Not the visitor's record, which is the bulk of a lead.
const FEW = 'lead.id, lead.badge, lead.visitor, lead.first_at, lead.taps';

/** Leads over the journal's database. */
export function createLeads(database: Database): Leads {
  const statements = prepareStatements(database);
  const { byBadge, byVisitor, bySeq, unnamed, undoneBy } = statements;
  const nameBadges = database.transaction((codes: readonly string[], visitor: VisitorSnapshot): number => {
    let changed = 0;
    const own = byVisitor.get(visitor.id);
    if (own !== undefined && nameLead(statements, own.id, visitor)) changed += 1;
    for (const code of codes) {
      const lead = byBadge.get(code);
      if (lead !== undefined && lead.visitor === null && nameLead(statements, lead.id, visitor)) changed += 1;
    }
    return changed;
  });
  return {
    project: (fact, visitor) => projectFact(statements, fact, visitor),
    nameBadges: (codes, visitor) => nameBadges(codes, visitor),
    unnamedBadges: () => unnamed.all().map((row) => row.badge),
    ofFact: (seq) => changeOf(bySeq.get(seq)),
    isUndone: (seq) => typeof undoneBy.get(seq)?.undone_by === 'number',
    ...createLeadQueries(database),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: Database) {
  return {
    byBadge: database.prepare<[string], LeadRow>(
      `SELECT ${FEW} FROM lead_badge JOIN lead ON lead.id = lead_badge.lead WHERE lead_badge.badge = ?`,
    ),
    byVisitor: database.prepare<[string], LeadRow>(`SELECT ${FEW} FROM lead WHERE visitor = ?`),
    byFactId: database.prepare<[string], { lead: string; seq: number; undone_by: number | null }>(
      `SELECT lead_fact.lead, lead_fact.seq, lead_fact.undone_by FROM fact
     JOIN lead_fact ON lead_fact.seq = fact.seq WHERE fact.id = ?`,
    ),
    bySeq: database.prepare<[number], LeadRow>(
      `SELECT ${FEW} FROM lead_fact JOIN lead ON lead.id = lead_fact.lead WHERE lead_fact.seq = ?`,
    ),
    insertLead: database.prepare(
      `INSERT INTO lead (id, badge, visitor, first_at, last_at, taps, name, company, job_title, place, search, record)
     VALUES (@lead, @badge, @id, @at, @at, @taps, @name, @company, @jobTitle, @place, @search, @record)`,
    ),
    insertBadge: database.prepare('INSERT OR IGNORE INTO lead_badge (badge, lead) VALUES (?, ?)'),
    insertFact: database.prepare('INSERT INTO lead_fact (seq, lead) VALUES (?, ?)'),
    markUndone: database.prepare('UPDATE lead_fact SET undone_by = ? WHERE seq = ? AND undone_by IS NULL'),
    recount: database.prepare(`UPDATE lead SET ${COUNTED_ANEW} WHERE id = ?`),
    addTap: database.prepare(
      `UPDATE lead SET first_at = CASE WHEN taps = 0 THEN @at ELSE first_at END,
       last_at = max(last_at, @at), taps = taps + 1 WHERE id = @id`,
    ),
    touch: database.prepare('UPDATE lead SET last_at = max(last_at, ?) WHERE id = ?'),
    rate: database.prepare('UPDATE lead SET rating = ? WHERE id = ?'),
    setVisitor: database.prepare(`
    UPDATE lead SET visitor = @id, name = @name, company = @company, job_title = @jobTitle, place = @place,
      search = @search, record = @record
    WHERE id = @lead AND (visitor IS NOT @id OR record IS NOT @record)`),
    moveFacts: database.prepare('UPDATE lead_fact SET lead = ? WHERE lead = ?'),
    moveBadges: database.prepare('UPDATE lead_badge SET lead = ? WHERE lead = ?'),
    dropLead: database.prepare('DELETE FROM lead WHERE id = ?'),
    unnamed: database.prepare<[], { badge: string }>(
      'SELECT lead_badge.badge FROM lead JOIN lead_badge ON lead_badge.lead = lead.id WHERE lead.visitor IS NULL AND lead.erased = 0',
    ),
    undoneBy: database.prepare<[number], { undone_by: number | null }>(
      'SELECT undone_by FROM lead_fact WHERE seq = ?',
    ),
  };
}

/** Brings leads up to a fact: it opens a lead, or joins one. */
function projectFact(statements: Statements, fact: Fact, visitor: VisitorSnapshot | null): LeadChange {
  const { byFactId, bySeq, insertBadge, insertFact, addTap, touch, markUndone, recount } = statements;
  const codes = codesOf(fact);
  const known = knownLead(statements, fact, visitor, codes);
  const opened = known === null ? openLead(statements, fact, visitor) : null;
  const lead = known ?? fact.id;
  for (const code of codes) insertBadge.run(code, lead);
  insertFact.run(fact.seq, lead);
  if (opened !== null) {
    rateBy(statements, fact, lead);
    return opened;
  }
  if (visitor !== null) nameLead(statements, lead, visitor);
  if (isTapped(fact)) {
    addTap.run({ at: fact.at, id: lead });
  } else if (!isTurnedAway(fact)) {
    touch.run(fact.at, lead);
  }
  if (fact.kind === 'undo' && fact.payload !== null) {
    const undone = byFactId.get(fact.payload.undoes);
    if (undone !== undefined) markUndone.run(fact.seq, undone.seq);
    recount.run(lead);
  }
  rateBy(statements, fact, lead);
  const change = changeOf(bySeq.get(fact.seq));
  if (change === null) throw new Error(`Expected fact ${fact.seq} to belong to a lead`);
  return change;
}

/** The lead a fact goes to, or null when it opens a new one. */
function knownLead(
  { byFactId, byVisitor, byBadge }: Statements,
  fact: Fact,
  visitor: VisitorSnapshot | null,
  codes: readonly string[],
): string | null {
  if (fact.kind === 'undo' && fact.payload !== null) {
    const undone = byFactId.get(fact.payload.undoes);
    if (undone !== undefined) return undone.lead;
  }
  const known =
    (visitor === null ? undefined : byVisitor.get(visitor.id)) ??
    codes.map((code) => byBadge.get(code)).find((row) => row !== undefined);
  const isFree = visitor === null || known?.visitor === null || known?.visitor === visitor.id;
  return known !== undefined && isFree ? known.id : null;
}

function openLead({ insertLead }: Statements, fact: Fact, visitor: VisitorSnapshot | null): LeadChange {
  const taps = isTapped(fact) ? 1 : 0;
  insertLead.run({
    ...(visitor ?? NOBODY),
    lead: fact.id,
    badge: fact.payload?.badge ?? '',
    at: fact.at,
    taps,
    search: visitor === null ? '' : searchText(visitor),
  });
  return { id: fact.id, taps, since: fact.at };
}

/** Gives a lead its visitor; joins it with the one that has this visitor already. True when something changed. */
function nameLead(statements: Statements, lead: string, visitor: VisitorSnapshot): boolean {
  const { byVisitor, moveFacts, moveBadges, dropLead, recount, setVisitor } = statements;
  const other = byVisitor.get(visitor.id);
  if (other !== undefined && other.id !== lead) {
    moveFacts.run(other.id, lead);
    moveBadges.run(other.id, lead);
    dropLead.run(lead);
    recount.run(other.id);
    return nameLead(statements, other.id, visitor) || true;
  }
  return setVisitor.run({ ...visitor, lead, search: searchText(visitor) }).changes > 0;
}

function rateBy({ rate }: Statements, fact: Fact, lead: string): void {
  const rating = fact.kind === 'qualify' ? fact.payload?.fields.rating : undefined;
  if (typeof rating === 'number' || rating === null) rate.run(rating, lead);
}

function changeOf(row: LeadRow | undefined): LeadChange | null {
  return row === undefined ? null : { id: row.id, taps: row.taps, since: row.first_at };
}

const NOBODY = { id: null, name: null, company: null, jobTitle: null, place: null, record: null };

function searchText(visitor: VisitorSnapshot): string {
  return foldForSearch(
    [visitor.name, visitor.company ?? '', visitor.jobTitle ?? '', visitor.place ?? ''].join(' '),
  );
}
