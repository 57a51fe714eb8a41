/**
 * The journal's data of a lead: its row and the rows attached to it, their badges, and all their facts in order with
 * their delivery. Also the other leads that its `attach` facts name.
 *
 * Invariants:
 * - Reads only. A separate connection beside the app can use it.
 * - An unreadable payload contributes nothing.
 * - A lead that is part of another is found by either id.
 */
import type { Database } from '../../foundations/store/database.ts';
import type { AnyPayload, FactKind } from './fact.ts';
import { type FactPlace, PLACE_SQL } from './outbox.ts';

/**
 * A fact of a lead. `at` is the uncorrected time. `offset` is the platform's clock minus the device's: as measured at
 * that time, otherwise computed from the sent time, otherwise 0.
 */
export type SourceFact = {
  readonly seq: number;
  readonly id: string;
  readonly kind: FactKind;
  readonly at: number;
  readonly offset: number;
  readonly touchpoint: string | null;
  readonly staff: string | null;
  readonly source: string | null;
  readonly payload: AnyPayload | null;
  readonly undone: boolean;
  readonly state: FactPlace;
  readonly reason: string | null;
  /** Name of the team's laptop that captured it. Null means this device or an imported file. */
  readonly device: string | null;
};

/** Visitor data stored with a lead. */
export type SourcePerson = {
  readonly visitor: string;
  readonly name: string | null;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly place: string | null;
  /** The visitor's record from the platform, as JSON. */
  readonly record: string | null;
};

/** Another lead that a fact of this lead refers to. It is part of this lead, or was until an undo. */
export type SourceOther = {
  readonly id: string;
  readonly isPart: boolean;
  readonly badge: string;
  readonly person: SourcePerson | null;
  /** As `LeadSource.elsewhere`, but only for this lead. */
  readonly elsewhere: string | null;
  /** Its own facts. The facts of a part also appear among the facts of the lead. */
  readonly facts: readonly SourceFact[];
};

export type LeadSource = {
  /** Id of the root lead that the others are part of. */
  readonly id: string;
  readonly partner: string;
  /** Ids of all its rows, its own first. */
  readonly rows: readonly string[];
  /** The code of the lead itself, or of its first part that has one. */
  readonly badge: string;
  readonly badges: readonly string[];
  readonly person: SourcePerson | null;
  /** Activity on the partner's other devices as the platform reports it, as JSON texts. */
  readonly elsewhere: readonly string[];
  readonly firstAt: number;
  readonly facts: readonly SourceFact[];
  readonly others: readonly SourceOther[];
};

export type LeadSources = {
  /** The lead with this id, or its root. Null when it does not exist, is erased, or has no visit. */
  readonly of: (id: string) => LeadSource | null;
  /** Id of the root of `id`. Null when there is none. */
  readonly rootOf: (id: string) => string | null;
  /** Ids of a partner's leads, latest first, including leads that have no visit. */
  readonly ids: (partner: string) => readonly string[];
  /** How many ids `ids` would return. */
  readonly count: (partner: string) => number;
  /** All leads of a partner in the order of `ids`, without those that have no visit: one pass over the journal. */
  readonly all: (partner: string) => Iterable<LeadSource>;
  /** Start position for `changedSince`, which then returns only later changes. */
  readonly position: () => { readonly seq: number; readonly number: number };
  /**
   * Leads with facts above `seq`, and leads that changed in another way since `number`. Also returns the next
   * position.
   */
  readonly changedSince: (seq: number, number: number) => LeadChanges;
};

type LeadChanges = {
  readonly leads: ReadonlySet<string>;
  readonly seq: number;
  readonly number: number;
};

type Row = {
  id: string;
  partner: string;
  badge: string;
  visitor: string | null;
  name: string | null;
  company: string | null;
  job_title: string | null;
  place: string | null;
  record: string | null;
  elsewhere: string | null;
  first_at: number;
};

type FactRow = Omit<SourceFact, 'payload' | 'undone' | 'offset'> & {
  readonly payload: string | null;
  readonly undone_by: number | null;
  readonly clock_offset: number | null;
  readonly sent_at: string | null;
};

/** A fact with its lead. `badges` is a list as JSON. */
type LeadFactRow = FactRow & Omit<Row, 'id'> & { readonly lead: string; readonly badges: string };

const FACT_COLUMNS = `fact.seq, fact.id, fact.kind, fact.at, fact.clock_offset, fact.touchpoint, fact.staff, fact.source,
       CASE WHEN fact.clock_offset IS NULL AND json_valid(outbox.wire) THEN json_extract(outbox.wire, '$.at') END AS sent_at,
       fact.payload, lead_fact.undone_by, ${PLACE_SQL} AS state, outbox.reason,
       CASE WHEN outbox.of_team = 1
         THEN (SELECT json_extract(origin, '$.device.name') FROM imported WHERE imported.seq = fact.seq) END AS device`;

