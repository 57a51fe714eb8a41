/**
 * Whether the sender may send, and its next step: its complete state, and the one transition function. Pure.
 *
 *     closed ──failure──► open ──after the backoff──► half-open: the event is requested ──answer──► closed
 *        ▲                 ▲                              │
 *        │                 └────────────failure───────────┤
 *        └── an answer that names our items ◄── batch ◄───┘  if only writes are refused (`WRITE_PAUSES`)
 *
 * Invariants:
 * - A 429 answer is traffic and does not open the circuit (docs/laws.md#law-5).
 * - A read proves that the platform can be reached. Only an answer that names our items proves that it accepts them;
 *   until such an answer, failures count as consecutive and waits keep growing.
 * - A refused request parks an item only if `refusals.ts` decides so (docs/laws.md#law-6).
 */
import type { Pause } from '../../../contract/device.ts';
import type { ErrorClass } from '../../foundations/api/error-class.ts';
import { backoffMs } from '../../foundations/time/backoff.ts';
import { DELIVERY_EVERY_MS, LOOK_AFTER_MS, LOOK_LATER, RETRY } from '../../foundations/time/times.ts';
import { NO_REFUSALS, type Refusals, refusedAlone, refusedTogether, somethingTaken } from './refusals.ts';
import { BATCH_LIMIT } from './wire.ts';

/** State of the sender between two steps. */
export type SenderState = {
  /** Why nothing is sent, or null. While there is a reason, the event is requested before anything is sent. */
  readonly pause: Pause | null;
  /** Failures since an answer last named items, or since nothing was left to send. */
  readonly failures: number;
  /** Consecutive 429 answers. */
  readonly busy: number;
  /** Whether a read succeeded in this run. Its answer also gives the platform's clock. */
  readonly greeted: boolean;
  /** Maximum items of the next batch. */
  readonly batchLimit: number;
  /** How many of the oldest items are skipped. While the platform refuses everything, each attempt sends another item. */
  readonly skip: number;
  readonly refusals: Refusals;
  /** Small sends since the last read-back. */
  readonly sendsSinceLook: number;
  /** Consecutive read-backs that confirmed nothing. */
  readonly vainLooks: number;
  /** Whether an unexpected error may have left items in flight. */
  readonly interrupted: boolean;
};

export const FIRST_STATE: SenderState = {
  pause: null,
  failures: 0,
  busy: 0,
  greeted: false,
  batchLimit: BATCH_LIMIT,
  skip: 0,
  refusals: NO_REFUSALS,
  sendsSinceLook: 0,
  vainLooks: 0,
  interrupted: false,
};

export type SenderEvent =
  /** A read of the event or of the actions succeeded. */
  | { readonly kind: 'read' }
  /** An answer named the items of a batch. The platform keeps those in `taken`. */
  | { readonly kind: 'answered'; readonly taken: readonly number[]; readonly isFull: boolean }
  /** A request with these `seqs` was refused permanently. */
  | { readonly kind: 'refused'; readonly seqs: readonly number[]; readonly status: number }
  /** Number of sent items that a read-back confirmed. */
  | { readonly kind: 'looked'; readonly confirmed: number }
  /** Nothing is left to send. */
  | { readonly kind: 'idle' }
  /** A request failed in any other way. */
  | { readonly kind: 'failed'; readonly errorClass: Exclude<ErrorClass, { kind: 'reject' }> }
  /** An unexpected error of our own code. */
  | { readonly kind: 'defect' }
  /** Items that an error left in flight are settled. */
  | { readonly kind: 'recovered' };

/** The state after an event, and what happens to parked items: `park` this one, `release` those. */
export type Transition = {
  readonly state: SenderState;
  readonly park: number | null;
  readonly release: readonly number[];
};

/** Pauses that only a successful write ends, not a read. */
const WRITE_PAUSES: ReadonlySet<Pause | null> = new Set(['noWritePermission', 'takesNoScans', 'refusesAll']);

/** After this many small sends in a row there is a read-back. */
const SENDS_PER_LOOK = 10;

