/**
 * Sends leads to one destination: the loop of the outbox, for records instead of facts.
 *
 *     round:  changed facts ► due
 *             erasures  ► lookup ► request
 *             uncertain ► lookup ► confirmed, or due again
 *             due       ► lookup ► plan ► send ► sent | parked | due | uncertain
 *             sent      ► lookup ► confirmed
 *
 * Invariants:
 * - If the destination can be read, a lookup precedes each write. So a repeated write does no harm, and changes at the
 *   destination are detected.
 * - The loop uses the circuit and the waits of the sender (`core/delivery/outbox/circuit.ts`). Only this loop retries.
 * - Leads are read a few at a time, and the event loop runs in between, so that no tap waits.
 * - Nothing here writes to the journal.
 */

import type { PushReason } from '../../../contract/destinations.ts';
import type { Pause } from '../../../contract/device.ts';
import {
  FIRST_STATE,
  idleWait,
  type SenderEvent,
  transition,
  waitAfter,
} from '../../delivery/outbox/circuit.ts';
import { ApiError, type ErrorClass } from '../../foundations/api/error-class.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import type { OutboxEvent } from '../../journal/facts/transitions.ts';
import type { ExportLead } from '../formats/export-lead.ts';
import { isContact } from '../formats/one-row-per-person.ts';
import {
  type Adapter,
  type Answered,
  type Found,
  isErrorAnswer,
  mayHaveArrived,
  type Outgoing,
  type Sought,
  type Values,
} from './adapter.ts';
import type { Owners } from './owners.ts';
import { contentOf, deliveryId, isLastWritten, planOf, seenOf } from './plan.ts';
import type { DestinationRow, DestinationStore, Position, PushRow, RecordRow } from './store.ts';

export type PusherPorts = {
  readonly store: DestinationStore;
  /** The destination with its current settings. Null if staff removed it. */
  readonly destination: () => DestinationRow | null;
  readonly adapter: Adapter;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /**
   * Leads that changed after the position `after`. `held`: leads whose next change is held back, because it may still
   * be undone, and `heldMs` for how long, or null. `merged`: leads that were permanently merged into another lead.
   * `last`: the position up to which changes were examined.
   */
  readonly changed: (after: Position) => {
    readonly leads: readonly string[];
    readonly held: readonly string[];
    readonly merged: readonly { readonly from: string; readonly into: string }[];
    readonly last: Position;
    readonly heldMs: number | null;
  };
  /** A lead of the destination's partner, or null. */
  readonly lead: (id: string) => ExportLead | null;
  readonly valuesOf: (lead: ExportLead, destination: DestinationRow) => Values;
  readonly isChosen: (lead: ExportLead, destination: DestinationRow) => boolean;
  /** Whether it is within the destination's sending hours. */
  readonly isTime: (destination: DestinationRow) => boolean;
  readonly externalId: (lead: string) => string;
};

export type Pusher = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly wake: () => void;
  /** As `wake`, and also ends the wait after a failure, because the cause of the failure is gone. */
  readonly retry: () => void;
  readonly pause: () => Pause | null;
  readonly placeOf: (lead: ExportLead) => Place;
  /** Whether a change of this lead makes it due. */
  readonly isNew: (lead: string) => boolean;
  /** The plan of a send, with the record at the destination. @throws ApiError */
  readonly look: (leads: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Looked>>;
};

/**
 * Where the current values of a lead are. `there`: sent, so sending them again changes nothing. `underWay`: due, or
 * in a write whose outcome is not known yet. `here`: in no write.
 */
export type Place = 'there' | 'underWay' | 'here';

/**
 * A lead, its values and its record at the destination. `fault`: why it cannot be sent. `unknownOwner`: an owner's
 * address that no user of the CRM has.
 */
export type Looked = {
  readonly lead: ExportLead | null;
  readonly record: RecordRow;
  readonly values: Values;
  readonly unknownOwner: string | null;
  readonly found: Found | null;
  readonly fault: PushReason | null;
};

/** Batches per round. Between rounds, changes become due, erasures are requested, and what was sent is read back. */
const MOST_BATCHES = 10;
/** Number of leads that are read without a pause. */
const AT_A_TIME = 10;
/** Shortest time between two rounds, because every change of a screen wakes the pusher. */
const LEAST_BETWEEN_MS = 200;
/**
 * Maximum attempts of a write that is refused as a duplicate. The lookup before the next attempt finds the other
 * record.
 */
const DUPLICATE_ATTEMPTS = 3;

