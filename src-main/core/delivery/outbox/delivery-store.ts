/**
 * What the sender needs of a store of facts: the kiosk's journal, which answers at once, or a database that answers
 * later (the hub in the hall).
 *
 * Invariants: the store is the one that knows states; each change names the states it may leave, so it can be repeated
 * without harm (`journal/outbox.ts`); the settings answer at once.
 */
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { OutboxChanges } from '../../journal/facts/outbox-changes.ts';
import type { Settings } from '../../journal/facts/settings.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';
import { type Batch, type BatchPorts, type FactOwner, stillInFlight, takeBatch } from './batch.ts';

/** What is known now, or soon. */
export type Later<T> = T | Promise<T>;

type Answered<Work> = Work extends (...args: infer Args) => infer Result
  ? (...args: Args) => Later<Result>
  : never;

type Changes =
  | 'requeue'
  | 'markUncertain'
  | 'requeueUnseen'
  | 'settle'
  | 'park'
  | 'requeueParked'
  | 'confirm'
  | 'noteRepeated'
  | 'recover';

/** How many of which items go next. */
export type Portion = { readonly limit: number; readonly skip: number };

export type DeliveryStore = { readonly [Change in Changes]: Answered<OutboxChanges[Change]> } & {
  /** Up to `limit` items in `state` behind the number `after`, oldest first. */
  readonly items: (state: OutboxState, limit: number, after?: number) => Later<readonly OutboxItem[]>;
  /** Marks what goes next as in flight (`batch.ts`). */
  readonly take: (owner: FactOwner, portion: Portion) => Later<Batch>;
  /** What of a batch may still go. */
  readonly stillInFlight: (batch: Batch) => Later<Batch>;
  /** Whether a fact was taken back since. */
  readonly isUndone: (seq: number) => Later<boolean>;
  readonly settings: Pick<Settings, 'get' | 'set'>;
};

/** The journal as the sender uses it. */
export function storeOfJournal(ports: BatchPorts): DeliveryStore {
  const { journal } = ports;
  return {
    ...journal.outbox,
    take: (owner, portion) => takeBatch(ports, owner, portion),
    stillInFlight: (batch) => stillInFlight(journal, batch),
    isUndone: journal.leads.isUndone,
    settings: journal.settings,
  };
}
