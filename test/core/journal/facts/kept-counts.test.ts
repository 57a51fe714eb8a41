/** The stored counts equal a full count after any change. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { createJournal, type Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import { NOT_KNOWN_YET } from '../../../../src-main/core/journal/facts/lead-projection.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { OUTBOX_STATES } from '../../../../src-main/core/journal/facts/transitions.ts';
import { handClock, ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';

type Opened = {
  readonly journal: Journal;
  readonly database: Database;
  readonly clock: ReturnType<typeof handClock>;
};

const open = (path = join(ownFolder(), 'journal.db')): Opened => {
  const database = openDatabase(path, { durability: 'normal', migrations: JOURNAL_MIGRATIONS });
  onTestFinished(() => {
    database.close();
  });
  const clock = handClock();
  return { database, clock, journal: createJournal(database, stamperOf(clock)) };
};

/** The stored counts and the full counts. */
const countsOf = (database: Database) => {
  const map = (sql: string) =>
    Object.fromEntries(
      database
        .prepare<[], { name: string; n: number }>(sql)
        .all()
        .map(({ name, n }) => [name, n]),
    );
  return {
    kept: {
      states: map('SELECT state AS name, n FROM outbox_count WHERE n <> 0 ORDER BY 1'),
      leads: map('SELECT partner AS name, n FROM lead_count WHERE n <> 0 ORDER BY 1'),
    },
    counted: {
      states: map('SELECT state AS name, count(*) AS n FROM outbox GROUP BY 1 ORDER BY 1'),
      leads: map('SELECT partner AS name, count(*) AS n FROM lead WHERE erased = 0 GROUP BY 1 ORDER BY 1'),
    },
  };
};

const BADGES = ['A1', 'B2', 'C3', 'D4'];
const PARTNERS = ['p1', 'p2', null];

/** One change of each kind, with the parameter `n`. A change that does not fit the current rows has no effect. */
const CHANGES: Readonly<Record<string, (opened: Opened, n: number) => void>> = {
  tap: ({ journal, clock }, n) => {
    clock.pass(1);
    const badge = BADGES[n % 4] ?? '';
    const touchpoint = n % 5 === 0 ? null : 'tp1';
    const partner = PARTNERS[n % 3] ?? null;
    const visitor = n % 2 === 0 ? visitorOf(`v${n % 4}`, 'Ann') : null;
    journal.record({ ...tapOf(badge, visitor?.id), partner, touchpoint }, visitor);
  },
  send: ({ journal }, n) =>
    journal.outbox.markInFlight(
      seqs(n).map((seq) => ({ seq, wire: '{}' })),
      0n,
      1,
    ),
  requeue: ({ journal }, n) => journal.outbox.requeue(seqs(n), 'r', true, 1),
  doubt: ({ journal }, n) => journal.outbox.markUncertain(seqs(n), 'r', 1),
  unseen: ({ journal }, n) => journal.outbox.requeueUnseen(seqs(n), 1),
  taken: ({ journal }, n) =>
    journal.outbox.settle(
      seqs(n).map((seq) => ({ seq, kind: 'sent', action: null, revision: null, atHub: n % 2 === 0 })),
      1,
    ),
  refused: ({ journal }, n) =>
    journal.outbox.settle(
      seqs(n).map((seq) => ({ seq, kind: 'parked', reason: 'r' })),
      1,
    ),
  park: ({ journal }, n) => journal.outbox.park(seqs(n), 'r', 1),
  again: ({ journal }, n) => {
    journal.outbox.requeueParked(
      seqs(n).map((seq) => ({ seq, wire: null })),
      1,
    );
  },
  confirm: ({ journal, database }, n) => {
    journal.outbox.confirm(
      idsOf(database, n).map((id) => ({ id, action: null, revision: null })),
      1,
    );
  },
  hub: ({ journal, database }, n) => {
    const states = ['at-hub', 'sent', 'confirmed', 'unknown'] as const;
    const state = states[n % 4] ?? 'sent';
    journal.outbox.noteReceipts(
      idsOf(database, n).map((id) => ({ id, state })),
      1,
    );
  },
  hubRefused: ({ journal, database }, n) => {
    journal.outbox.noteReceipts(
      idsOf(database, n).map((id) => ({ id, state: 'parked', reason: 'r' })),
      1,
    );
  },
  recheck: ({ journal }) => void journal.outbox.recheck(false, 1),
  recover: ({ journal }) => void journal.outbox.recover(1),
  adopt: ({ journal }, n) => void journal.leads.adopt(n % 2 === 0 ? 'p1' : 'p2'),
  erase: ({ journal }, n) => void journal.erase(`v${n % 4}`),
  eraseLead: ({ journal, database }, n) => void journal.eraseLeads(leadsOf(database, n)),
  merge: ({ database }, n) => {
    const [id, other] = leadsOf(database, n);
    if (id !== undefined && other !== undefined)
      database.prepare('UPDATE lead SET part_of = ? WHERE id = ?').run(other, id);
  },
};

