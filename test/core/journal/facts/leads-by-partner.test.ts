/** This version opens a journal from before leads belonged to partners. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { ownFolder } from '../../fixture.ts';
import { leadsIn, openJournal, stamperOf } from '../../real-parts.ts';

const OLD = JOURNAL_MIGRATIONS.filter(({ version }) => version < 60);

type OldFact = {
  readonly partner: string | null;
  readonly kind?: string;
  readonly payload: string;
  readonly touchpoint?: null;
};

/**
 * One lead of a visitor with these facts, as the old version wrote it. `wire`: the text with which the last fact was
 * sent.
 */
const oldJournal = (facts: readonly OldFact[], wire: string | null = null): string => {
  const path = join(ownFolder(), 'journal.db');
  const database = openDatabase(path, { durability: 'full', migrations: OLD });
  database.exec(`INSERT INTO lead (id, badge, visitor, first_at, last_at, taps, name, search, record)
    VALUES ('f1', 'B1', 'v1', 1, ${facts.length}, ${facts.length}, 'Ann Lee', 'ann lee', '{}');
    INSERT INTO lead_badge VALUES ('B1', 'f1')`);
  for (const [index, fact] of facts.entries()) {
    const seq = index + 1;
    database
      .prepare(
        `INSERT INTO fact (seq, id, kind, at, mono, boot, touchpoint, partner, payload, payload_sha256, previous_hash, hash)
         VALUES (?, ?, ?, ?, 0, 'b', ?, ?, ?, 'x', 'x', 'x')`,
      )
      .run(
        seq,
        `f${seq}`,
        fact.kind ?? 'tap',
        seq,
        fact.touchpoint === null ? null : 'tp',
        fact.partner,
        fact.payload,
      );
    database
      .prepare(`INSERT INTO outbox (seq, state, wire, changed_at) VALUES (?, 'due', ?, 0)`)
      .run(seq, seq === facts.length ? wire : null);
    database.prepare(`INSERT INTO lead_fact (seq, lead) VALUES (?, 'f1')`).run(seq);
  }
  database.close();
  return path;
};

const tap = '{"badge":"B1","visitor":"v1"}';

test('splits a lead with facts of two partners into two, each with its own data', () => {
  const rated = '{"badge":"B1","visitor":"v1","fields":{"rating":5}}';
  const journal = openJournal(
    oldJournal([
      { partner: 'A', payload: tap },
      { partner: 'B', payload: tap },
      { partner: 'B', payload: 'not json' },
      { partner: 'A', kind: 'qualify', payload: rated },
    ]),
    stamperOf(),
  );
  expect(leadsIn(journal, 'A')).toMatchObject([{ id: 'f1', name: 'Ann Lee', taps: 1, rating: 5 }]);
  expect(leadsIn(journal, 'B')).toMatchObject([{ id: 'f2', name: 'Ann Lee', taps: 2, rating: null }]);
  expect(journal.leads.ofVisitor('B', 'v1')).toBe('f2');
  expect(journal.leads.byPartner()).toEqual([
    { partner: 'A', leads: 1 },
    { partner: 'B', leads: 1 },
  ]);
  journal.close();
});

test.for([
  ['the one with which it was sent', '{"partnerID":"B"}', 'B'],
  ['unknown if it was not sent', null, '?'],
] as const)('the partner of a lead from before the device knew its partner is %s', ([, wire, partner]) => {
  const journal = openJournal(
    oldJournal([{ partner: null, touchpoint: null, payload: tap }], wire),
    stamperOf(),
  );
  expect(journal.leads.byPartner()).toEqual([{ partner, leads: 1 }]);
  journal.close();
});
