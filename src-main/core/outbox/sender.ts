/**
 * Brings every fact to the platform: the loop of the outbox.
 *
 *     round:  uncertain ► read back ► confirmed, or due again
 *             due       ► in flight ► POST ► sent | parked | due | uncertain
 *             sent      ► read back (or ask again by id) ► confirmed
 *
 * Invariants: law 2 (nothing is dropped), law 3 (a doubtful send is read back before it is repeated, and repeated
 * with the same id and the same bytes), law 5 (429 costs no attempt), law 6 (what stops the queue and what parks an
 * item), law 11 (no transaction across an await).
 */
import type { Pause } from '../../contract/device.ts';
import type { ApiClient } from '../api/client.ts';
import type { Connection } from '../api/connection.ts';
import { readExpo } from '../api/endpoints.ts';
import { ApiError, type ErrorClass } from '../api/error-class.ts';
import { type ItemResult, postActions } from '../api/write-extension.ts';
import type { Journal } from '../journal/journal.ts';
import type { OutboxItem } from '../journal/outbox.ts';
import type { Settlement } from '../journal/outbox-changes.ts';
import type { Clock, Log, Random } from '../ports.ts';
import { backoffMs } from '../time/backoff.ts';
import { createWakeableSleep } from '../time/wakeable-sleep.ts';
import { yieldToIo } from '../time/yield-to-io.ts';
import { type Batch, EMPTY_BATCH, type FactOwner, stillInFlight, takeBatch } from './batch.ts';
import { READ_BACK_LIMIT, readBack, type Seen } from './read-back.ts';
import { BATCH_LIMIT } from './wire.ts';

const IDLE_MS = 30_000;
const CONFIRM_MS = 1_500;
const PROBE_MS = 10_000;
const DEFECT_MS = 15_000;
/** Up to so long until an item that was refused alone is asked about again. */
const ASK_AGAIN_MS = 1_000;
/** After so many small sends in a row there is a look at what arrived. */
const SENDS_PER_LOOK = 10;
/** Failures in a row after which a probe goes before any batch. */
const OPEN_AFTER = 5;

export type SenderPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly connection: Connection;
  /** Null holds everything back: facts without a touchpoint would be nobody's. */
  readonly owner: () => FactOwner | null;
  readonly onChange: () => void;
};

type Rejection = Extract<ErrorClass, { kind: 'reject' }>;

export type Sender = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Something is due. */
  readonly wake: () => void;
  /** Why nothing goes out at the moment, or null. */
  readonly pause: () => Pause | null;
};