/**
 * Renames one lead and deletes another, as a recovery does (`recovery/replay.ts`), and deletes rows of the outbox,
 * which the app never does.
 */
const breakUp = ({ database }: Opened): void => {
  const [first = '', second = ''] = leadsOf(database, 0);
  database.pragma('foreign_keys = OFF');
  database.prepare(`UPDATE lead SET id = 'other' WHERE id = ?`).run(first);
  database.prepare('DELETE FROM lead WHERE id = ?').run(second);
  database.exec('DELETE FROM outbox WHERE seq < 3');
};

const seqs = (n: number): readonly number[] => [1 + (n % 6), 2 + (n % 6), 3 + (n % 6)];

const idsOf = (database: Database, n: number): readonly string[] =>
  database
    .prepare<[number, number], { id: string }>('SELECT id FROM fact WHERE seq BETWEEN ? AND ?')
    .all(1 + (n % 6), 3 + (n % 6))
    .map(({ id }) => id);

const leadsOf = (database: Database, n: number): readonly string[] =>
  database
    .prepare<[number], { id: string }>('SELECT id FROM lead ORDER BY id LIMIT 2 OFFSET ?')
    .all(n % 3)
    .map(({ id }) => id);

describe('the stored counts', () => {
  it('equal a full count, after any changes in any order', () => {
    const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(40));
    const met = new Set<string>();
    fc.assert(
      fc.property(fc.array(change, { minLength: 30, maxLength: 60 }), (changes) => {
        const opened = open();
        for (let n = 0; n < 6; n += 1) CHANGES.tap?.(opened, n);
        for (const [name, n] of changes) {
          CHANGES[name]?.(opened, n);
          const { kept, counted } = countsOf(opened.database);
          expect(kept, name).toEqual(counted);
          for (const state of Object.keys(counted.states)) met.add(state);
        }
        breakUp(opened);
        const { kept, counted } = countsOf(opened.database);
        expect(kept).toEqual(counted);
      }),
      // A fixed seed, because each state must occur.
      { numRuns: 10, seed: 15 },
    );
    expect([...met].toSorted()).toEqual([...OUTBOX_STATES].toSorted());
  });

  it('equal the counts that outbox and leads return', () => {
    const { journal } = open();
    for (const badge of BADGES) journal.record(tapOf(badge), null);
    journal.record({ ...tapOf('A1'), partner: 'p2' }, null);
    journal.outbox.park([2], 'r', 1);
    expect(journal.outbox.counts()).toEqual({
      ...{ captured: 5, due: 4, in_flight: 0, uncertain: 0, sent: 0, confirmed: 0, parked: 1 },
    });
    expect(journal.leads.count('p1')).toBe(4);
    expect(journal.leads.count('nobody')).toBe(0);
    expect(journal.leads.byPartner()).toEqual([
      { partner: 'p1', leads: 4 },
      { partner: 'p2', leads: 1 },
    ]);
  });

  it('start from the content of a journal of an earlier version', () => {
    const path = join(ownFolder(), 'journal.db');
    const before = openDatabase(path, {
      durability: 'normal',
      migrations: JOURNAL_MIGRATIONS.filter(({ version }) => version < 150),
    });
    for (const n of [1, 2, 3])
      before.exec(`
        INSERT INTO fact (seq, id, kind, at, mono, boot, payload_sha256, previous_hash, hash)
          VALUES (${n}, 'f${n}', 'tap', 1, 1, 'b', 'x', 'x', 'x');
        INSERT INTO outbox (seq, state, changed_at) VALUES (${n}, '${n === 3 ? 'parked' : 'due'}', 0);
        INSERT INTO lead (id, badge, first_at, last_at, taps, search, partner, erased)
          VALUES ('f${n}', 'B${n}', 1, 1, 1, '', '${n === 1 ? NOT_KNOWN_YET : 'p1'}', ${n === 3 ? 1 : 0})`);
    before.close();
    openJournal(path, stamperOf(handClock())).close();
    const { kept, counted } = countsOf(open(path).database);
    expect(kept).toEqual(counted);
    expect(kept).toEqual({ states: { due: 2, parked: 1 }, leads: { [NOT_KNOWN_YET]: 1, p1: 1 } });
  });
});
