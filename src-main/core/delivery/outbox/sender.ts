/**
 * Delivers every fact to the platform: the loop of the outbox.
 *
 *     round:  (circuit open) ► request the event, and whether this is a hub
 *             uncertain ► read back ► confirmed, or due again
 *             due       ► dispatcher ► sent | parked | due | uncertain; a backlog is read back meanwhile
 *             sent      ► read back (or query by id) ► confirmed
 *
 * Invariants:
 * - docs/laws.md#law-2: nothing is dropped.
 * - docs/laws.md#law-3: an uncertain item is read back before it is sent again, with the same id and the same bytes.
 * - docs/laws.md#law-6: `circuit.ts` decides what pauses the queue and what parks an item.
 * - The state between two steps is one value, and only `apply` replaces it.
 */
import type { Pause } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import type { Connection } from '../../foundations/api/connection.ts';
import { readExpo } from '../../foundations/api/endpoints.ts';
import { ApiError, type ErrorClass } from '../../foundations/api/error-class.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import { DELIVERY_EVERY_MS } from '../../foundations/time/times.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { BatchPorts, FactOwner } from './batch.ts';
import {
  asksFirst,
  FIRST_STATE,
  idleWait,
  looksBetween,
  type SenderEvent,
  type SenderState,
  type Transition,
  transition,
  waitAfter,
} from './circuit.ts';
import { createConfirmer, type ReadBackBeside } from './confirmer.ts';
import { type DeliveryStore, storeOfJournal } from './delivery-store.ts';
import { createDispatcher, type Dispatched } from './dispatcher.ts';
import type { Hub } from './hub.ts';
import { isSecondRefusal } from './refusals.ts';

export type DeliveryPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly connection: Connection;
  /** While this is null nothing is sent, because facts without a touchpoint would have no partner. */
  readonly owner: () => FactOwner | null;
  /** The hub between the device and the platform, if there is one. Absent if there is none. */
  readonly hub?: Hub;
  readonly onChange: () => void;
};

/** `heldFrom`: the first fact that may still be corrected and is not sent yet. Absent if nothing is held. */
export type SenderPorts = Omit<DeliveryPorts, 'store'> & BatchPorts;

export type Sender = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Call it when something is due. */
  readonly wake: () => void;
  /** Why nothing is sent at present, or null. */
  readonly pause: () => Pause | null;
};

/** Time until the next round. A new tap shortens it only after a success. */
type Wait = { readonly ms: number; readonly mayWake: boolean };
const AT_ONCE: Wait = { ms: 0, mayWake: true };

/** The sender of one journal. */
export function createSender(ports: SenderPorts): Sender {
  return createDelivery({ ...ports, store: storeOfJournal(ports) });
}

/** The sender of any store of facts. */
export function createDelivery(ports: DeliveryPorts): Sender {
  const { store, clock, random, log, connection } = ports;
  const waker = createWakeableSleep(clock);
  let state = FIRST_STATE;

  const apply = async (event: SenderEvent): Promise<Transition> => {
    const before = state.pause;
    const next = transition(state, event);
    state = next.state;
    tellPause(log, before, state.pause);
    if (event.kind === 'read' || event.kind === 'answered') connection.succeeded();
    if (next.release.length > 0) await releaseParked(ports, next.release);
    return next;
  };

  const round = createRound({ ...ports, apply, state: () => state });

  const afterFailure = async (error: unknown): Promise<Wait> => {
    const event: Extract<SenderEvent, { kind: 'failed' | 'defect' }> =
      error instanceof ApiError
        ? { kind: 'failed', errorClass: standing(error.errorClass) }
        : { kind: 'defect' };
    if (event.kind === 'failed') connection.failed(error);
    else log.error('unexpected fault in the delivery', { error: whyOf(error) });
    await apply(event);
    // A new tap does not shorten a back-off, so that forty taps offline do not cause forty connection attempts.
    return { ms: waitAfter(state, event, random.fraction()), mayWake: false };
  };

  return {
    run: async (signal) => {
      const recovered = await store.recover(clock.now());
      if (recovered > 0) log.info('interactions in flight at the last end are read back', { recovered });
      while (!signal.aborted) {
        let wait: Wait;
        try {
          wait = await round(signal);
        } catch (error) {
          if (signal.aborted) return;
          wait = await afterFailure(error);
          ports.onChange();
        }
        if (wait.ms > 0) await (wait.mayWake ? waker : clock).sleep(wait.ms, signal);
      }
    },
    wake: waker.wake,
    pause: () => state.pause,
  };
}

type RoundPorts = DeliveryPorts & {
  readonly apply: (event: SenderEvent) => Promise<Transition>;
  readonly state: () => SenderState;
};