/** The sender of one journal. */
export function createSender(ports: SenderPorts): Sender {
  const { client, expoId, journal, clock, random, log, connection } = ports;
  const { outbox } = journal;
  const waker = createWakeableSleep(clock);
  let pause: Pause | null = null;
  let batchLimit = BATCH_LIMIT;
  let failures = 0;
  let busyInARow = 0;
  let vainLooks = 0;
  let sendsSinceLook = 0;
  let isInterrupted = false;
  let refused: { readonly seq: number; readonly status: number } | null = null;

  const changed = (): void => ports.onChange();

  /** The platform gave its word, whatever it was: nothing is in the way. */
  const wasHeard = (): void => {
    failures = 0;
    busyInARow = 0;
    if (pause !== null) {
      log.info('delivery goes on', { after: pause });
      pause = null;
    }
  };

  const wentThrough = (): void => {
    connection.succeeded();
    wasHeard();
  };

  /** Settles doubtful items by looking; what is not there is due again (its id keeps the effect single). */
  const resolveUncertain = async (signal: AbortSignal): Promise<boolean> => {
    const items = outbox.items('uncertain', READ_BACK_LIMIT);
    if (items.length === 0) return false;
    const { found } = await look(items, signal);
    wentThrough();
    outbox.requeueUnseen(
      items.filter((item) => !found.has(item.id)).map((item) => item.seq),
      clock.now(),
    );
    changed();
    return true;
  };

  /** Looks for items among the actions and confirms those that are there. */
  const look = async (
    items: readonly OutboxItem[],
    signal: AbortSignal,
  ): Promise<{ readonly found: ReadonlySet<string>; readonly confirmed: number }> => {
    const starts = items.map((item) => item.revision ?? item.sinceRevision ?? 0n);
    const from = starts.reduce((low, start) => (start < low ? start : low), starts[0] ?? 0n);
    const ids = new Set(items.map((item) => item.id));
    const partner = ports.owner()?.partner ?? null;
    let confirmed = 0;
    const confirm = (seen: readonly Seen[]): void => {
      confirmed += outbox.confirm(seen, clock.now());
    };
    const found = await readBack(client, expoId, ids, from, partner, confirm, signal);
    return { found, confirmed };
  };

  /** Sends what departed; null when that is nothing. A fault is settled here, the answer by the caller. */
  const send = ({ items, outgoing }: Batch, signal: AbortSignal): Promise<readonly ItemResult[]> | null => {
    if (items.length === 0) return null;
    changed();
    const wires = outgoing.map((item) => item.wire);
    return postActions(client, expoId, wires, signal).catch((error: unknown) => {
      if (!signal.aborted) takeBack(items, error);
      changed();
      throw error;
    });
  };

  /**
   * Sends what is due, batch after batch as long as they are full: the next one is made ready while one is on its way,
   * and an answer is settled when the next one has left. A crash in between leaves both to be read back.
   */
  const sendDue = async (post: FactOwner, signal: AbortSignal): Promise<number> => {
    let batch = takeBatch(ports, post, batchLimit);
    let { taken } = batch;
    let answer = send(batch, signal);
    if (answer !== null) await yieldToIo(answer);
    while (answer !== null) {
      const ready = batch.items.length === BATCH_LIMIT ? takeBatch(ports, post, batchLimit) : EMPTY_BATCH;
      const results = await answer.catch((error: unknown) => {
        stayBack(ready, error);
        throw error;
      });
      wentThrough();
      vainLooks = 0;
      batchLimit = BATCH_LIMIT;
      refused = null;
      const next = stillInFlight(journal, ready);
      taken += next.taken;
      answer = send(next, signal);
      if (answer !== null) await yieldToIo(answer);
      settle(batch.items, results);
      changed();
      batch = next;
    }
    return taken;
  };

  /** A batch that was ready but never sent, because the one before it failed. */
  const stayBack = ({ items }: Batch, error: unknown): void => {
    const seqs = items.map((item) => item.seq);
    outbox.requeue(seqs, wordsOf(error), false, clock.now());
  };

  const settle = (items: readonly OutboxItem[], results: readonly ItemResult[]): void => {
    const byId = new Map(results.map((result) => [result.id, result]));
    const settlements: Settlement[] = [];
    const unnamed: number[] = [];
    for (const { id, seq } of items) {
      const result = byId.get(id);
      if (result === undefined) unnamed.push(seq);
      else if (result.result === 'rejected') settlements.push({ seq, kind: 'parked', reason: result.reason });
      else settlements.push({ seq, kind: 'sent', action: result.action, revision: result.revision });
    }
    outbox.settle(settlements, clock.now());
    outbox.markUncertain(unnamed, 'the answer did not name it', clock.now());
    const parked = settlements.filter((settlement) => settlement.kind === 'parked').length;
    if (parked > 0) log.warn('the platform refused interactions; they are parked', { parked });
  };

  /** What a failed request means for its items. */
  const takeBack = (items: readonly OutboxItem[], error: unknown): void => {
    const seqs = items.map((item) => item.seq);
    const now = clock.now();
    const verdict: ErrorClass =
      error instanceof ApiError ? error.errorClass : { kind: 'retry', reached: 'maybe' };
    const words = wordsOf(error);
    if (verdict.kind === 'reject' && items.length === 1) {
      refuse(seqs[0] ?? 0, verdict, words);
    } else if (verdict.kind === 'reject') {
      // One of them is at fault: smaller batches find out which.
      batchLimit = Math.max(1, Math.ceil(items.length / 2));
      outbox.requeue(seqs, words, false, now);
    } else if (mayHaveArrived(verdict)) {
      outbox.markUncertain(seqs, words, now);
    } else {
      outbox.requeue(seqs, words, verdict.kind === 'retry', now);
    }
  };

  /** An item refused alone is asked about once more; it is parked when the answer is the same. */
  const refuse = (seq: number, { status, reason }: Rejection, words: string): void => {
    if (refused?.seq !== seq || refused.status !== status) {
      refused = { seq, status };
      outbox.requeue([seq], words, false, clock.now());
      return;
    }
    refused = null;
    batchLimit = BATCH_LIMIT;
    outbox.settle([{ seq, kind: 'parked', reason }], clock.now());
    log.warn('the platform refused an interaction twice; it is parked', { status });
  };

  /** The platform's word on items it took; a refusal of the question proves nothing, in either direction. */
  const askAgain = async (
    items: readonly OutboxItem[],
    signal: AbortSignal,
  ): Promise<readonly ItemResult[]> => {
    try {
      const wires = items.map((item) => item.wire ?? '');
      return await postActions(client, expoId, wires, signal);
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind === 'reject') return [];
      throw error;
    }
  };

  /** Proof of arrival: our ids among the actions; for what leaves no action, the platform's word on the same id. */
  const confirmSent = async (signal: AbortSignal): Promise<boolean> => {
    const items = outbox.items('sent', READ_BACK_LIMIT);
    if (items.length === 0) return false;
    const { found, confirmed: seen } = await look(items, signal);
    const unseen = items.filter((item) => !found.has(item.id) && item.wireIsSound).slice(0, BATCH_LIMIT);
    const known = unseen.length === 0 ? [] : await askAgain(unseen, signal);
    wentThrough();
    const held = known.filter((result) => result.result !== 'rejected');
    const confirmed = outbox.confirm(held, clock.now());
    if (seen + confirmed === 0) return false;
    vainLooks = 0;
    changed();
    return true;
  };

  const waitAfter = (error: unknown): number => {
    if (!(error instanceof ApiError)) {
      log.error('delivery met an unexpected fault', { error: String(error) });
      isInterrupted = true;
      return DEFECT_MS;
    }
    connection.failed(error);
    const { errorClass } = error;
    const fraction = random.fraction();
    switch (errorClass.kind) {
      case 'busy':
        // Several devices on one key: the more often we are turned away, the wider we spread.
        busyInARow += 1;
        return (errorClass.retryAfterMs ?? 500) + fraction * Math.min(8_000, 250 * 2 ** busyInARow);
      case 'reject':
        wasHeard();
        return refused === null ? 0 : fraction * ASK_AGAIN_MS;
      case 'stop':
        if (pause !== errorClass.pause) log.warn('delivery is paused', { why: errorClass.pause });
        pause = errorClass.pause;
        return PROBE_MS * (0.5 + fraction);
      case 'retry':
        if (pause === null) log.info('delivery waits for the network', { why: error.message });
        pause = 'offline';
        failures += 1;
        return Math.min(PROBE_MS, 200 + backoffMs(failures, fraction));
    }
  };

  /** A 403 to a write says too little: whether we may read tells a missing right from a refused address. */
  const moreExactly = async (error: unknown, signal: AbortSignal): Promise<unknown> => {
    if (
      !(error instanceof ApiError) ||
      error.errorClass.kind !== 'stop' ||
      error.errorClass.pause !== 'forbidden'
    ) {
      return error;
    }
    try {
      await readExpo(client, expoId, signal);
      return new ApiError({ kind: 'stop', pause: 'noWritePermission' }, error.message);
    } catch (second) {
      const refused =
        second instanceof ApiError &&
        second.errorClass.kind === 'stop' &&
        second.errorClass.pause === 'forbidden';
      return refused ? new ApiError({ kind: 'stop', pause: 'addressNotAllowed' }, error.message) : error;
    }
  };

  const round = async (signal: AbortSignal): Promise<number> => {
    const post = ports.owner();
    if (post === null) return IDLE_MS;
    if (isInterrupted) {
      // What was under way then was neither settled nor taken back.
      outbox.recover(clock.now());
      isInterrupted = false;
    }
    if (failures >= OPEN_AFTER) {
      // The circuit is open: one small question first, not a batch.
      await readExpo(client, expoId, signal);
      wentThrough();
    }
    if (await resolveUncertain(signal)) return 0;
    // A steady trickle of taps must not keep what was sent from being proven; a backlog comes to an end.
    if (sendsSinceLook >= SENDS_PER_LOOK) {
      sendsSinceLook = 0;
      await confirmSent(signal);
    }
    const sent = await sendDue(post, signal);
    if (sent > 0) {
      if (sent < BATCH_LIMIT) sendsSinceLook += 1;
      return 0;
    }
    sendsSinceLook = 0;
    if (await confirmSent(signal)) return 0;
    if (outbox.items('sent', 1).length === 0) return IDLE_MS;
    // What the platform does not show yet is looked for less and less often.
    vainLooks += 1;
    return Math.min(IDLE_MS, CONFIRM_MS * 2 ** Math.min(vainLooks - 1, 10));
  };

  return {
    run: async (signal) => {
      const recovered = outbox.recover(clock.now());
      if (recovered > 0) log.info('interactions in flight at the last end are read back', { recovered });
      while (!signal.aborted) {
        let wait: number;
        let failed = false;
        try {
          wait = await round(signal);
        } catch (error) {
          if (signal.aborted) return;
          wait = waitAfter(await moreExactly(error, signal));
          failed = true;
          changed();
        }
        // A new tap must not cut a back-off short: forty taps offline are no forty connection attempts.
        if (wait > 0) await (failed ? clock.sleep(wait, signal) : waker.sleep(wait, signal));
      }
    },
    wake: waker.wake,
    pause: () => pause,
  };
}

function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'an unexpected fault';
}

function mayHaveArrived(verdict: ErrorClass): boolean {
  return (
    (verdict.kind === 'retry' && verdict.reached === 'maybe') ||
    (verdict.kind === 'stop' && verdict.pause === 'notAPlatform')
  );
}
