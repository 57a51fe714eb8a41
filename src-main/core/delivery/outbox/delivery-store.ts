/**
 * The store of facts for the sender: the kiosk's journal, which is synchronous, or the hub's database, which is not.
 *
 * Invariants:
 * - Each change is an event of `journal/facts/transitions.ts`, so a repeated change does no harm.
 * - The settings are synchronous.
 */
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { OutboxChanges } from '../../journal/facts/outbox-changes.ts';
import type { Settings } from '../../journal/facts/settings.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';
import { type Batch, type BatchPorts, type FactOwner, stillInFlight, takeBatch } from './batch.ts';

/** A value or a promise of it. */
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

/** The next items to send: at most `limit`, without the `skip` oldest. */
export type Portion = { readonly limit: number; readonly skip: number };

export type DeliveryStore = { readonly [Change in Changes]: Answered<OutboxChanges[Change]> } & {
  /** Up to `limit` items in `state` after the number `after`, oldest first. */
  readonly items: (state: OutboxState, limit: number, after?: number) => Later<readonly OutboxItem[]>;
  /** Marks the next batch as in flight (`batch.ts`). */
  readonly take: (owner: FactOwner, portion: Portion) => Later<Batch>;
  /** The items of a batch that may still be sent. */
  readonly stillInFlight: (batch: Batch) => Later<Batch>;
  /** Whether a fact is undone. */
  readonly isUndone: (seq: number) => Later<boolean>;
  readonly settings: Pick<Settings, 'get' | 'set'>;
};

/** The journal as a store for the sender. */
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
