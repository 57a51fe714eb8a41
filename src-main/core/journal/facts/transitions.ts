/**
 * The states of a fact on its way to the platform, and the only table of the events that change them.
 *
 *     due ──► in flight ──► sent ──► confirmed
 *      ▲         │  │ └──────────────► parked (refused permanently; kept, shown, exportable)
 *      │         ▼  │
 *      └──── uncertain ◄── a restart after a crash, a timeout, a reset
 *
 *     confirmed ──► sent   after a full comparison of the mirror: it is looked up again
 *     parked ──► due       when staff retry it, or when its refusal proved nothing
 *     sent ──► due         when the hub that accepted it no longer holds it
 *
 * Invariants:
 * - An event changes a fact only in a state that its row lists. In any other state it changes nothing, so a late or
 *   repeated event does no harm.
 * - Every store builds its statements from this table: the device's outbox (`outbox-changes.ts`, `erasure.ts`) and
 *   the hub's store (`src-hub/outbox/hub-store.ts`). `src-platform/hub` imports nothing from here and repeats two
 *   rows: `erased` in `forget.ts`, which the test of this table covers, and `retried` in `accept.ts`.
 * - No event deletes a fact (docs/laws.md#law-2).
 */

/** The six states a fact can be in. */
export const OUTBOX_STATES = ['due', 'in_flight', 'uncertain', 'sent', 'confirmed', 'parked'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** What one event does. */
export type Transition = {
  readonly from: readonly OutboxState[];
  readonly to: OutboxState;
  /** `set`: the event supplies the reason. */
  readonly reason: 'set' | 'clear' | 'keep';
  readonly attempts: 'keep' | 'increment' | 'decrement' | 'reset';
  /**
   * A requirement for the fact. `content`: it has its payload. `erased`: its payload was erased. `text`: it has the
   * text that was sent, which the lookup needs.
   */
  readonly needs: 'nothing' | 'content' | 'erased' | 'text';
  /** After this event the fact may be at the platform or at a hub. */
  readonly mayHaveArrived: boolean;
};

const row = (
  from: readonly OutboxState[],
  to: OutboxState,
  {
    reason = 'keep',
    attempts = 'keep',
    needs = 'nothing',
    mayHaveArrived = false,
  }: Partial<Omit<Transition, 'from' | 'to'>> = {},
): Transition => ({ from, to, reason, attempts, needs, mayHaveArrived });

/** Every event, in the order in which they can happen to a fact. */
export const TRANSITIONS = {
  /** It is part of a batch that is sent now. */
  dispatched: row(['due'], 'in_flight', { attempts: 'increment' }),
  /** The attempt failed, and nothing reached the platform. */
  failed: row(['in_flight'], 'due', { reason: 'set' }),
  /** As `failed`, but it does not count as an attempt (docs/laws.md#law-5). */
  postponed: row(['in_flight'], 'due', { reason: 'set', attempts: 'decrement' }),
  /** No answer arrived. The fact may have arrived. */
  unanswered: row(['in_flight'], 'uncertain', { reason: 'set', mayHaveArrived: true }),
  /** The process ended while it was in flight. */
  interrupted: row(['in_flight'], 'uncertain', { reason: 'set', mayHaveArrived: true }),
  /** A lookup did not find it. */
  notFound: row(['uncertain'], 'due'),
  /** The answer accepted it. */
  accepted: row(['in_flight', 'uncertain'], 'sent', { reason: 'clear', mayHaveArrived: true }),
  /** The answer refused it permanently. */
  refused: row(['in_flight', 'uncertain'], 'parked', { reason: 'set' }),
  /** It cannot be sent. */
  unfit: row(['due', 'uncertain'], 'parked', { reason: 'set' }),
  /** Staff retry it, or its refusal proved nothing. */
  retried: row(['parked'], 'due', { reason: 'clear', attempts: 'reset', needs: 'content' }),
  /** The platform shows it. */
  seen: row(['sent', 'uncertain'], 'confirmed', { reason: 'clear' }),
  /** The mirror was compared completely. The fact is looked up again. */
  compared: row(['confirmed'], 'sent', { reason: 'set', needs: 'text' }),
  /** The platform went back to an older state. Every fact is looked up again. */
  rolledBack: row(['confirmed', 'sent'], 'sent', { reason: 'set', needs: 'text' }),
  /** The person's data was erased before it was delivered. */
  erased: row(['due', 'in_flight', 'uncertain'], 'parked', { reason: 'set' }),
  /** The hub holds it, or has delivered it. Only a device gets this event and the three below. */
  movedAtHub: row(['sent'], 'sent'),
  /** The platform refused it at the hub. */
  refusedAtHub: row(['sent'], 'parked', { reason: 'set' }),
  /** The hub no longer holds it. */
  lostAtHub: row(['sent'], 'due', { reason: 'set', needs: 'content' }),
  /** The hub no longer holds it, and its content is erased here. */
  lostErased: row(['sent'], 'parked', { reason: 'set', needs: 'erased' }),
} as const satisfies Readonly<Record<string, Transition>>;

export type OutboxEvent = keyof typeof TRANSITIONS;
