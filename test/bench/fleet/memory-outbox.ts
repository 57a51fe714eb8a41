/**
 * A store of facts in memory, for devices that are modelled: what the sender and the hub's receipts change.
 *
 * Invariants: the states and the changes are the journal's (`src-main/core/journal/facts/outbox-changes.ts`): each change names the
 * states it may leave, and no fact is ever gone; the text of a fact is the same every time it goes out.
 */

import type { DeliveryStore } from '../../../src-main/core/delivery/outbox/delivery-store.ts';
import type { Outbox, OutboxItem, OutboxState } from '../../../src-main/core/journal/facts/outbox.ts';
import { OUTBOX_STATES } from '../../../src-main/core/journal/facts/outbox.ts';
import type { HubReceipt } from '../../../src-main/core/journal/facts/outbox-changes.ts';
import type { SettingKey, Settings } from '../../../src-main/core/journal/facts/settings.ts';

export type MemoryOutbox = DeliveryStore &
  Pick<Outbox, 'awaitingReceipt' | 'noteReceipts'> & {
    readonly settings: Settings;
    /** Keeps a tap that is sent as this text. */
    readonly add: (id: string, wire: string) => void;
    readonly counts: () => Readonly<Record<OutboxState, number>> & { readonly captured: number };
    /** Of what is sent, how much only the hub has. */
    readonly atHub: () => number;
  };

type Kept = { item: OutboxItem; atHub: boolean };

const createSettings = (): Settings => {
  const values = new Map<SettingKey, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    all: () => values,
  };
};

/** Moves of the facts in `kept`; each answers how many it moved. */
const createMoves = (kept: Map<number, Kept>, numbers: Map<string, number>) => {
  const move = (
    seq: number,
    from: readonly OutboxState[],
    change: Partial<OutboxItem>,
    atHub?: boolean,
  ): number => {
    const fact = kept.get(seq);
    if (fact === undefined || !from.includes(fact.item.state)) return 0;
    fact.item = { ...fact.item, ...change };
    fact.atHub = atHub ?? fact.atHub;
    return 1;
  };
  const moveAll = (
    seqs: readonly number[],
    from: readonly OutboxState[],
    change: Partial<OutboxItem>,
  ): number => seqs.reduce((moved, seq) => moved + move(seq, from, change), 0);
  const hear = (receipt: HubReceipt): number => {
    const seq = numbers.get(receipt.id) ?? 0;
    const fact = kept.get(seq);
    const wasAtHub = fact?.atHub === true;
    switch (receipt.state) {
      case 'at-hub':
        return wasAtHub ? 0 : move(seq, ['sent'], {}, true);
      case 'sent':
        return wasAtHub ? move(seq, ['sent'], {}, false) : 0;
      case 'confirmed':
        return move(seq, ['sent', 'uncertain'], { state: 'confirmed' }, false);
      case 'parked':
        return move(seq, ['sent'], { state: 'parked' }, false);
      case 'unknown':
        return move(seq, ['sent'], { state: 'due' }, false);
    }
  };
  return { move, moveAll, hear };
};

type Changes = Omit<
  DeliveryStore,
  'items' | 'take' | 'stillInFlight' | 'isUndone' | 'settings' | 'confirm' | 'recover'
>;

const createChanges = ({ move, moveAll }: ReturnType<typeof createMoves>): Changes => ({
  requeue: (seqs) => void moveAll(seqs, ['in_flight'], { state: 'due' }),
  markUncertain: (seqs) => void moveAll(seqs, ['in_flight'], { state: 'uncertain', wasOut: true }),
  requeueUnseen: (seqs) => void moveAll(seqs, ['uncertain'], { state: 'due' }),
  settle: (settlements) => {
    for (const told of settlements) {
      if (told.kind === 'parked') move(told.seq, ['in_flight', 'uncertain'], { state: 'parked' });
      else {
        const sent = { state: 'sent', revision: told.revision, wasOut: true } as const;
        move(told.seq, ['in_flight', 'uncertain'], sent, told.atHub ?? false);
      }
    }
  },
  park: (seqs) => void moveAll(seqs, ['due', 'uncertain'], { state: 'parked' }),
  requeueParked: (items) =>
    moveAll(
      items.map(({ seq }) => seq),
      ['parked'],
      { state: 'due' },
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
      for (const { seq, attempts } of items)
        moves.move(seq, ['due'], { state: 'in_flight', attempts: attempts + 1 });
      const outgoing = items.map(({ seq, id, wire, wasOut }) => ({ seq, id, wire: wire ?? '', wasOut }));
      return { taken: outgoing.length, outgoing };
    },
    stillInFlight: (batch) => batch,
    isUndone: () => false,
    ...createChanges(moves),
    confirm: (seen) =>
      seen.reduce(
        (moved, { id }) =>
          moved + moves.move(numbers.get(id) ?? 0, ['sent', 'uncertain'], { state: 'confirmed' }, false),
        0,
      ),
    recover: () => moves.moveAll([...kept.keys()], ['in_flight'], { state: 'uncertain', wasOut: true }),
    awaitingReceipt: (after, limit) =>
      itemsIn('sent')
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    noteReceipts: (receipts) => receipts.reduce((moved, receipt) => moved + moves.hear(receipt), 0),
  };
};
