/**
 * The transition table, checked cell by cell on both stores of facts: the device's journal and the hub's database.
 *
 * Each event is applied to one fact in each state. If the row of the event lists the fact's state, the fact changes
 * as the row says. Otherwise it does not change.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHubStore } from '../../../../src-hub/outbox/hub-store.ts';
import {
  type DeliveryStore,
  storeOfJournal,
} from '../../../../src-main/core/delivery/outbox/delivery-store.ts';
import type { HubReceipt, OutboxChanges } from '../../../../src-main/core/journal/facts/outbox-changes.ts';
import {
  OUTBOX_STATES,
  type OutboxEvent,
  type OutboxState,
  TRANSITIONS,
  type Transition,
} from '../../../../src-main/core/journal/facts/transitions.ts';
import { acceptAll } from '../../../../src-platform/hub/accept.ts';
import { openSqlite } from '../../../../src-platform/store/open.ts';
import { forgetFacts } from '../../../hub/forget-facts.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openJournal, realClock, stamperOf } from '../../real-parts.ts';

type Fact = { readonly seq: number; readonly id: string };
type Row = { readonly state: string; readonly reason: string | null; readonly attempts: number };

/** One store of facts, and what only the test does to it. */
type Opened = {
  readonly store: DeliveryStore & { readonly recheck: (wentBack: boolean, at: number) => unknown };
  /** Adds a fact that is due. */
  readonly add: () => Promise<Fact>;
  readonly rowOf: (fact: Fact) => Promise<Row>;
  /** Empties the content of a fact, and nothing else. */
  readonly erase: (fact: Fact) => Promise<void>;
  readonly noteReceipts: OutboxChanges['noteReceipts'];
  /** Erases the people behind these facts, as staff ask. */
  readonly erasePeople: (facts: readonly Fact[]) => unknown;
};

const NOBODY = { touchpoint: null, partner: null };
const ALL = { limit: 1_000, skip: 0 };

const openDevice = async (): Promise<Opened> => {
  const path = join(ownFolder(), 'journal.db');
  const journal = openJournal(path, stamperOf());
  const database = new Sqlite(path);
  onTestFinished(() => {
    database.close();
    journal.close();
  });
  const store = storeOfJournal({
    client: { clockOffset: () => 0 },
    journal,
    clock: realClock,
    log: rememberingLog(),
  });
  const rowOf = database.prepare<[number], Row>('SELECT state, reason, attempts FROM outbox WHERE seq = ?');
  let badges = 0;
  return {
    store: { ...store, recheck: journal.outbox.recheck },
    add: async () => {
      badges += 1;
      return journal.record(tapOf(`04A0000000${badges}`), null).fact;
    },
    rowOf: async ({ seq }) => rowOf.get(seq) ?? { state: 'missing', reason: null, attempts: 0 },
    erase: async ({ seq }) => {
      database.prepare('UPDATE fact SET payload = NULL WHERE seq = ?').run(seq);
      database.prepare('UPDATE outbox SET wire = NULL, wire_sha256 = NULL WHERE seq = ?').run(seq);
    },
    noteReceipts: journal.outbox.noteReceipts,
    erasePeople: (facts) => {
      const leadOf = database.prepare<[number], { lead: string }>('SELECT lead FROM lead_fact WHERE seq = ?');
      journal.eraseLeads(facts.map(({ seq }) => leadOf.get(seq)?.lead ?? ''));
    },
  };
};

