/**
 * A fact: one thing that happened at the stand, chained to the one before it. Pure.
 *
 * Invariants: facts are never updated; personal data lives in the payload only, so that erasure can remove the
 * payload and leave `payloadSha256` and `hash`, and the chain still verifies.
 */
import { hash } from 'node:crypto';
import type { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import type { FactValues, PersonField } from '../../../contract/lead-fields.ts';
import type { NotAdmittedReason, TapSource } from '../../../contract/tap.ts';

export type FactKind = (typeof FACT_KINDS)[number];

/** Whose fact it is, as the badge said. */
export type BadgeReference = {
  /** Code of the badge as it was read. */
  readonly badge: string;
  /** Further codes the same badge carried (e.g. its NDEF id). */
  readonly otherCodes?: readonly string[];
  /** Visitor the mirror knew at that moment. */
  readonly visitor?: string;
};

/** The same of the tap itself: with what was lost of the badge. */
export type TapReference = BadgeReference & {
  /** Its NDEF message was not read in time, or not at all; an id in it is not among the codes. */
  readonly lostNdef?: 'timeout' | 'failed';
};

/** The latest consent: to which version of the notice, in which language, and what was agreed to. */
export type Consent = {
  readonly notice: string;
  readonly language: string;
  readonly agreed: Readonly<Record<string, boolean>>;
};

/** Answers by the id of their question. */
export type Answers = Readonly<Record<string, unknown>>;

/** What a fact says, by its kind. Only what applies is there: an absent field says nothing and wipes nothing. */
export type FactPayloads = {
  readonly tap: TapReference & {
    /** The badge named two living visitors, so nobody was told as captured. */
    readonly clash?: true;
    /** Why its visitor was not admitted to a check-in; then it counts for no lead. */
    readonly fields?: { readonly turnedAway: NotAdmittedReason };
  };
  readonly collect: BadgeReference & { readonly content: string };
  readonly checkin: TapReference & {
    /** Absent where one checks in to a mere location. */
    readonly activity?: string;
  };
  readonly consent: BadgeReference & { readonly fields: { readonly consent: Consent } };
  /** Only the fields that changed. */
  readonly qualify: BadgeReference & {
    readonly fields: FactValues & {
      /** Every answer of the lead so far, since the platform replaces them as a whole. */
      readonly answers?: Answers;
      /** Questions the visitor would rather not answer, all of them so far; they are not asked again. */
      readonly skipped?: readonly string[];
      readonly language?: string;
    };
  };
  readonly note: BadgeReference & { readonly fields: { readonly notes: string | null } };
  /** Only the fields that are corrected; null goes back to what the platform has. */
  readonly correct: BadgeReference & {
    readonly fields: Readonly<Partial<Record<PersonField, string | null>>>;
  };
  /** A badge, and the lead it led to, belong to `visitor`, or to the person of the lead `into`. */
  readonly attach: BadgeReference & { readonly lead: string; readonly into?: string };
  readonly undo: Partial<BadgeReference> & {
    /** Id of the fact that is taken back. */
    readonly undoes: string;
  };
};

/** What a fact of any kind says. */
export type FactPayload = FactPayloads[FactKind];

type NameIn<Payload> = Payload extends unknown ? keyof Payload : never;
type ValueIn<Payload, Name> = Payload extends unknown
  ? Name extends keyof Payload
    ? Payload[Name]
    : never
  : never;

/** Any payload, with the fields of all kinds: for what reads across kinds. */
export type AnyPayload = {
  readonly [Name in NameIn<FactPayload>]?: Exclude<ValueIn<FactPayload, Name>, undefined>;
};

/** Kind and payload of a fact, one with the other. */
export type FactContent = {
  readonly [Kind in FactKind]: { readonly kind: Kind; readonly payload: FactPayloads[Kind] };
}[FactKind];

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

/** Where a fact stands in the chain. */
type FactLink = {
  readonly seq: number;
  readonly payloadSha256: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** A fact of these kinds as it stands in the journal. `payload` is null after erasure. */
export type FactOf<Kind extends FactKind> = Kind extends FactKind
  ? FactEnvelope & FactLink & { readonly kind: Kind; readonly payload: FactPayloads[Kind] | null }
  : never;

/** A fact as it stands in the journal. */
export type Fact = FactOf<FactKind>;

/** Predecessor of the first fact. */
export const CHAIN_START = '0'.repeat(64);

/** Lower-case hex SHA-256 of a text in UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
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
