/**
 * Taps of an earlier run that ended before any page could show them. This run shows them, and they can be undone
 * (docs/laws.md#law-13).
 *
 * Invariants:
 * - Oldest first, and none older than the limit of waiting outcomes.
 * - Undone taps and taps of partners other than the device's current one are left out.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Clock } from '../../foundations/ports.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';
import type { BadgeReference, Fact, FactOf } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { CapturedEvent, TapPlan, Visits } from '../visit/visits.ts';

type Tap = FactOf<'tap' | 'checkin'>;

/**
 * Outcomes of earlier runs after the fact `shown`, if their visitors may still be present. Opens their sessions
 * again.
 */
export function unshownOutcomes(
  journal: Journal,
  mirror: Pick<Mirror, 'ownerOf'>,
  clock: Pick<Clock, 'now'>,
  visits: Pick<Visits, 'begin'>,
  partner: string | null,
  shown: number,
): readonly TapEvent[] {
  const now = clock.now();
  const facts = journal
    .since(now - TAP_SESSION_MS)
    .filter(({ seq, boot, at }) => seq > shown && boot !== journal.boot && at <= now);
  return facts
    .filter(isTap)
    .filter((tap) => tap.partner === null || partner === null || tap.partner === partner)
    .filter(({ seq }) => !journal.leads.isUndone(seq))
    .flatMap((tap) => outcomeOf(journal, mirror, visits, tap, facts) ?? []);
}

function isTap(fact: Fact): fact is Tap {
  return fact.kind === 'tap' || fact.kind === 'checkin';
}

/** Null if its payload was erased in the meantime. */
function outcomeOf(
  journal: Journal,
  mirror: Pick<Mirror, 'ownerOf'>,
  visits: Pick<Visits, 'begin'>,
  tap: Tap,
  facts: readonly Fact[],
): TapEvent | null {
  const { payload, at } = tap;
  if (payload === null) return null;
  if ('clash' in payload) return { kind: 'refused', at, reason: 'clash' };
  if ('fields' in payload && payload.fields !== undefined)
    return { kind: 'notAdmitted', at, reason: payload.fields.turnedAway };
  const lead = journal.leads.ofFact(tap.seq);
  if (lead === null) return null;
  const { badge, otherCodes, visitor: known } = payload;
  const who: BadgeReference = {
    badge,
    ...(otherCodes === undefined ? {} : { otherCodes }),
    ...(known === undefined ? {} : { visitor: known }),
  };
  const owner = mirror.ownerOf([badge, ...(otherCodes ?? [])]);
  const visitor = owner.kind === 'visitor' ? owner.visitor : null;
  const taken = takenWith(tap, facts);
  const plan = planOf(tap, taken);
  return eventOf(visits.begin({ tap, lead, who, visitor, plan, collected: new Map(taken) }));
}

/** Contents collected at the same time as a tap, with their facts. */
function takenWith(tap: Tap, facts: readonly Fact[]): readonly (readonly [string, string])[] {
  const next = facts.find(({ seq }) => seq === tap.seq + 1);
  if (next?.kind !== 'collect' || next.payload === null || next.payload.badge !== tap.payload?.badge)
    return [];
  return [[next.payload.content, next.id]];
}

function planOf(tap: Tap, taken: readonly (readonly [string, string])[]): TapPlan {
  // The counts already include the visitor.
  if (tap.kind === 'checkin') return { kind: 'again', since: tap.at };
  return { kind: 'plain', collects: taken[0]?.[0] ?? null };
}

/** A visitor who is inside was admitted when the tap happened. */
function eventOf(event: CapturedEvent): TapEvent {
  const { checkin } = event;
  return checkin === null ? event : { ...event, checkin: { ...checkin, result: 'welcome' } };
}
