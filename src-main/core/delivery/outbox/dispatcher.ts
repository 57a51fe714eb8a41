/**
 * Sends due items in batches, each before the answer to the previous one is settled. After a crash in between, both
 * batches are read back.
 *
 *     due ► in flight ► POST ► sent | parked | due | uncertain
 *
 * Invariants:
 * - The batch after a full one is prepared during its request. Otherwise the next batch is prepared after the answer,
 *   so that it contains everything that became due during the request.
 * - An item that may have arrived becomes uncertain, never due (docs/laws.md#law-3).
 * - A 429 answer and a batch that was never sent do not count as attempts (docs/laws.md#law-5).
 * - Results are matched by id.
 * - No transaction is open across an await (docs/laws.md#law-11).
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError, type ErrorClass } from '../../foundations/api/error-class.ts';
import type { ItemResult } from '../../foundations/api/write-extension.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { yieldToIo } from '../../foundations/time/loops.ts';
import type { Settlement } from '../../journal/facts/outbox-changes.ts';
import { type Batch, EMPTY_BATCH, type FactOwner } from './batch.ts';
import type { DeliveryStore, Later, Portion } from './delivery-store.ts';
import type { Hub } from './hub.ts';
import { postItems } from './post-items.ts';
import { BATCH_LIMIT } from './wire.ts';

type Rejection = Extract<ErrorClass, { kind: 'reject' }>;

/**
 * How a series of batches ended. `refused`: the last request was refused permanently, and its items are still in flight.
 */
export type Dispatched =
  | { readonly kind: 'sent'; readonly items: number }
  | {
      readonly kind: 'refused';
      readonly seqs: readonly number[];
      readonly rejection: Rejection;
      readonly words: string;
    };

export type DispatcherPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The next items: at most `limit`, without the `skip` oldest. */
  readonly next: () => Portion;
  /**
   * Called after an answer listed a batch's items, before the next batch is sent. The platform accepted those in
   * `taken`.
   */
  readonly onAnswered: (taken: readonly number[], isFull: boolean) => Later<unknown>;
  /** Whether the series continues after a batch that was not full. */
  readonly continues: () => boolean;
  /** The hub, if there may be one. */
  readonly hub?: Pick<Hub, 'isThere'>;
  readonly onChange: () => void;
};

export type Dispatcher = {
  /** Sends for `owner` until nothing is due or the series must end. @throws ApiError after settling its items */
  readonly sendDue: (owner: FactOwner, signal: AbortSignal) => Promise<Dispatched>;
};

class Refused extends Error {
  readonly seqs: readonly number[];
  readonly rejection: Rejection;
  constructor(seqs: readonly number[], rejection: Rejection, message: string) {
    super(message);
    this.seqs = seqs;
    this.rejection = rejection;
  }
}

/** The dispatcher of one store of facts. */
export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const { client, expoId, store, clock } = ports;

  /**
   * Sends the items that are still in flight. Null when there are none. On a fault this function settles the items.
   * After an answer, a permanent refusal or an abort it leaves them to the caller.
   */
  const send = (
    { outgoing }: Batch,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemResult>> | null => {
    if (outgoing.length === 0) return null;
    ports.onChange();
    // A hub that lost its data looks these up at the platform before it sends them (docs/hub.md).
    const again = ports.hub?.isThere() === true && outgoing.some(({ wasOut }) => wasOut);
    const path = again ? '/hub/again' : '/actions';
    return postItems(client, expoId, outgoing, signal, path).catch(async (error: unknown) => {
      if (signal.aborted) throw error;
      const seqs = outgoing.map((item) => item.seq);
      if (error instanceof ApiError && error.errorClass.kind === 'reject') {
        throw new Refused(seqs, error.errorClass, error.message);
      }
      await takeBack(seqs, error);
      ports.onChange();
      throw error;
    });
  };

  /** Settles the items of a failed request. */
  const takeBack = async (seqs: readonly number[], error: unknown): Promise<void> => {
    const failure: ErrorClass =
      error instanceof ApiError ? error.errorClass : { kind: 'retry', reached: 'maybe' };
    if (mayHaveArrived(failure)) await store.markUncertain(seqs, wordsOf(error), clock.now());
    else await store.requeue(seqs, wordsOf(error), failure.kind === 'retry', clock.now());
  };

  /** Releases a batch that was prepared but never sent, because the previous one failed. */
  const stayBack = async ({ outgoing }: Batch, error: unknown): Promise<void> => {
    const seqs = outgoing.map((item) => item.seq);
    await store.requeue(seqs, wordsOf(error), false, clock.now());
  };

  const take = async (owner: FactOwner): Promise<Batch> => store.take(owner, ports.next());

  const sendAll = async (owner: FactOwner, signal: AbortSignal): Promise<number> => {
    let batch = await take(owner);
    let { taken } = batch;
    let answer = send(batch, signal);
    if (answer !== null) await yieldToIo(answer);
    while (answer !== null) {
      const isFull = batch.outgoing.length === BATCH_LIMIT;
      const ready = isFull ? await take(owner) : EMPTY_BATCH;
      const results = await answer.catch(async (error: unknown) => {
        await stayBack(ready, error);
        throw error;
      });
      await ports.onAnswered(keptOf(batch, results), isFull);
      const next = await store.stillInFlight(!isFull && ports.continues() ? await take(owner) : ready);
      taken += next.taken;
      answer = send(next, signal);
      if (answer !== null) await yieldToIo(answer);
      await settle(ports, batch, results);
      batch = next;
    }
    return taken;
  };

  return {
    sendDue: async (owner, signal) => {
      try {
        return { kind: 'sent', items: await sendAll(owner, signal) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { kind: 'refused', seqs: error.seqs, rejection: error.rejection, words: error.message };
      }
    },
  };
}

/** Records the platform's result for each item of a batch. */
async function settle(
  { store, clock, log, hub, onChange }: DispatcherPorts,
  { outgoing }: Batch,
  results: ReadonlyMap<string, ItemResult>,
): Promise<void> {
  const settlements: Settlement[] = [];
  const unnamed: number[] = [];
  const atHub = hub?.isThere() === true;
  for (const { id, seq } of outgoing) {
    const result = results.get(id);
    if (result === undefined) unnamed.push(seq);
    else if (result.result === 'rejected') settlements.push({ seq, kind: 'parked', reason: result.reason });
    else settlements.push({ seq, kind: 'sent', action: result.action, revision: result.revision, atHub });
  }
  await store.settle(settlements, clock.now());
  await store.markUncertain(unnamed, 'the answer did not name it', clock.now());
  const parked = settlements.filter((settlement) => settlement.kind === 'parked').length;
  if (parked > 0) log.warn('the platform refused interactions; they are parked', { parked });
  onChange();
}

function keptOf({ outgoing }: Batch, results: ReadonlyMap<string, ItemResult>): readonly number[] {
  const isKept = (id: string): boolean => (results.get(id)?.result ?? 'rejected') !== 'rejected';
  return outgoing.filter(({ id }) => isKept(id)).map(({ seq }) => seq);
}

function wordsOf(error: unknown): string {
  return error instanceof ApiError || error instanceof Refused ? error.message : 'an unexpected fault';
}

function mayHaveArrived(failure: ErrorClass): boolean {
  if (failure.kind === 'stop') return failure.pause === 'notAPlatform' || failure.reached === 'maybe';
  return failure.kind === 'retry' && failure.reached === 'maybe';
}
