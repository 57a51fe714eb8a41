/** The journal: facts stay, in order and chained. Leads and outbox change in the same transaction. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { HIGHEST_REVISION_SQL } from '../../../../src-main/core/journal/facts/outbox.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { uuidV7 } from '../../../../src-main/core/journal/facts/stamp.ts';
import { handClock, ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { chainAt, leadsIn, openJournal, stamperOf } from '../../real-parts.ts';

const openFresh = () => {
  const clock = handClock();
  const path = join(ownFolder(), 'journal.db');
  return { clock, path, journal: openJournal(path, stamperOf(clock)) };
};

const raw = (path: string) => openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });

describe('facts', () => {
  it('are numbered without gaps, stamped with UUIDv7 and chained', () => {
    const { journal, path, clock } = openFresh();
    const ids = ['A1', 'B2', 'A1'].map((badge) => {
      clock.pass(1000);
      return journal.record(tapOf(badge), null).fact;
    });
    expect(ids.map((fact) => fact.seq)).toEqual([1, 2, 3]);
    for (const fact of ids)
      expect(fact.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(ids[1]?.previousHash).toBe(ids[0]?.hash);
    expect(chainAt(path)).toEqual({ facts: 3, brokenAt: null });
  });

  it('survive closing and opening with the chain intact', () => {
    const { journal, path, clock } = openFresh();
    journal.record(tapOf('A1'), null);
    journal.close();
    const again = openJournal(path, stamperOf(clock));
    const next = again.record(tapOf('B2'), null).fact;
    expect(next.seq).toBe(2);
    expect(chainAt(path)).toEqual({ facts: 2, brokenAt: null });
  });

  it('cannot be changed or deleted; only their payload can be erased, and the chain stays valid', () => {
    const { journal, path } = openFresh();
    journal.record(tapOf('A1'), null);
    const database = raw(path);
    expect(() => database.exec(`UPDATE fact SET at = 0`)).toThrow(/never updated/);
    expect(() => database.exec(`UPDATE fact SET payload = '{"badge":"B2"}'`)).toThrow(/never updated/);
    expect(() => database.exec(`DELETE FROM fact`)).toThrow(/never deleted/);
    database.exec(`UPDATE fact SET payload = NULL`);
    expect(chainAt(path)).toEqual({ facts: 1, brokenAt: null });
  });

  it('show that a payload was changed outside the app', () => {
    const { journal, path } = openFresh();
    for (const badge of ['A1', 'B2', 'C3']) journal.record(tapOf(badge), null);
    const database = raw(path);
    database.exec(`DROP TRIGGER fact_is_never_updated`);
    database.exec(`UPDATE fact SET payload = '{"badge":"ZZ"}' WHERE seq = 2`);
    expect(chainAt(path)).toEqual({ facts: 1, brokenAt: 2 });
  });

  it('have ids that contain their time of creation', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        (at, bytes) => {
          expect(Number.parseInt(uuidV7(at, bytes).replaceAll('-', '').slice(0, 12), 16)).toBe(at);
        },
      ),
    );
  });
});

describe('leads', () => {
  it('count taps of the same badge and remember the first', () => {
    const { journal, clock } = openFresh();
    const first = journal.record(tapOf('A1'), null);
    clock.pass(60_000);
    const second = journal.record(tapOf('A1'), null);
    expect(second.lead).toEqual({ id: first.lead.id, taps: 2, since: first.fact.at });
    expect(journal.leads.count('p1')).toBe(1);
  });

  it('get their name later if the badge was unknown', () => {
    const { journal } = openFresh();
    journal.record(tapOf('A1'), null);
    expect(leadsIn(journal)).toMatchObject([{ name: null, badgeTail: 'A1' }]);
    expect(journal.leads.nameBadges(['A1'], visitorOf('v1', 'Amélie Beaumont'))).toBe(1);
    expect(leadsIn(journal)).toMatchObject([{ name: 'Amélie Beaumont' }]);
    expect(journal.leads.unnamedBadges()).toEqual([]);
  });

  it('become one when the second badge of a visitor gets its visitor', () => {
    const { journal, clock } = openFresh();
    journal.record(tapOf('A1', 'v1'), visitorOf('v1', 'Amélie'));
    clock.pass(5_000);
    journal.record(tapOf('B2'), null);
    expect(journal.leads.count('p1')).toBe(2);
    journal.leads.nameBadges(['B2'], visitorOf('v1', 'Amélie'));
    expect(leadsIn(journal)).toMatchObject([{ taps: 2 }]);
    expect(journal.record(tapOf('B2'), null).lead.taps).toBe(3);
  });

  it('keep earlier data when a later tap has none', () => {
    const { journal } = openFresh();
    journal.record(tapOf('A1'), null);
    journal.record(
      { ...tapOf('A1'), kind: 'qualify', payload: { badge: 'A1', fields: { rating: 4 } } },
      null,
    );
    journal.record(tapOf('A1'), null);
    expect(leadsIn(journal)).toMatchObject([{ rating: 4, taps: 2 }]);
  });

  it('lose the undone tap, and start again when the badge comes again', () => {
    const { journal, clock } = openFresh();
    const { fact } = journal.record(tapOf('A1'), null);
    journal.record({ ...tapOf('A1'), kind: 'undo', payload: { undoes: fact.id } }, null);
    expect(leadsIn(journal)).toMatchObject([{ undone: true, taps: 0 }]);
    clock.pass(10_000);
    const again = journal.record(tapOf('A1'), null);
    expect(again.lead).toEqual({ id: fact.id, taps: 1, since: again.fact.at });
  });

  it('never mix two visitors who used the same badge one after the other', () => {
    const { journal } = openFresh();
    journal.record(tapOf('A1', 'v1'), visitorOf('v1', 'Ann'));
    journal.record(tapOf('A1', 'v2'), visitorOf('v2', 'Bob'));
    const names = leadsIn(journal).map((lead) => lead.name);
    expect(names.toSorted()).toEqual(['Ann', 'Bob']);
  });
});

describe('the outbox', () => {
  const moves = ['depart', 'comeBack', 'doubt', 'retry', 'sent', 'parked', 'confirm', 'recover'] as const;

  it('has one row for each fact, whatever happens to the facts (docs/laws.md#law-2)', () => {
    const { journal, path } = openFresh();
    const { outbox } = journal;
    const ids: string[] = [];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('record' as const, ...moves), fc.nat(20)), { maxLength: 30 }),
        (sequence) => {
          for (const [move, pick] of sequence) {
            const seq = ids.length === 0 ? 1 : (pick % ids.length) + 1;
            const id = ids[seq - 1] ?? 'none';
            if (move === 'record') ids.push(journal.record(tapOf(`B${pick}`), null).fact.id);
            if (move === 'depart') outbox.markInFlight([{ seq, wire: '{}' }], 0n, 1);
            if (move === 'comeBack') outbox.requeue([seq], 'refused', true, 1);
            if (move === 'doubt') outbox.markUncertain([seq], 'cut', 1);
            if (move === 'retry') outbox.requeueUnseen([seq], 1);
            if (move === 'sent') outbox.settle([{ seq, kind: 'sent', action: 'a', revision: 2n ** 60n }], 1);
            if (move === 'parked') outbox.settle([{ seq, kind: 'parked', reason: 'no' }], 1);
            if (move === 'confirm') outbox.confirm([{ id, action: null, revision: null }], 1);
            if (move === 'recover') outbox.recover(1);
            const { captured, ...states } = outbox.counts();
            expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(captured);
            expect(captured).toBe(ids.length);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(chainAt(path).brokenAt).toBeNull();
  });

  it('keeps a confirmed fact confirmed after a late answer', () => {
    const { journal } = openFresh();
    const { outbox } = journal;
    const { fact } = journal.record(tapOf('A1'), null);
    outbox.markInFlight([{ seq: 1, wire: '{}' }], 0n, 1);
    outbox.settle([{ seq: 1, kind: 'sent', action: 'a', revision: 5n }], 1);
    outbox.confirm([{ id: fact.id, action: 'a', revision: 5n }], 1);
    outbox.requeue([1], 'late', true, 2);
    outbox.markUncertain([1], 'late', 2);
    outbox.settle([{ seq: 1, kind: 'parked', reason: 'late' }], 2);
    expect(outbox.of(1)).toEqual({ state: 'confirmed', reason: null });
  });

  it('sends a fact again with the bytes of its first send, even if the app would now write others', () => {
    const { journal } = openFresh();
    const { outbox } = journal;
    journal.record(tapOf('A1'), null);
    outbox.markInFlight([{ seq: 1, wire: '{"first":1}' }], 7n, 1);
    outbox.requeue([1], 'refused', false, 1);
    outbox.markInFlight([{ seq: 1, wire: '{"second":2}' }], 9n, 1);
    expect(outbox.items('in_flight', 1)).toMatchObject([
      { wire: '{"first":1}', sinceRevision: 7n, attempts: 1 },
    ]);
  });

  it('carries revisions beyond 2^53 without loss', () => {
    const { journal } = openFresh();
    const { outbox } = journal;
    journal.record(tapOf('A1'), null);
    outbox.markInFlight([{ seq: 1, wire: '{}' }], 9007199254740993n, 1);
    outbox.settle([{ seq: 1, kind: 'sent', action: 'a', revision: 9223372036854775807n }], 1);
    expect(outbox.highestRevision()).toBe(9223372036854775807n);
    expect(outbox.items('sent', 1)[0]?.sinceRevision).toBe(9007199254740993n);
  });

  it('finds the highest revision by an index, without reading all facts', () => {
    const { journal, path } = openFresh();
    const database = raw(path);
    onTestFinished(() => void database.close());
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${HIGHEST_REVISION_SQL}`).all();
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH outbox USING COVERING INDEX outbox_by_revision (revision>?)',
    ]);
    expect(journal.outbox.highestRevision()).toBe(0n);
  });
});

it('a visitor who was turned away at a door does not change the time of the lead', () => {
  const { journal, clock, path } = openFresh();
  const database = raw(path);
  onTestFinished(() => void database.close());
  const lastAt = () =>
    database.prepare<[], { last_at: number }>('SELECT last_at FROM lead ORDER BY last_at DESC').get()
      ?.last_at;
  const giulia = visitorOf('v1', 'Giulia');
  const first = journal.record(tapOf('A1', 'v1'), giulia).fact;
  clock.pass(60_000);
  const turnedAway = { badge: 'A1', visitor: 'v1', fields: { turnedAway: 'full' } } as const;
  journal.record({ ...tapOf('A1', 'v1'), kind: 'tap', payload: turnedAway }, giulia);
  expect(lastAt()).toBe(first.at);
  // When another badge gets this visitor, the lead is recounted. The time is that of the tap of this badge.
  journal.record(tapOf('B2'), null);
  clock.pass(60_000);
  journal.leads.nameBadges(['B2'], giulia);
  expect(lastAt()).toBe(first.at + 60_000);
});