/** The state after an event. */
export function transition(state: SenderState, event: SenderEvent): Transition {
  switch (event.kind) {
    case 'answered': {
      const { refusals, release } = somethingTaken(state.refusals, event.taken);
      const closed = { pause: null, failures: 0, busy: 0, skip: 0, batchLimit: BATCH_LIMIT, vainLooks: 0 };
      const sendsSinceLook = state.sendsSinceLook + (event.isFull ? 0 : 1);
      return { state: { ...state, ...closed, sendsSinceLook, refusals }, park: null, release };
    }
    case 'refused':
      return afterRefusal(state, event.seqs, event.status);
    default:
      return { state: afterOther(state, event), park: null, release: [] };
  }
}

function afterRefusal(state: SenderState, seqs: readonly number[], status: number): Transition {
  const [seq, ...others] = seqs;
  const stay = { park: null, release: [] };
  if (seq === undefined) return { state, ...stay };
  const heard = { ...state, busy: 0 };
  if (others.length > 0) {
    const batchLimit = Math.ceil(seqs.length / 2);
    return { state: { ...heard, batchLimit, refusals: refusedTogether(state.refusals, seqs) }, ...stay };
  }
  const { refusals, ruling } = refusedAlone(state.refusals, seq, status, state.pause === 'refusesAll');
  switch (ruling) {
    case 'askAgain':
      return { state: { ...heard, refusals }, ...stay };
    case 'park':
      return { state: { ...heard, refusals, batchLimit: BATCH_LIMIT }, park: seq, release: [] };
    case 'everythingIsRefused': {
      const open = { pause: 'refusesAll', failures: state.failures + 1, batchLimit: 1 } as const;
      const skip = state.skip + 1;
      return { state: { ...heard, ...open, skip, refusals }, park: null, release: [...refusals.unproven] };
    }
  }
}

function afterOther(
  state: SenderState,
  event: Exclude<SenderEvent, { kind: 'answered' | 'refused' }>,
): SenderState {
  switch (event.kind) {
    case 'read': {
      const pause = WRITE_PAUSES.has(state.pause) ? state.pause : null;
      return { ...state, pause, busy: 0, greeted: true };
    }
    case 'looked':
      return { ...state, sendsSinceLook: 0, vainLooks: event.confirmed > 0 ? 0 : state.vainLooks + 1 };
    case 'idle':
      return { ...state, pause: null, failures: 0, skip: 0, sendsSinceLook: 0 };
    case 'recovered':
      return { ...state, interrupted: false };
    case 'defect':
      return { ...state, failures: state.failures + 1, interrupted: true };
    case 'failed':
      return afterFailure(state, event.errorClass);
  }
}

function afterFailure(
  state: SenderState,
  errorClass: Extract<SenderEvent, { kind: 'failed' }>['errorClass'],
): SenderState {
  if (errorClass.kind === 'busy') return { ...state, busy: state.busy + 1 };
  const pause = errorClass.kind === 'stop' ? errorClass.pause : 'offline';
  // Two refusals with another fault between them are not treated as the same refusal.
  return { ...state, pause, failures: state.failures + 1, refusals: { ...state.refusals, suspect: null } };
}

/**
 * Whether the event is requested before anything is sent: the circuit is open, or no read has succeeded in this run and
 * there is something to send.
 */
export function asksFirst({ pause, greeted }: SenderState, hasWork: boolean): boolean {
  return pause !== null || (!greeted && hasWork);
}

/** Whether a read-back is due although more items are due: a trickle of taps must not delay it. */
export function looksBetween({ sendsSinceLook }: SenderState): boolean {
  return sendsSinceLook >= SENDS_PER_LOOK;
}

/** Milliseconds until the next attempt after a failure or a refusal that led to `state`. `fraction` in [0, 1). */
export function waitAfter(
  state: SenderState,
  event: Extract<SenderEvent, { kind: 'failed' | 'defect' | 'refused' }>,
  fraction: number,
): number {
  if (event.kind === 'failed' && event.errorClass.kind === 'busy') {
    return (event.errorClass.retryAfterMs ?? 0) + backoffMs(RETRY, state.busy, fraction);
  }
  if (event.kind !== 'refused' || state.pause === 'refusesAll') {
    return backoffMs(RETRY, state.failures, fraction);
  }
  return state.refusals.suspect === null ? 0 : backoffMs(RETRY, 1, fraction);
}

/** Milliseconds until the next round when nothing is due. `waits`: whether sent items wait for their confirmation. */
export function idleWait({ vainLooks }: SenderState, waits: boolean, fraction: number): number {
  return waits ? LOOK_AFTER_MS + backoffMs(LOOK_LATER, vainLooks, fraction) : DELIVERY_EVERY_MS;
}
