/**
 * Estimates the offset between the platform's clock and ours from the `Date` headers of its answers. Pure.
 *
 * Invariants:
 * - Only samples that agree with the majority count, so one wrong header changes nothing.
 * - The sample with the shortest round trip wins, because its maximum error is half the round trip.
 * - Samples from before a step of our wall clock are discarded, because they measured another clock.
 */

/** One answer: its header, and the times of its request and its arrival by both clocks, in milliseconds. */
export type DateSample = {
  /** `Date.parse` of the header (whole seconds, truncated). */
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Monotonic time of `receivedAt`, and the duration of the exchange by that clock. */
  readonly mono: number;
  readonly monoTrip: number;
};

/** Platform time minus ours. */
export type ClockOffset = {
  readonly offsetMs: number;
  /** Time since the chosen sample. */
  readonly ageMs: number;
  /** Our clock is far off, or the platform's headers contradict each other. Times are unreliable. */
  readonly suspicious: boolean;
};

const KEPT = 20;
/**
 * Two samples agree if their offsets differ by at most this plus the round trip. The header has whole seconds, so two
 * correct samples may differ by a second.
 */
const AGREES_MS = 2_000;
/** A step of the wall clock against the monotonic one. */
const STEP_MS = 2_000;
/** Above this, a person notices the wrong time of a lead. */
const FAR_MS = 60_000;

/** The latest samples including this one. Earlier ones are discarded when our wall clock has stepped since. */
export function withSample(samples: readonly DateSample[], sample: DateSample): readonly DateSample[] {
  const base = sample.receivedAt - sample.mono;
  // Our clock was set during the request, so the sample measures no offset.
  const wasSet = Math.abs(sample.receivedAt - sample.sentAt - sample.monoTrip) > STEP_MS;
  const valid = samples.filter((kept) => Math.abs(kept.receivedAt - kept.mono - base) <= STEP_MS);
  return (wasSet ? valid : [...valid, sample]).slice(-KEPT);
}

/** The offset from `samples`; null without any. `now` and `mono` are our two clocks now. */
export function offsetFrom(samples: readonly DateSample[], now: number, mono: number): ClockOffset | null {
  const [first, ...rest] = samples.filter(
    (sample) => Math.abs(sample.receivedAt - sample.mono - (now - mono)) <= STEP_MS,
  );
  if (first === undefined) return null;
  const usable = [first, ...rest];
  const sorted = usable.map(offsetOf).sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // If the samples split into two equal groups, our own clock decides which group is used.
  const middle = Math.abs(low) < Math.abs(high) ? low : high;
  const agreeing = usable.filter(
    (sample) => Math.abs(offsetOf(sample) - middle) <= AGREES_MS + roundTrip(sample),
  );
  const best = agreeing.reduce(
    (low, sample) => (roundTrip(sample) < roundTrip(low) ? sample : low),
    agreeing[0] ?? first,
  );
  const offsetMs = Math.round(offsetOf(best));
  return {
    offsetMs,
    ageMs: Math.max(0, mono - best.mono),
    suspicious: Math.abs(offsetMs) > FAR_MS || agreeing.length * 4 < usable.length * 3,
  };
}

function roundTrip(sample: DateSample): number {
  return Math.max(0, sample.receivedAt - sample.sentAt);
}

// The header is truncated to whole seconds. Half a second is the middle of the range.
function offsetOf(sample: DateSample): number {
  return sample.date + 500 - (sample.sentAt + sample.receivedAt) / 2;
}
