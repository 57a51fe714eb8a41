/**
 * A fact: one thing that happened at the stand, linked by hash to the fact before it. Pure.
 *
 * Invariants:
 * - Facts are never updated.
 * - Only the payload holds personal data. Erasure removes the payload and keeps `payloadSha256` and `hash`, so the
 *   chain still verifies.
 */
import { hash } from 'node:crypto';
import type { ATTACHMENT_KINDS, FACT_KINDS } from '../../../contract/fact-kinds.ts';
import type { FactValues, PersonField } from '../../../contract/lead-fields.ts';
import type { NotAdmittedReason, TapSource } from '../../../contract/tap.ts';

export type FactKind = (typeof FACT_KINDS)[number];

/** Whom a fact concerns, as read from the badge. */
export type BadgeReference = {
  /** Code of the badge as it was read. */
  readonly badge: string;
  /** Further codes the same badge carried (e.g. its NDEF id). */
  readonly otherCodes?: readonly string[];
  /** Visitor that the mirror returned at that moment. */
  readonly visitor?: string;
};

/** The badge reference of a tap, with a note of what could not be read. */
export type TapReference = BadgeReference & {
  /** The NDEF message was not read, or not in time. If it contains an id, that id is missing from this fact. */
  readonly lostNdef?: 'timeout' | 'failed';
};

/** The latest consent: the version and language of the notice, and the given consents. */
export type Consent = {
  readonly notice: string;
  readonly language: string;
  readonly agreed: Readonly<Record<string, boolean>>;
};

/** Answers by question id. */
export type Answers = Readonly<Record<string, unknown>>;

/**
 * A photo or a voice note. The file with this name is in `attachments/` of the device that recorded it.
 */
export type Attachment = {
  readonly kind: (typeof ATTACHMENT_KINDS)[number];
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Length of a voice note in milliseconds. */
  readonly ms?: number;
  /** The visitor speaks, and agreed before the recording. Absent for the voice of the team. */
  readonly agreed?: true;
};

/** Payload by fact kind. Only fields that apply are present: an absent field changes nothing. */
export type FactPayloads = {
  readonly tap: TapReference & {
    /** The badge matches two existing visitors, so no name was shown. */
    readonly clash?: true;
    /** Why the visitor was not admitted to a check-in. Such a tap is not counted for any lead. */
    readonly fields?: { readonly turnedAway: NotAdmittedReason };
  };
  readonly collect: BadgeReference & {
    readonly content: string;
    /** Id of the tap whose page shows it (docs/interface/undocumented.md#several-contents-behind-one-code). */
    readonly fields?: { readonly bag: string };
  };
  readonly checkin: TapReference & {
    /** Absent for a check-in at a location without an activity. */
    readonly activity?: string;
  };
  readonly consent: BadgeReference & { readonly fields: { readonly consent: Consent } };
  /** Only the fields that changed. */
  readonly qualify: BadgeReference & {
    readonly fields: FactValues & {
      /** Every answer of the lead so far, because the platform replaces all of them at once. */
      readonly answers?: Answers;
      /** All questions that the visitor skipped so far. They are not asked again. */
      readonly skipped?: readonly string[];
      readonly language?: string;
    };
  };
  readonly note: BadgeReference & {
    readonly fields: { readonly notes?: string | null; readonly attachment?: Attachment };
  };
  /** Only the corrected fields. Null restores the platform's value. */
  readonly correct: BadgeReference & {
    readonly fields: Readonly<Partial<Record<PersonField, string | null>>>;
  };
  /** Assigns a badge and its lead to `visitor`, or to the person of the lead `into`. */
  readonly attach: BadgeReference & { readonly lead: string; readonly into?: string };
  readonly undo: Partial<BadgeReference> & {
    /** Id of the fact that is undone. */
    readonly undoes: string;
  };
};

/** Payload of a fact of any kind. */
type FactPayload = FactPayloads[FactKind];

type NameIn<Payload> = Payload extends unknown ? keyof Payload : never;
type ValueIn<Payload, Name> = Payload extends unknown
  ? Name extends keyof Payload
    ? Payload[Name]
    : never
  : never;

/** A payload of any kind, with the fields of all kinds, for code that reads across kinds. */
export type AnyPayload = {
  readonly [Name in NameIn<FactPayload>]?: Exclude<ValueIn<FactPayload, Name>, undefined>;
};

/** Kind and matching payload of a fact. */
export type FactContent = {
  readonly [Kind in FactKind]: { readonly kind: Kind; readonly payload: FactPayloads[Kind] };
}[FactKind];

/** Where and when a fact happened. Contains no personal data. */
export type FactEnvelope = {
  /** UUIDv7 made when it happened. */
  readonly id: string;
  readonly kind: FactKind;
  /** Wall time in Unix milliseconds, as the clock showed it. Never corrected afterwards. */
  readonly at: number;
  /** Monotonic milliseconds within `boot`. */
  readonly mono: number;
  /** Id of the run of the app. */
  readonly boot: string;
  /** Platform time minus local time in milliseconds, as last measured. Null before the first measurement. */
  readonly clockOffset: number | null;
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly reader: string | null;
  readonly source: TapSource | null;
  readonly staff: string | null;
};

/** The position of a fact in the chain. */
type FactLink = {
  readonly seq: number;
  readonly payloadSha256: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** A fact of these kinds as the journal holds it. `payload` is null after erasure. */
export type FactOf<Kind extends FactKind> = Kind extends FactKind
  ? FactEnvelope & FactLink & { readonly kind: Kind; readonly payload: FactPayloads[Kind] | null }
  : never;

/** A fact as the journal holds it. */
export type Fact = FactOf<FactKind>;

/** The predecessor hash of the first fact. */
export const CHAIN_START = '0'.repeat(64);

/** Lower-case hex SHA-256 of a UTF-8 text. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Hash of a fact: over the hash of its predecessor, its envelope, and the hash of its payload. */
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

/** Whether the payload text and the envelope match their hashes. An erased payload counts as sound. */
export function isSound(fact: Omit<Fact, 'payload'>, payloadText: string | null): boolean {
  return (
    (payloadText === null || sha256(payloadText) === fact.payloadSha256) &&
    fact.hash === factHash(fact.previousHash, fact.seq, fact, fact.payloadSha256)
  );
}