const openHub = async (): Promise<Opened> => {
  const store = await openSqlite(ownFolder());
  onTestFinished(store.close);
  const onlyDevice = (): never => {
    throw new Error('only a device does this');
  };
  return {
    store: createHubStore(store, 'E1', { get: () => null, set: () => undefined }, { now: () => 1 }),
    add: async () => {
      const id = randomUUID();
      const item = {
        id,
        kind: 'tap',
        at: new Date(0).toISOString(),
        badge: id,
        source: 'nfc',
        partnerID: 'P1',
      };
      const scope = { expoId: 'E1', device: null, wereOut: false, since: 0 };
      await acceptAll(store, [{ scope, entries: [item], now: new Date() }]);
      const { seq } = await store.db
        .selectFrom('relay_fact')
        .select('seq')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { seq: Number(seq), id };
    },
    rowOf: async ({ id }) => {
      const row = await store.db
        .selectFrom('relay_fact')
        .select(['state', 'reason', 'attempts'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { state: row.state, reason: row.reason, attempts: Number(row.attempts) };
    },
    erase: async ({ id }) => {
      await store.transaction((db) =>
        db.updateTable('relay_fact').set({ item: '' }).where('id', '=', id).execute(),
      );
    },
    noteReceipts: onlyDevice,
    erasePeople: (facts) =>
      forgetFacts(
        store,
        facts.map(({ id }) => id),
      ),
  };
};

const seqsOf = (facts: readonly Fact[]): readonly number[] => facts.map(({ seq }) => seq);

/** Applies an event to these facts with the methods that the sender uses. */
const EVENTS: Readonly<Record<OutboxEvent, (opened: Opened, facts: readonly Fact[]) => unknown>> = {
  dispatched: ({ store }) => store.take(NOBODY, ALL),
  failed: ({ store }, facts) => store.requeue(seqsOf(facts), 'failed', true, 1),
  postponed: ({ store }, facts) => store.requeue(seqsOf(facts), 'busy', false, 1),
  unanswered: ({ store }, facts) => store.markUncertain(seqsOf(facts), 'timeout', 1),
  interrupted: ({ store }) => store.recover(1),
  notFound: ({ store }, facts) => store.requeueUnseen(seqsOf(facts), 1),
  accepted: ({ store }, facts) =>
    store.settle(
      facts.map(({ seq }) => ({ seq, kind: 'sent', action: null, revision: null })),
      1,
    ),
  refused: ({ store }, facts) =>
    store.settle(
      facts.map(({ seq }) => ({ seq, kind: 'parked', reason: 'refused' })),
      1,
    ),
  unfit: ({ store }, facts) => store.park(seqsOf(facts), 'unfit', 1),
  retried: ({ store }, facts) =>
    store.requeueParked(
      facts.map(({ seq }) => ({ seq, wire: null })),
      1,
    ),
  seen: ({ store }, facts) =>
    store.confirm(
      facts.map(({ id }) => ({ id, action: null, revision: null })),
      1,
    ),
  compared: ({ store }) => store.recheck(false, 1),
  rolledBack: ({ store }) => store.recheck(true, 1),
  erased: ({ erasePeople }, facts) => erasePeople(facts),
  movedAtHub: (opened, facts) => note(opened, facts, { state: 'at-hub' }),
  refusedAtHub: (opened, facts) => note(opened, facts, { state: 'parked', reason: 'refused' }),
  lostAtHub: (opened, facts) => note(opened, facts, { state: 'unknown' }),
  lostErased: (opened, facts) => note(opened, facts, { state: 'unknown' }),
};

const note = (
  { noteReceipts }: Opened,
  facts: readonly Fact[],
  receipt: { readonly state: 'at-hub' | 'unknown' } | { readonly state: 'parked'; readonly reason: string },
) =>
  noteReceipts(
    facts.map(({ id }): HubReceipt => ({ id, ...receipt })),
    1,
  );

/** The events that bring a new fact into a given state. */
const WAYS: Readonly<Record<OutboxState, readonly OutboxEvent[]>> = {
  due: [],
  in_flight: ['dispatched'],
  uncertain: ['dispatched', 'unanswered'],
  sent: ['dispatched', 'accepted'],
  confirmed: ['dispatched', 'accepted', 'seen'],
  parked: ['dispatched', 'refused'],
};

/** A store with one fact in each state. */
const openWalk = async (open: () => Promise<Opened>) => {
  const opened = await open();
  const facts: { readonly state: OutboxState; readonly fact: Fact }[] = [];
  // The due fact comes last, because every batch takes all due facts.
  for (const state of OUTBOX_STATES.toReversed()) {
    const fact = await opened.add();
    for (const event of WAYS[state]) await EVENTS[event](opened, [fact]);
    expect((await opened.rowOf(fact)).state).toBe(state);
    facts.push({ state, fact });
  }
  return { opened, facts };
};

const attemptsAfter = (attempts: Transition['attempts'], before: number): number =>
  ({ keep: before, increment: before + 1, decrement: Math.max(0, before - 1), reset: 0 })[attempts];

/** The row that the table predicts. Of a reason, only its presence is compared. */
const expected = (event: OutboxEvent, before: Row, isErased: boolean) => {
  const { from, to, reason, attempts, needs }: Transition = TRANSITIONS[event];
  const fits = needs === 'nothing' || (needs === 'erased') === isErased;
  const hasReason = before.reason !== null;
  if (!fits || !from.some((state) => state === before.state))
    return { state: before.state, hasReason, attempts: before.attempts };
  return {
    state: to,
    hasReason: reason === 'keep' ? hasReason : reason === 'set',
    attempts: attemptsAfter(attempts, before.attempts),
  };
};

const seenAs = ({ state, reason, attempts }: Row) => ({ state, hasReason: reason !== null, attempts });

const events = Object.keys(TRANSITIONS) as OutboxEvent[];
const ONLY_DEVICE: readonly OutboxEvent[] = ['movedAtHub', 'refusedAtHub', 'lostAtHub', 'lostErased'];

it('the transition table has exactly these rows', () => {
  const rows = Object.entries<Transition>(TRANSITIONS).map(
    ([event, { from, to, needs }]) =>
      `${event}: ${from.join(', ')} -> ${to}${needs === 'nothing' ? '' : ` (${needs})`}`,
  );
  expect(rows).toEqual([
    'dispatched: due -> in_flight',
    'failed: in_flight -> due',
    'postponed: in_flight -> due',
    'unanswered: in_flight -> uncertain',
    'interrupted: in_flight -> uncertain',
    'notFound: uncertain -> due',
    'accepted: in_flight, uncertain -> sent',
    'refused: in_flight, uncertain -> parked',
    'unfit: due, uncertain -> parked',
    'retried: parked -> due (content)',
    'seen: sent, uncertain -> confirmed',
    'compared: confirmed -> sent (text)',
    'rolledBack: confirmed, sent -> sent (text)',
    'erased: due, in_flight, uncertain -> parked',
    'movedAtHub: sent -> sent',
    'refusedAtHub: sent -> parked',
    'lostAtHub: sent -> due (content)',
    'lostErased: sent -> parked (erased)',
  ]);
});

describe.each([
  { name: 'the journal of a device', open: openDevice, known: events },
  {
    name: 'the database of a hub',
    open: openHub,
    known: events.filter((event) => !ONLY_DEVICE.includes(event)),
  },
])('$name', ({ open, known }) => {
  it.each(known)('applies "%s" only in the states of its row', async (event) => {
    const { opened, facts } = await openWalk(open);
    const before = await Promise.all(facts.map(({ fact }) => opened.rowOf(fact)));
    await EVENTS[event](
      opened,
      facts.map(({ fact }) => fact),
    );
    const after = await Promise.all(facts.map(({ fact }) => opened.rowOf(fact)));
    // A fact that the hub lost is due again, or parked if its content was erased. So one receipt has two rows.
    const row = event === 'lostErased' ? 'lostAtHub' : event;
    expect(after.map(seenAs)).toEqual(before.map((one) => expected(row, one, false)));
    // Applies the event again: a repeated event changes nothing.
    await EVENTS[event](
      opened,
      facts.map(({ fact }) => fact),
    );
    const again = await Promise.all(facts.map(({ fact }) => opened.rowOf(fact)));
    expect(again.map(seenAs)).toEqual(after.map((one) => expected(row, one, false)));
  });

  it.each(known.filter((event) => TRANSITIONS[event].needs !== 'nothing'))(
    'applies "%s" to facts with erased content according to its row',
    async (event) => {
      const { opened, facts } = await openWalk(open);
      // After people are erased, nothing of theirs is due, in flight or uncertain.
      const settled = facts.filter(({ state }) => ['sent', 'confirmed', 'parked'].includes(state));
      for (const { fact } of settled) await opened.erase(fact);
      const before = await Promise.all(settled.map(({ fact }) => opened.rowOf(fact)));
      await EVENTS[event](
        opened,
        settled.map(({ fact }) => fact),
      );
      const after = await Promise.all(settled.map(({ fact }) => opened.rowOf(fact)));
      const row = event === 'lostAtHub' ? 'lostErased' : event;
      expect(after.map(seenAs)).toEqual(before.map((one) => expected(row, one, true)));
    },
  );
});
