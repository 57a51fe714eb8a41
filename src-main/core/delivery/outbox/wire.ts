/**
 * A fact in the format of the write extension (docs/interface/undocumented.md#writing-interactions). Pure.
 *
 * Invariants:
 * - Absent fields stay absent (an absent field never erases on the platform).
 * - The fact keeps its recorded time. Only the wire text is corrected.
 * - Only this module writes the wire format of an item.
 */
import { CANNOT_BE_READ } from '../../journal/facts/dead-letters.ts';
import type { AnyPayload, Fact } from '../../journal/facts/fact.ts';
import type { OutboxItem } from '../../journal/facts/outbox.ts';

/** Maximum items per request. */
export const BATCH_LIMIT = 100;

/**
 * Above this difference the recorded time is sent beside the corrected one. Source:
 * docs/interface/undocumented.md#writing-interactions.
 */
const TOLD_APART_MS = 2_000;

/** The device's wall and monotonic clock now, in the run `boot`, and the platform's offset (null if not measured). */
export type MeasuredClock = {
  readonly boot: string;
  readonly now: number;
  readonly mono: number;
  readonly offsetMs: number | null;
};

/**
 * The JSON text of one item. `fallback` applies if the fact was made before the device had its assignment. A fact
 * whose known touchpoint has no partner (a door of the organiser) gets no partner. The code of a badge that names two
 * people is sent with a prefix, so that it belongs to no badge (docs/decisions/clashing-badge.md). `measured`
 * corrects the time of a fact that this run made before it knew the platform's clock.
 */
export function wireOfFact(
  fact: Fact,
  fallback: { readonly touchpoint: string | null; readonly partner: string | null },
  measured: MeasuredClock | null,
): string {
  const payload: AnyPayload = fact.payload ?? {};
  const { touchpoint, partner } = fact.touchpoint === null && fact.partner === null ? fallback : fact;
  const at = platformTime(fact, measured);
  const isFar = Math.abs(at - fact.at) > TOLD_APART_MS;
  return JSON.stringify({
    id: fact.id,
    kind: fact.kind,
    at: new Date(at).toISOString(),
    seq: fact.seq,
    touchpointID: touchpoint ?? undefined,
    partnerID: partner ?? undefined,
    badge: payload.clash === true ? `clash ${payload.badge}` : payload.badge,
    visitorID: payload.visitor,
    contentID: payload.content,
    activityID: payload.activity,
    source: fact.source ?? undefined,
    staff: fact.staff ?? undefined,
    fields: isFar ? { ...payload.fields, deviceAt: new Date(fact.at).toISOString() } : payload.fields,
    undoes: payload.undoes,
  });
}

/**
 * Time of a fact by the platform's clock. It uses the recorded offset. Without one it uses the current offset and the
 * monotonic clock, if the fact is of this run. Otherwise it is the recorded time.
 */
function platformTime(fact: Fact, measured: MeasuredClock | null): number {
  if (fact.clockOffset !== null) return fact.at + fact.clockOffset;
  if (measured === null || measured.offsetMs === null || measured.boot !== fact.boot) return fact.at;
  return Math.round(measured.now + measured.offsetMs - (measured.mono - fact.mono));
}

/** The wire text of an item, or the reason why it has none. */
export type Prepared =
  | ({ readonly kind: 'outgoing'; readonly wire: string } & Pick<OutboxItem, 'seq' | 'id' | 'wasOut'>)
  | { readonly kind: 'unfit'; readonly seq: number; readonly reason: string };

/** The text of an item: the frozen text if it is valid, otherwise a new text from the fact if the fact is valid. */
export function prepare(
  item: Pick<OutboxItem, 'seq' | 'id' | 'wire' | 'wireIsSound' | 'wasOut'>,
  soundFact: () => Fact | null,
  owner: Parameters<typeof wireOfFact>[1],
  measured: MeasuredClock,
): Prepared {
  const { seq, id, wire, wasOut } = item;
  if (wire !== null && item.wireIsSound) return { kind: 'outgoing', seq, id, wire, wasOut };
  const fact = soundFact();
  return fact === null
    ? { kind: 'unfit', seq, reason: CANNOT_BE_READ }
    : { kind: 'outgoing', seq, id, wire: wireOfFact(fact, owner, measured), wasOut };
}
