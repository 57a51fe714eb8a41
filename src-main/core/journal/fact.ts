/**
 * A fact: one thing that happened at the stand, chained to the one before it. Pure.
 *
 * Invariants: facts are never updated; personal data lives in the payload only, so that erasure can remove the
 * payload and leave `payloadSha256` and `hash`, and the chain still verifies.
 */
import { createHash } from 'node:crypto';
import type { TapSource } from '../../contract/tap.ts';

/** Kinds of facts; the same words go over the wire (api-silences, "Writing a scan"). */
export const FACT_KINDS = ['tap', 'collect', 'checkin', 'consent', 'undo', 'qualify', 'note'] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** What a fact says; only what applies to its kind is there. */
export type FactPayload = {
  /** Code of the badge as it was read. */
  readonly badge?: string;
  /** Further codes the same badge carried (e.g. its NDEF id). */
  readonly otherCodes?: readonly string[];
  /** Visitor the mirror knew at that moment. */
  readonly visitor?: string;
  /** The badge named two living visitors, so nobody was told as captured. */
  readonly clash?: true;
  readonly content?: string;
  readonly activity?: string;
  /** Only the fields that changed; of a tap, why its visitor was turned away at a door (`turnedAway`). */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Id of the fact that is taken back. */
  readonly undoes?: string;
};

/** Where and when a fact happened; free of personal data. */
export type FactEnvelope = {
  /** UUIDv7 made when it happened. */
  readonly id: string;
  readonly kind: FactKind;
  /** Wall time, epoch milliseconds, as the clock stood; never corrected afterwards. */
  readonly at: number;
  /** Monotonic milliseconds within `boot`. */
  readonly mono: number;
  /** Id of the run of the app. */
  readonly boot: string;
  /** Platform time minus our time in milliseconds as last measured; null when never. */
  readonly clockOffset: number | null;
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly reader: string | null;
  readonly source: TapSource | null;
  readonly staff: string | null;
};

/** A fact as it stands in the journal. `payload` is null after erasure. */
export type Fact = FactEnvelope & {
  readonly seq: number;
  readonly payload: FactPayload | null;
  readonly payloadSha256: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** Predecessor of the first fact. */
export const CHAIN_START = '0'.repeat(64);

/** Lower-case hex SHA-256 of a text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Hash of a fact over its predecessor's hash, its envelope and its payload's hash. */
export function factHash(
  previousHash: string,
  seq: number,
  envelope: FactEnvelope,
  payloadSha256: string,
): string {
  return sha256(
    JSON.stringify([
      previousHash,
      seq,
      envelope.id,
      envelope.kind,
      envelope.at,
      envelope.mono,
      envelope.boot,
      envelope.clockOffset,
      envelope.touchpoint,
      envelope.partner,
      envelope.reader,
      envelope.source,
      envelope.staff,
      payloadSha256,
    ]),
  );
}

/** Whether a fact is as it was recorded: payload text and envelope fit their hashes. An erased payload is sound. */
export function isSound(fact: Omit<Fact, 'payload'>, payloadText: string | null): boolean {
  return (
    (payloadText === null || sha256(payloadText) === fact.payloadSha256) &&
    fact.hash === factHash(fact.previousHash, fact.seq, fact, fact.payloadSha256)
  );
}