/** One round of the loop. Returns the time until the next round. @throws ApiError */
function createRound(ports: RoundPorts): (signal: AbortSignal) => Promise<Wait> {
  const { client, expoId, store, clock, random, apply, state } = ports;
  const confirmer = createConfirmer(ports);
  const dispatcher = createDispatcher({
    ...ports,
    next: () => ({ limit: state().batchLimit, skip: state().skip }),
    onAnswered: (taken, isFull) => {
      beside?.noteSent(taken.length);
      return apply({ kind: 'answered', taken, isFull });
    },
    continues: () => !looksBetween(state()),
  });

  let beside: ReadBackBeside | null = null;
  let isTimeAsked = false;

  const askForEvent = async (signal: AbortSignal): Promise<void> => {
    isTimeAsked = true;
    await readExpo(client, expoId, signal);
    await ports.hub?.ask(signal);
    await apply({ kind: 'read' });
  };

  const confirmSent = async (signal: AbortSignal): Promise<number | null> => {
    const confirmed = await confirmer.confirmSent(signal);
    if (confirmed !== null) {
      await apply({ kind: 'read' });
      await apply({ kind: 'looked', confirmed });
      if (confirmed > 0) ports.onChange();
    }
    return confirmed;
  };

  const sendDue = async (owner: FactOwner, signal: AbortSignal): Promise<Dispatched> => {
    const failed = new AbortController();
    beside = confirmer.besideSending(AbortSignal.any([signal, failed.signal]));
    try {
      const dispatched = await dispatcher.sendDue(owner, signal);
      await beside.ended();
      return dispatched;
    } catch (error) {
      failed.abort();
      await beside.ended();
      throw signal.aborted ? error : await moreExactly(client, expoId, error, signal);
    }
  };

  return async (signal) => {
    const owner = ports.owner();
    if (owner === null) return { ms: DELIVERY_EVERY_MS, mayWake: true };
    if (state().interrupted) {
      // After an unexpected error, the open requests are neither settled nor released.
      await store.recover(clock.now());
      await apply({ kind: 'recovered' });
    }
    // The offset is unknown after the device's clock was set. Any answer measures it, so that the next facts get the
    // right time.
    const isTimeKnown = client.clockOffset() !== null;
    if (isTimeKnown) isTimeAsked = false;
    const lacksTime = !isTimeKnown && !isTimeAsked;
    const isWithWork =
      (lacksTime || !state().greeted) &&
      (await store.items('uncertain', 1)).length + (await store.items('due', 1)).length > 0;
    if ((lacksTime && isWithWork) || asksFirst(state(), isWithWork)) await askForEvent(signal);
    if (await confirmer.resolveUncertain(signal)) {
      await apply({ kind: 'read' });
      ports.onChange();
      return AT_ONCE;
    }
    if (looksBetween(state())) await confirmSent(signal);
    const dispatched = await sendDue(owner, signal);
    if (dispatched.kind === 'refused') return afterRefusal(ports, dispatched, () => askForEvent(signal));
    if (dispatched.items > 0) return AT_ONCE;
    await apply({ kind: 'idle' });
    const confirmed = await confirmSent(signal);
    if (confirmed !== null && confirmed > 0) return AT_ONCE;
    return { ms: idleWait(state(), confirmed !== null, random.fraction()), mayWake: true };
  };
}

/** Handles the permanent refusal of a batch or of one item. @throws ApiError when the event cannot be read either */
async function afterRefusal(
  { store, clock, random, log, onChange, apply, state }: RoundPorts,
  { seqs, rejection, words }: Extract<Dispatched, { kind: 'refused' }>,
  askForEvent: () => Promise<void>,
): Promise<Wait> {
  const { status, reason } = rejection;
  await store.requeue(seqs, words, false, clock.now());
  if (seqs.length === 1 && isSecondRefusal(state().refusals, seqs[0] ?? 0, status)) await askForEvent();
  const event = { kind: 'refused', seqs, status } as const;
  const { park } = await apply(event);
  if (park !== null) {
    await store.park([park], reason, clock.now());
    log.warn('the platform refused an interaction twice; it is parked', { status });
  }
  onChange();
  return { ms: waitAfter(state(), event, random.fraction()), mayWake: false };
}

/** Items that were parked while everything was refused become due again, with the same id. */
async function releaseParked(
  { store, clock, log, onChange }: DeliveryPorts,
  seqs: readonly number[],
): Promise<void> {
  const items = seqs.map((seq) => ({ seq, wire: null }));
  const released = await store.requeueParked(items, clock.now());
  if (released === 0) return;
  log.info('interactions were parked while others were refused in the same way; they are due again', {
    released,
  });
  onChange();
}

function tellPause(log: Log, before: Pause | null, now: Pause | null): void {
  if (before === now) return;
  if (now === null) log.info('delivery resumed', { after: before });
  else if (now === 'offline') log.info('delivery waits for the network', {});
  else log.warn('delivery is paused', { why: now });
}

/**
 * A permanently refused read is not the fault of a single item: the server is not a platform, or has another event.
 */
function standing(errorClass: ErrorClass): Exclude<ErrorClass, { kind: 'reject' }> {
  return errorClass.kind === 'reject' ? { kind: 'stop', pause: 'notAPlatform' } : errorClass;
}

/**
 * A failed write does not show its cause. Whether the event can be read distinguishes a missing right from a wrong
 * address.
 */
async function moreExactly(
  client: ApiClient,
  expoId: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.errorClass.kind !== 'stop') return error;
  const { pause, reached } = error.errorClass;
  if (pause !== 'forbidden' && reached === undefined) return error;
  try {
    await readExpo(client, expoId, signal);
    return pause === 'forbidden'
      ? new ApiError({ kind: 'stop', pause: 'noWritePermission' }, error.message)
      : error;
  } catch (second) {
    if (!(second instanceof ApiError)) return second;
    const errorClass = standing(second.errorClass);
    const isRefused = errorClass.kind === 'stop' && errorClass.pause === 'forbidden';
    if (pause === 'forbidden') {
      return isRefused ? new ApiError({ kind: 'stop', pause: 'addressNotAllowed' }, error.message) : error;
    }
    return new ApiError(errorClass, error.message);
  }
}