/** Maximum depth of `part_of`: more than staff ever need. */
const DEEPEST = 20;

/** The statements of the sources. */
function prepareSources(database: Database) {
  return {
    parent: database.prepare<[string], { part_of: string | null; erased: number }>(
      'SELECT part_of, erased FROM lead WHERE id = ?',
    ),
    // CROSS JOIN: start from the few attached rows, and never scan all leads.
    group: database.prepare<[string, number], Row>(
      `WITH RECURSIVE own(id, depth) AS (
       SELECT ?, 0 UNION SELECT lead.id, depth + 1 FROM lead JOIN own ON lead.part_of = own.id WHERE depth < ?)
     SELECT lead.id, partner, badge, visitor, name, company, job_title, place, record, elsewhere, first_at
     FROM own CROSS JOIN lead ON lead.id = own.id WHERE erased = 0 ORDER BY depth, first_at, lead.id`,
    ),
    badges: database.prepare<[string], { code: string }>(
      `SELECT code FROM lead_key WHERE lead = ? AND kind = 'badge'`,
    ),
    facts: database.prepare<[string], FactRow>(
      `SELECT ${FACT_COLUMNS}
     FROM lead_fact JOIN fact USING (seq) LEFT JOIN outbox USING (seq) WHERE lead_fact.lead = ? ORDER BY seq`,
    ),
    ids: database.prepare<[string], { id: string }>(
      `SELECT id FROM lead WHERE erased = 0 AND part_of IS NULL AND partner = ? ORDER BY last_at DESC, id`,
    ),
    count: database
      .prepare<[string], number>(
        'SELECT count(*) FROM lead WHERE erased = 0 AND part_of IS NULL AND partner = ?',
      )
      .pluck(),
    // CROSS JOIN: the index of a partner's leads is already in order, so nothing large is sorted.
    all: database.prepare<[string], LeadFactRow>(
      `SELECT lead.id AS lead, lead.partner, badge, visitor, name, company, job_title, lead.place, record, elsewhere, first_at,
       (SELECT json_group_array(code) FROM lead_key WHERE lead_key.lead = lead.id AND lead_key.kind = 'badge') AS badges,
       ${FACT_COLUMNS}
     FROM lead CROSS JOIN lead_fact ON lead_fact.lead = lead.id JOIN fact USING (seq) LEFT JOIN outbox USING (seq)
     WHERE erased = 0 AND part_of IS NULL AND lead.partner = ? ORDER BY last_at DESC, lead.id, seq`,
    ),
    withParts: database.prepare<[], { root: string }>(
      'SELECT DISTINCT part_of AS root FROM lead WHERE part_of IS NOT NULL',
    ),
    position: database.prepare<[], { seq: number; number: number }>(
      `SELECT coalesce((SELECT max(seq) FROM lead_fact), 0) AS seq,
       coalesce((SELECT max(number) FROM lead_change), 0) AS number`,
    ),
    byFacts: database.prepare<[number], { lead: string; seq: number }>(
      'SELECT lead, seq FROM lead_fact WHERE seq > ? ORDER BY seq',
    ),
    byChange: database.prepare<[number], { lead: string; number: number }>(
      'SELECT lead, number FROM lead_change WHERE number > ? ORDER BY number',
    ),
  };
}