/** The pusher of one destination. */
export function createPusher(ports: PusherPorts): Pusher {
  const { store, adapter, owners, clock, random, log } = ports;
  const waker = createWakeableSleep(clock);
  const backoff = createWakeableSleep(clock);
  let state = FIRST_STATE;
  /** When sent rows are looked up next, by the monotonic clock. A wake does not trigger an early lookup. */
  let nextLook = 0;
  const apply = (event: SenderEvent) => {
    const next = transition(state, event);
    state = next.state;
    return next;
  };

  /** The pause that was logged last. */
  let logged: Pause | null = null;
  /** Logs the start and the end of an outage once. Call it between rounds, because a pause can change within one. */
  const logPause = (destination: string): void => {
    const { pause } = state;
    if (pause === logged) return;
    logged = pause;
    if (pause === null) log.info('a destination accepts leads again', { destination });
    else
      log.warn('a destination accepts no leads', { destination, pause, waiting: store.waiting(destination) });
  };

  const freshRecord = (lead: string): RecordRow => ({
    lead,
    externalId: ports.externalId(lead),
    remoteId: null,
    madeHere: false,
    wasThere: false,
    wrote: {},
    conflicts: [],
    decided: {},
    delivery: '',
  });

  /** The start of the delivery ids of a record. After an erasure a new series begins. */
  const seriesOf = ({ id, hubId }: DestinationRow, externalId: string): string => {
    const erasure = store.lastErasure(id, externalId);
    // Laptops that share a destination of the hub use the same id for the same delivery.
    return erasure === null ? (hubId ?? id) : erasureSeries(id, erasure);
  };

  const look = async (
    destination: DestinationRow,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Looked>> => {
    const texts: Omit<Looked, 'found' | 'unknownOwner'>[] = [];
    for (const id of ids) {
      if (texts.length % AT_A_TIME === AT_A_TIME - 1) await new Promise(setImmediate);
      const lead = ports.lead(id);
      const kept = store.record(destination.id, id) ?? freshRecord(id);
      // Before the first write, the external id is computed again from the lead, which may have got its visitor in
      // the meantime.
      const isWrittenTo = kept.remoteId !== null || Object.keys(kept.wrote).length > 0;
      const record = isWrittenTo ? kept : { ...kept, externalId: ports.externalId(id) };
      const values = lead === null ? {} : ports.valuesOf(lead, destination);
      texts.push({ lead, record, values, fault: faultOf(lead) });
    }
    await owners.learn(
      texts.map(({ values }) => values),
      signal,
    );
    const known = texts.map((one) => {
      const { values, unknown } = owners.resolve(one.values);
      return { ...one, values, unknownOwner: unknown };
    });
    const sought = known.map(
      ({ lead, record }): Sought => ({
        externalId: record.externalId,
        remoteId: record.remoteId,
        email: lead?.email ?? null,
      }),
    );
    const properties = [...new Set(known.flatMap(({ values }) => Object.keys(values)))];
    const found = await adapter.look?.(sought, properties, signal);
    return new Map(
      known.map((one, at) => {
        const there = found?.[at] ?? null;
        return [
          one.record.lead,
          { ...one, found: there, fault: one.fault ?? faultThere(destination, one.record, there) },
        ];
      }),
    );
  };

  const faultThere = (
    destination: DestinationRow,
    record: RecordRow,
    found: Found | null,
  ): PushReason | null => {
    if (adapter.look === undefined) return null;
    if (found === null) return record.wasThere ? 'deletedThere' : null;
    const owner = store.ofRemote(destination.id, found.remoteId);
    return owner !== null && owner.lead !== record.lead ? 'shared' : null;
  };

  /** Makes changed leads due. Returns how long the next change is held back, in milliseconds, or null. */
  const enrol = async (destination: DestinationRow): Promise<number | null> => {
    for (;;) {
      const start = ports.destination();
      if (start === null) return null;
      const { leads, merged, last, heldMs } = ports.changed(start.read);
      for (const { from, into } of merged) store.merge(destination.id, from, into);
      for (const [at, id] of leads.entries()) {
        if (at % AT_A_TIME === AT_A_TIME - 1) await new Promise(setImmediate);
        if (isNew(start, id)) store.enrol(destination.id, id, ports.externalId(id), clock.now());
      }
      // If staff changed the rule in the meantime, these leads are examined again under the new one.
      const now = ports.destination();
      if (
        now === null ||
        JSON.stringify([now.read, now.settings]) !== JSON.stringify([start.read, start.settings])
      )
        continue;
      if (last.seq === start.read.seq && last.number === start.read.number) return heldMs;
      store.read(destination.id, last);
    }
  };

  const isNew = (destination: DestinationRow, id: string): boolean => {
    const lead = ports.lead(id);
    if (store.record(destination.id, id) === null) return lead !== null && ports.isChosen(lead, destination);
    return lead === null || lead.takenBack || placeOf(destination, lead) === 'here';
  };

  const placeOf = (destination: DestinationRow, lead: ExportLead): Place => {
    const record = store.record(destination.id, lead.id);
    const state = store.latest(destination.id, lead.id)?.state ?? 'parked';
    if (record === null || state === 'parked') return 'here';
    // A due lead is read again before it is sent.
    if (state === 'due') return 'underWay';
    const { values } = owners.resolve(ports.valuesOf(lead, destination));
    const isSame =
      record.delivery === ''
        ? // A record of an earlier version has no delivery id.
          Object.entries(values).every(([name, value]) => isLastWritten(record, name, value))
        : deliveryId(record.delivery, contentOf(record.externalId, values)) === record.delivery;
    if (!isSame) return 'here';
    return state === 'sent' || state === 'confirmed' ? 'there' : 'underWay';
  };

  /** Looks up writes that were sent or may have arrived. Returns how many records contain them. */
  const readBack = async (
    destination: DestinationRow,
    rows: readonly PushRow[],
    signal: AbortSignal,
  ): Promise<number> => {
    if (rows.length === 0 || adapter.look === undefined) return 0;
    const looked = await look(
      destination,
      rows.map(({ lead }) => lead),
      signal,
    );
    apply({ kind: 'read' });
    let seen = 0;
    store.looked(
      rows.map(({ seq }) => seq),
      clock.now(),
    );
    for (const { seq, lead, sending } of rows) {
      const one = looked.get(lead);
      if (one?.found == null) continue;
      const wrote = seenOf(one.record, sending, one.found, one.values);
      if (wrote === null || !store.move('seen', seq, clock.now())) continue;
      seen += 1;
      const isLatest = store.latest(destination.id, lead)?.seq === seq;
      const { remoteId } = one.found;
      store.saveRecord(destination.id, {
        // Staff may have decided about a conflict during the lookup.
        ...(store.record(destination.id, lead) ?? one.record),
        remoteId,
        wasThere: true,
        wrote: isLatest ? wrote : one.record.wrote,
      });
    }
    return seen;
  };

  const settleUncertain = async (destination: DestinationRow, signal: AbortSignal): Promise<void> => {
    const rows = store.inState(destination.id, 'uncertain', adapter.batch);
    await readBack(destination, rows, signal);
    // The external id and the delivery id make a second write harmless.
    for (const { seq } of rows) store.move('notFound', seq, clock.now());
  };

  /** Plans, sends and settles one batch. `again`: some records must wait. `left`: rows were due, so more may follow. */
  const sendDue = async (
    destination: DestinationRow,
    signal: AbortSignal,
  ): Promise<{ readonly sent: number; readonly again: boolean; readonly left: boolean }> => {
    const limit = Math.min(adapter.batch, state.batchLimit);
    const rows = onePerLead(store.due(destination.id, limit));
    if (rows.length === 0) return { sent: 0, again: false, left: false };
    const looked = await look(
      destination,
      rows.map(({ lead }) => lead),
      signal,
    );
    if (adapter.look !== undefined) apply({ kind: 'read' });
    const batch: { readonly row: PushRow; readonly looked: Looked; readonly outgoing: Outgoing }[] = [];
    for (const row of rows) {
      const one = looked.get(row.lead);
      if (one === undefined) continue;
      // An earlier lead of this batch may have just taken the record.
      const fault = one.fault ?? faultThere(destination, one.record, one.found);
      if (fault !== null) {
        store.move('unfit', row.seq, clock.now(), { reason: fault });
        continue;
      }
      // Staff may have decided about a conflict during the lookup.
      const { decided } = store.record(destination.id, row.lead) ?? one.record;
      const { writes, sending, conflicts, wrote } = planOf(
        { wrote: one.record.wrote, decided },
        one.found,
        one.values,
        owners.property,
      );
      const { externalId } = one.record;
      const remoteId = one.found?.remoteId ?? (adapter.look === undefined ? externalId : null);
      const delivery = deliveryId(
        one.record.delivery || seriesOf(destination, externalId),
        contentOf(externalId, one.values),
      );
      const record = {
        ...one.record,
        remoteId,
        wasThere: one.record.wasThere || one.found !== null,
        madeHere: one.record.madeHere || one.found === null,
        conflicts,
        decided,
        wrote,
        delivery,
      };
      // The lead may have been erased during the lookup.
      if (!store.dispatch(destination.id, record, row.seq, sending, clock.now())) continue;
      if (one.found !== null && Object.keys(writes).length === 0) {
        store.move('accepted', row.seq, clock.now());
        store.move('seen', row.seq, clock.now());
        continue;
      }
      const all = adapter.look === undefined ? one.values : writes;
      batch.push({
        row,
        looked: one,
        outgoing: {
          externalId,
          remoteId: one.found?.remoteId ?? null,
          claims: one.found?.externalId === null,
          values: all,
          delivery,
        },
      });
    }
    if (batch.length === 0) return { sent: 0, again: false, left: true };
    const seqs = batch.map(({ row }) => row.seq);
    let answers: readonly Answered[];
    try {
      answers = await adapter.send(
        batch.map(({ outgoing }) => outgoing),
        signal,
      );
    } catch (error) {
      const event = eventOf(error);
      const reason = isErrorAnswer(error) ? 'answered' : 'failed';
      for (const seq of seqs) store.move(event, seq, clock.now(), { reason });
      if (error instanceof ApiError && error.errorClass.kind === 'reject') {
        const { park } = apply({ kind: 'refused', seqs, status: error.errorClass.status });
        if (park !== null) store.move('unfit', park, clock.now(), { reason: 'other', why: error.message });
        return { sent: 0, again: true, left: true };
      }
      throw error;
    }
    apply({
      kind: 'answered',
      isFull: false,
      taken: seqs.filter((_, at) => answers[at]?.kind === 'accepted'),
    });
    let again = false;
    batch.forEach(({ row, looked: one }, at) => {
      again = settle(destination, row, one, answers[at] ?? { kind: 'again' }) || again;
    });
    const refused = answers.filter(({ kind }) => kind === 'refused').length;
    if (refused > 0) log.warn('a destination refused leads', { destination: destination.id, refused });
    return { sent: batch.length, again, left: true };
  };

  /** Applies the answer for one record. Returns whether it must wait. */
  const settle = (destination: DestinationRow, row: PushRow, one: Looked, answer: Answered): boolean => {
    const now = clock.now();
    if (answer.kind === 'accepted') {
      const record = store.record(destination.id, row.lead);
      if (record !== null && answer.remoteId !== null) {
        store.saveRecord(destination.id, { ...record, remoteId: answer.remoteId });
      }
      store.move('accepted', row.seq, now);
      return false;
    }
    const isEarlyDuplicate =
      answer.kind === 'refused' &&
      answer.cause === 'duplicate' &&
      one.found === null &&
      row.attempts + 1 < DUPLICATE_ATTEMPTS;
    if (answer.kind === 'unknown') {
      store.move('unanswered', row.seq, now, { reason: answer.isAnswered ? 'answered' : 'failed' });
      return true;
    }
    if (answer.kind === 'again' || isEarlyDuplicate) {
      store.move('failed', row.seq, now, { reason: 'again' });
      return true;
    }
    // A webhook cannot be read and may hold an earlier version of this lead, so an erasure is still requested from
    // it.
    if (one.found === null && adapter.look !== undefined) {
      const record = store.record(destination.id, row.lead);
      if (record !== null) store.saveRecord(destination.id, { ...record, madeHere: false });
    }
    store.move('refused', row.seq, now, { reason: answer.cause, why: answer.why });
    return false;
  };

  /** Requests due erasures, and looks up their effect. */
  const erase = async (destination: DestinationRow, signal: AbortSignal): Promise<void> => {
    for (const { id, externalId, remoteId, state: erasure } of store.erasures(destination.id)) {
      const sought = { externalId, remoteId, email: null };
      const [found = null] = (await adapter.look?.([sought], [], signal)) ?? [];
      if (adapter.look !== undefined && found === null) {
        // A record may appear late if it was created but the answer was lost, so one more lookup follows.
        if (erasure === 'asked' || remoteId !== null) store.setErasure(id, 'gone');
        else store.setErasure(id, 'asked');
        continue;
      }
      if (erasure === 'due' || found !== null) {
        const delivery = deliveryId(erasureSeries(destination.id, id), ['lead.erased', externalId]);
        try {
          await adapter.erase({ ...sought, remoteId: found?.remoteId ?? remoteId, delivery }, signal);
          store.setErasure(id, 'asked');
        } catch (error) {
          // A refused erasure stays due for the next round, and leads do not wait for it.
          if (!(error instanceof ApiError) || error.errorClass.kind !== 'reject') throw error;
        }
      }
    }
  };

  const round = async (destination: DestinationRow, signal: AbortSignal): Promise<number> => {
    // Before the first request, so that changes become due during an outage, too.
    const heldMs = await enrol(destination);
    await erase(destination, signal);
    await settleUncertain(destination, signal);
    let again = false;
    let batches = 0;
    while (batches < MOST_BATCHES && !again && !signal.aborted) {
      // Settings can change during a batch.
      const now = ports.destination();
      if (now === null || !ports.isTime(now)) break;
      const result = await sendDue(now, signal);
      if (!result.left) break;
      again = result.again;
      batches += 1;
    }
    const isLookTime = adapter.look !== undefined && clock.monotonic() >= nextLook;
    const rows = isLookTime ? store.inState(destination.id, 'sent', adapter.batch) : [];
    const confirmed = await readBack(destination, rows, signal);
    if (rows.length > 0) {
      apply({ kind: 'looked', confirmed });
      nextLook =
        clock.monotonic() + (confirmed === rows.length ? 0 : idleWait(state, true, random.fraction()));
    }
    if (again)
      return waitAfter(
        { ...state, failures: Math.max(1, state.failures) },
        { kind: 'defect' },
        random.fraction(),
      );
    if (batches === MOST_BATCHES) return 0;
    if (store.due(destination.id, 1).length === 0) apply({ kind: 'idle' });
    const waits = adapter.look !== undefined && store.inState(destination.id, 'sent', 1).length > 0;
    const wait = waits
      ? Math.max(0, nextLook - clock.monotonic())
      : idleWait(state, false, random.fraction());
    return Math.min(wait, heldMs ?? wait);
  };

  return {
    run: async (signal) => {
      const start = ports.destination();
      if (start !== null) store.recover(start.id, clock.now());
      while (!signal.aborted) {
        const destination = ports.destination();
        if (destination === null) return;
        let wait: number;
        let mayWake = true;
        try {
          wait = await round(destination, signal);
        } catch (error) {
          if (signal.aborted) return;
          const event: Extract<SenderEvent, { kind: 'failed' | 'defect' }> =
            error instanceof ApiError ? { kind: 'failed', errorClass: standing(error) } : { kind: 'defect' };
          if (event.kind === 'defect') {
            const kind = error instanceof Error ? error.name : 'unknown';
            log.error('unexpected fault at a destination', { destination: destination.id, kind });
          }
          apply(event);
          wait = waitAfter(state, event, random.fraction());
          mayWake = false;
          store.recover(destination.id, clock.now());
        }
        logPause(destination.id);
        await clock.sleep(LEAST_BETWEEN_MS, signal);
        await (mayWake ? waker : backoff).sleep(wait, signal);
      }
    },
    wake: waker.wake,
    retry: () => {
      backoff.wake();
      waker.wake();
    },
    pause: () => state.pause,
    placeOf: (lead) => {
      const destination = ports.destination();
      return destination === null ? 'here' : placeOf(destination, lead);
    },
    isNew: (lead) => {
      const destination = ports.destination();
      return destination !== null && isNew(destination, lead);
    },
    look: async (leads, signal) => {
      const destination = ports.destination();
      return destination === null ? new Map() : await look(destination, leads, signal);
    },
  };
}

/** The start of the delivery ids of an erasure and of all deliveries after it. */
function erasureSeries(destination: string, erasure: number): string {
  return `${destination}.${erasure}`;
}

/** Why a lead cannot be sent, or null. */
function faultOf(lead: ExportLead | null): PushReason | null {
  if (lead === null || lead.takenBack) return 'takenBack';
  return isContact(lead) ? null : 'nobody';
}

/** A lookup that is refused is not the fault of a single lead, so all of them wait. */
function standing({ errorClass }: ApiError): Exclude<ErrorClass, { kind: 'reject' }> {
  return errorClass.kind === 'reject' ? { kind: 'retry', reached: 'no' } : errorClass;
}

/** The effect of a failed request on its items. */
function eventOf(error: unknown): OutboxEvent {
  if (!(error instanceof ApiError)) return 'unanswered';
  const { errorClass } = error;
  if (errorClass.kind === 'busy') return 'postponed';
  return mayHaveArrived(errorClass) ? 'unanswered' : 'failed';
}

/**
 * Keeps the first row of each lead. A write sends the current values of the lead, so one row contains all its
 * changes.
 */
function onePerLead(rows: readonly PushRow[]): readonly PushRow[] {
  const seen = new Set<string>();
  return rows.filter(({ lead }) => !seen.has(lead) && seen.add(lead) !== undefined);
}
