/**
 * People who were erased here or on another laptop of the stand. The list is stored with the journal. So no hub, file
 * or backup can restore these people, and a hub that has lost the erasure receives it again.
 *
 * Invariants:
 * - Holds ids of facts and pseudonym hashes of people, never a name, a badge or a visitor in clear.
 * - A pseudonym hash is valid for one partner only (docs/laws.md#law-14).
 * - An erased fact never comes back. A person comes back only with facts made after the request.
 */
import { z } from 'zod';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Database } from '../../foundations/store/database.ts';
import { type AnyPayload, type Fact, sha256 } from '../../journal/facts/fact.ts';
import { partnerOfFact } from '../../journal/facts/lead-projection.ts';

/** An erased person. `at`: time of the request by the platform's clock, in Unix milliseconds. */
export type Forgetting = {
  readonly id: string;
  readonly at: number;
  /** Partner id as the journal uses it. */
  readonly partner: string;
  /** Ids of the person's facts. */
  readonly facts: readonly string[];
  /** Pseudonym hashes of the person. */
  readonly people: readonly string[];
};

/** `takeBack`: facts to undo at the platform, after the hub has reported which of them it never sent there. */
export type Untold = Forgetting & { readonly takeBack: readonly string[] };

export type Forgotten = {
  /** Stores an erasure. A known erasure does not change. `told`: store id of the hub that has it, or empty. */
  readonly keep: (forgetting: Untold, told: string) => void;
  readonly isKnown: (id: string) => boolean;
  /** The oldest erasures of a partner that the hub with this store id does not have yet, at most 100. */
  readonly untold: (partner: string, epoch: string) => readonly Untold[];
  readonly setTold: (id: string, epoch: string) => void;
  /** Pseudonym hashes of the people behind these leads. */
  readonly peopleOf: (leads: readonly string[], partner: string) => readonly string[];
  /** Leads of a partner, not erased, that hold these facts or match the pseudonym hashes. */
  readonly leadsOf: (forgetting: Forgetting) => readonly string[];
  /** Whether a fact from elsewhere concerns an erased person. `visitor`: the fact's visitor, if known. */
  readonly covers: (fact: Fact, visitor: string | null) => boolean;
};

type Key = { readonly kind: 'badge' | 'visitor'; readonly code: string };

const idsSchema = z.array(z.string());

function idsIn(text: string): readonly string[] {
  return idsSchema.safeParse(parseOrUndefined(text)).data ?? [];
}

