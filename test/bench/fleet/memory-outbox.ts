/**
 * An in-memory store of facts for modelled devices. The sender and the hub's receipts change it.
 *
 * Invariants:
 * - The states and events are those of the journal (`src-main/core/journal/facts/transitions.ts`). No fact is ever
 *   deleted.
 * - The text of a fact is the same at every attempt.
 */

import type { DeliveryStore } from '../../../src-main/core/delivery/outbox/delivery-store.ts';
import type { Outbox, OutboxItem } from '../../../src-main/core/journal/facts/outbox.ts';
import type { HubReceipt } from '../../../src-main/core/journal/facts/outbox-changes.ts';
import {
  SETTING_KEYS,
  type SettingKey,
  type Settings,
} from '../../../src-main/core/journal/facts/settings.ts';
import {
  OUTBOX_STATES,
  type OutboxEvent,
  type OutboxState,
  TRANSITIONS,
  type Transition,
} from '../../../src-main/core/journal/facts/transitions.ts';

export type MemoryOutbox = DeliveryStore &
  Pick<Outbox, 'awaitingReceipt' | 'noteReceipts'> & {
    readonly settings: Settings;
    /** Stores a tap with this id and wire text. */
    readonly add: (id: string, wire: string) => void;
    readonly counts: () => Readonly<Record<OutboxState, number>> & { readonly captured: number };
    /** The part of `sent` that only the hub has. */
    readonly atHub: () => number;
  };

type Kept = { item: OutboxItem; atHub: boolean };

const createSettings = (): Settings => {
  const values = new Map<SettingKey, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    setAll: (entries) => {
      for (const key of SETTING_KEYS) if (entries[key] !== undefined) values.set(key, entries[key]);
    },
    all: () => values,
  };
};

/**
 * Applies events to the facts in `kept` according to the transition table. Each returns how many facts it changed.
 */
const createMoves = (kept: Map<number, Kept>, numbers: Map<string, number>) => {
  const move = (
    seq: number,
    event: OutboxEvent,
    change: Pick<Partial<OutboxItem>, 'revision'> = {},
    atHub?: boolean,
  ): number => {
    const fact = kept.get(seq);
    const { from, to, mayHaveArrived }: Transition = TRANSITIONS[event];
    if (fact === undefined || !from.includes(fact.item.state)) return 0;
    const wasOut = mayHaveArrived || fact.item.wasOut;
    const attempts = fact.item.attempts + (event === 'dispatched' ? 1 : 0);
    fact.item = { ...fact.item, ...change, state: to, wasOut, attempts };
    fact.atHub = atHub ?? fact.atHub;
    return 1;
  };
  const moveAll = (seqs: readonly number[], event: OutboxEvent): number =>
    seqs.reduce((moved, seq) => moved + move(seq, event), 0);
  const noteReceipt = (receipt: HubReceipt): number => {
    const seq = numbers.get(receipt.id) ?? 0;
    const wasAtHub = kept.get(seq)?.atHub === true;
    switch (receipt.state) {
      case 'at-hub':
        return wasAtHub ? 0 : move(seq, 'movedAtHub', {}, true);
      case 'sent':
        return wasAtHub ? move(seq, 'movedAtHub', {}, false) : 0;
      case 'confirmed':
        return move(seq, 'seen', {}, false);
      case 'parked':
        return move(seq, 'refusedAtHub', {}, false);
      case 'unknown':
        return move(seq, 'lostAtHub', {}, false);
    }
  };
  return { move, moveAll, noteReceipt };
};

type Changes = Omit<
  DeliveryStore,
  'items' | 'take' | 'stillInFlight' | 'isUndone' | 'settings' | 'confirm' | 'recover'
>;

const createChanges = ({ move, moveAll }: ReturnType<typeof createMoves>): Changes => ({
  requeue: (seqs, _reason, counted) => void moveAll(seqs, counted ? 'failed' : 'postponed'),
  markUncertain: (seqs) => void moveAll(seqs, 'unanswered'),
  requeueUnseen: (seqs) => void moveAll(seqs, 'notFound'),
  settle: (settlements) => {
    for (const settlement of settlements) {
      const { seq } = settlement;
      if (settlement.kind === 'parked') move(seq, 'refused');
      else move(seq, 'accepted', { revision: settlement.revision }, settlement.atHub ?? false);
    }
  },
  park: (seqs) => void moveAll(seqs, 'unfit'),
  requeueParked: (items) =>
    moveAll(
      items.map(({ seq }) => seq),
      'retried',
    ),
  noteRepeated: () => undefined,
});

/** An empty store. */
export const createMemoryOutbox = (): MemoryOutbox => {
  const kept = new Map<number, Kept>();
  const numbers = new Map<string, number>();
  const moves = createMoves(kept, numbers);
  const itemsIn = (state: OutboxState): readonly OutboxItem[] =>
    [...kept.values()].flatMap(({ item }) => (item.state === state ? [item] : []));
  return {
    settings: createSettings(),
    add: (id, wire) => {
      const seq = kept.size + 1;
      numbers.set(id, seq);
      const untold = {
        sinceRevision: null,
        revision: null,
        attempts: 0,
        isLookedForAnew: false,
        platformWentBack: false,
        wasOut: false,
      };
      const item = { seq, id, kind: 'tap', state: 'due', wire, wireIsSound: true, ...untold } as const;
      kept.set(seq, { item, atHub: false });
    },
    counts: () => {
      const of = (state: OutboxState): number => itemsIn(state).length;
      const states = Object.fromEntries(OUTBOX_STATES.map((state) => [state, of(state)]));
      return { captured: kept.size, ...(states as Record<OutboxState, number>) };
    },
    atHub: () => [...kept.values()].filter(({ atHub }) => atHub).length,
    items: (state, limit, after = 0) =>
      itemsIn(state)
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    take: (_owner, { limit, skip }) => {
      const due = itemsIn('due');
      const items = due.slice(skip % Math.max(1, due.length)).slice(0, limit);
      for (const { seq } of items) moves.move(seq, 'dispatched');
      const outgoing = items.map(({ seq, id, wire, wasOut }) => ({ seq, id, wire: wire ?? '', wasOut }));
      return { taken: outgoing.length, outgoing };
    },
    stillInFlight: (batch) => batch,
    isUndone: () => false,
    ...createChanges(moves),
    confirm: (seen) =>
      seen.reduce((moved, { id }) => moved + moves.move(numbers.get(id) ?? 0, 'seen', {}, false), 0),
    recover: () => moves.moveAll([...kept.keys()], 'interrupted'),
    awaitingReceipt: (after, limit) =>
      itemsIn('sent')
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    noteReceipts: (receipts) => receipts.reduce((moved, receipt) => moved + moves.noteReceipt(receipt), 0),
  };
};