/** The sources of leads in the journal's database, or in a read-only connection to it. */
export function createLeadSources(database: Database): LeadSources {
  const { parent, group, badges, facts, ids, count, all, withParts, position, byFacts, byChange } =
    prepareSources(database);
  const rootOf = (id: string): string | null => {
    let at = id;
    for (let depth = 0; depth <= DEEPEST; depth += 1) {
      const row = parent.get(at);
      if (row === undefined || row.erased === 1) return null;
      if (row.part_of === null) return at;
      at = row.part_of;
    }
    return null;
  };

  const factsOf = ({ id }: Row): readonly SourceFact[] => facts.all(id).map(factOfRow);
  const otherOf = (row: Row, isPart: boolean): SourceOther => ({
    id: row.id,
    isPart,
    badge: row.badge,
    elsewhere: row.elsewhere,
    person: row.visitor === null ? null : personOf(row),
    facts: factsOf(row),
  });

  const of = (id: string): LeadSource | null => {
    const root = rootOf(id);
    const rows = root === null ? [] : group.all(root, DEEPEST);
    const [first] = rows;
    if (first === undefined) return null;
    const own = factsOf(first);
    const parts = rows.slice(1).map((row) => otherOf(row, true));
    const joined = [...own, ...parts.flatMap((part) => part.facts)];
    if (rows.length > 1) joined.sort((one, other) => one.seq - other.seq);
    if (!joined.some(({ kind, payload }) => isVisit(kind, payload?.fields))) return null;
    const takenOff = attachedIn(joined)
      .filter((lead) => !rows.some((row) => row.id === lead))
      .flatMap((lead) => group.all(lead, 0));
    return {
      ...sourceOf(first, rows),
      badges: [...new Set(rows.flatMap((row) => badges.all(row.id)).map(({ code }) => code))],
      facts: joined,
      others: [...parts, ...takenOff.map((row) => otherOf(row, false))],
    };
  };

  /** The lead of these rows, with its parts and the other leads that it refers to. Null if it has no visit. */
  const sourceOfRows = (rows: readonly LeadFactRow[], roots: ReadonlySet<string>): LeadSource | null => {
    const [first] = rows;
    if (first === undefined) return null;
    if (roots.has(first.lead) || rows.some(({ kind }) => kind === 'attach')) return of(first.lead);
    const own = rows.map(factOfRow);
    if (!own.some(({ kind, payload }) => isVisit(kind, payload?.fields))) return null;
    const row: Row = { ...first, id: first.lead };
    return {
      ...sourceOf(row, [row]),
      badges: JSON.parse(first.badges) as string[],
      facts: own,
      others: [],
    };
  };

  return {
    rootOf,
    of,
    ids: (partner) => ids.all(partner).map((row) => row.id),
    count: (partner) => count.get(partner) ?? 0,
    all: function* (partner) {
      const roots = new Set(withParts.all().map(({ root }) => root));
      let rows: LeadFactRow[] = [];
      for (const row of all.iterate(partner)) {
        if (rows[0] !== undefined && rows[0].lead !== row.lead) {
          const source = sourceOfRows(rows, roots);
          if (source !== null) yield source;
          rows = [];
        }
        rows.push(row);
      }
      const last = sourceOfRows(rows, roots);
      if (last !== null) yield last;
    },
    position: () => position.get() ?? { seq: 0, number: 0 },
    changedSince: (seq, number) => {
      const leads = new Set<string>();
      const last = { seq, number };
      for (const row of byFacts.iterate(seq)) {
        leads.add(row.lead);
        last.seq = row.seq;
      }
      for (const row of byChange.iterate(number)) {
        leads.add(row.lead);
        last.number = row.number;
      }
      return { leads, ...last };
    },
  };
}

/** Leads that attachments in these facts refer to. */
function attachedIn(facts: readonly SourceFact[]): readonly string[] {
  const named = facts.flatMap(({ kind, payload }) =>
    kind === 'attach' && payload?.lead !== undefined ? [payload.lead] : [],
  );
  return [...new Set(named)];
}

function sourceOf(first: Row, rows: readonly Row[]): Omit<LeadSource, 'badges' | 'facts' | 'others'> {
  const named = rows.find(({ visitor }) => visitor !== null);
  return {
    id: first.id,
    partner: first.partner,
    rows: rows.map(({ id }) => id),
    badge: rows.map(({ badge }) => badge).find((badge) => badge !== '') ?? '',
    person: named === undefined ? null : personOf(named),
    elsewhere: rows.flatMap(({ elsewhere }) => (elsewhere === null ? [] : [elsewhere])),
    firstAt: Math.min(...rows.map(({ first_at }) => first_at)),
  };
}

function personOf(row: Row): SourcePerson {
  const { name, company, place, record } = row;
  return { visitor: row.visitor ?? '', name, company, jobTitle: row.job_title, place, record };
}

function factOfRow(row: FactRow): SourceFact {
  // With the sent time, every laptop that has this fact computes the same corrected time.
  const sentAt = row.sent_at === null ? Number.NaN : Date.parse(row.sent_at);
  return {
    seq: row.seq,
    id: row.id,
    kind: row.kind,
    at: row.at,
    touchpoint: row.touchpoint,
    staff: row.staff,
    source: row.source,
    state: row.state,
    reason: row.reason,
    device: row.device,
    offset: row.clock_offset ?? (Number.isNaN(sentAt) ? 0 : sentAt - row.at),
    payload: payloadOf(row.payload),
    undone: row.undone_by !== null,
  };
}

/** The payload as written. Null when it is erased or cannot be read. */
export function payloadOf(text: string | null): AnyPayload | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as AnyPayload) : null;
  } catch {
    return null;
  }
}

/** Whether a fact of this kind with these fields proves a visit. */
export function isVisit(kind: FactKind, fields: unknown): boolean {
  if (kind !== 'tap' && kind !== 'checkin' && kind !== 'collect') return false;
  return !(typeof fields === 'object' && fields !== null && 'turnedAway' in fields);
}