/** Erased people in the journal's database. */
export function createForgotten(database: Database): Forgotten {
  const { known, insert, mark, behind, setTold, keysOf, allKeys, leadOfFact, visitorOf, marked, expo, any } =
    prepare(database);
  const markOf = ({ kind, code }: Key, partner: string): string =>
    `${kind}:${sha256([expo.get()?.value ?? '', partner, kind, code].join('\n'))}`;

  const keep = database.transaction(({ facts, people, takeBack, ...one }: Untold, told: string): void => {
    if (known.get(one.id) !== undefined) return;
    const lists = { facts: JSON.stringify(facts), people: JSON.stringify(people) };
    insert.run({ ...one, ...lists, takeBack: JSON.stringify(takeBack), told });
    const alone = people.some((person) => person.startsWith('visitor:')) ? 0 : 1;
    for (const id of facts) mark.run({ partner: one.partner, mark: `fact:${id}`, at: null, alone: 0 });
    for (const person of people) mark.run({ partner: one.partner, mark: person, at: one.at, alone });
  });

  return {
    keep: (forgetting, told) => keep(forgetting, told),
    isKnown: (id) => known.get(id) !== undefined,
    untold: (partner, epoch) =>
      behind.all({ partner, epoch }).map(({ facts, people, take_back, ...one }) => ({
        ...one,
        partner,
        facts: idsIn(facts),
        people: idsIn(people),
        takeBack: idsIn(take_back),
      })),
    setTold: (id, epoch) => void setTold.run(epoch, id),
    peopleOf: (leads, partner) => [
      ...new Set(leads.flatMap((lead) => keysOf.all(lead)).map((key) => markOf(key, partner))),
    ],
    leadsOf: ({ facts, people, partner }) => {
      const wanted = new Set(people);
      const knowsVisitor = people.some((person) => person.startsWith('visitor:'));
      const leads = new Set(facts.flatMap((id) => leadOfFact.all(id, partner)).map(({ lead }) => lead));
      if (wanted.size === 0) return [...leads];
      for (const { lead, ...key } of allKeys.iterate(partner)) {
        if (!wanted.has(markOf(key, partner))) continue;
        // A lead with a matching badge that now has another visitor belongs to that visitor.
        const visitor = key.kind === 'badge' && knowsVisitor ? (visitorOf.get(lead)?.visitor ?? null) : null;
        if (visitor === null || wanted.has(markOf({ kind: 'visitor', code: visitor }, partner)))
          leads.add(lead);
      }
      return [...leads];
    },
    covers: (fact, told) => {
      if (fact.kind === 'undo' || any.get() === undefined) return false;
      const partner = partnerOfFact(fact);
      const { badge, otherCodes = [], clash, visitor: said }: AnyPayload = fact.payload ?? {};
      const at = fact.at + (fact.clockOffset ?? 0);
      const counts = (code: string, alone: boolean): boolean => {
        const row = marked.get(partner, code);
        if (row === undefined || (alone && row.alone === 0)) return false;
        return row.at === null || at <= row.at;
      };
      const visitor = told ?? said ?? null;
      const badges = badge === undefined ? [] : clash === true ? [`clash ${badge}`] : [badge, ...otherCodes];
      return (
        counts(`fact:${fact.id}`, false) ||
        (visitor !== null && counts(markOf({ kind: 'visitor', code: visitor }, partner), false)) ||
        badges.some((code) => counts(markOf({ kind: 'badge', code }, partner), visitor !== null))
      );
    },
  };
}

function prepare(database: Database) {
  return {
    known: database.prepare<[string], { id: string }>('SELECT id FROM forgetting WHERE id = ?'),
    insert: database.prepare(`
      INSERT INTO forgetting (id, at, partner, facts, people, take_back, told)
      VALUES (@id, @at, @partner, @facts, @people, @takeBack, @told)`),
    mark: database.prepare(`
      INSERT INTO forgotten (partner, mark, at, alone) VALUES (@partner, @mark, @at, @alone)
      ON CONFLICT (partner, mark) DO UPDATE SET at = max(at, excluded.at), alone = excluded.alone`),
    behind: database.prepare<
      { partner: string; epoch: string },
      { id: string; at: number; facts: string; people: string; take_back: string }
    >(
      `SELECT id, at, facts, people, take_back FROM forgetting WHERE partner = @partner AND told <> @epoch
       ORDER BY rowid LIMIT 100`,
    ),
    setTold: database.prepare(`UPDATE forgetting SET told = ?, take_back = '[]' WHERE id = ?`),
    keysOf: database.prepare<[string], Key>('SELECT kind, code FROM lead_key WHERE lead = ?'),
    allKeys: database.prepare<[string], Key & { readonly lead: string }>(
      `SELECT kind, code, lead FROM lead_key WHERE partner = ?`,
    ),
    leadOfFact: database.prepare<[string, string], { lead: string }>(
      `SELECT lead_fact.lead FROM fact JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
       WHERE fact.id = ? AND lead.partner = ? AND lead.erased = 0`,
    ),
    visitorOf: database.prepare<[string], { visitor: string | null }>(
      'SELECT visitor FROM lead WHERE id = ?',
    ),
    marked: database.prepare<[string, string], { at: number | null; alone: number }>(
      'SELECT at, alone FROM forgotten WHERE partner = ? AND mark = ?',
    ),
    expo: database.prepare<[], { value: string }>(`SELECT value FROM setting WHERE key = 'expo'`),
    any: database.prepare<[], { mark: string }>('SELECT mark FROM forgotten LIMIT 1'),
  };
}
