/**
 * A lead for export: everything that a receiver can hold, resolved from facts and snapshot.
 *
 * Invariants:
 * - A missing field is null or an empty list, never a guess.
 * - Texts are unchanged. Each profile converts them for its receiver.
 * - Times are Unix milliseconds.
 */
import type { LeadValues, PersonField } from '../../../contract/lead-fields.ts';
import type { LeadDelivery } from '../../../contract/leads.ts';

/** The channel that a consent permits. Null if no channel was stated, so it permits none here. */
export type ConsentChannel = 'email' | 'phone' | 'post';

/** One consent that the visitor was asked for, with the answer, its notice and its time. */
export type ExportConsent = {
  readonly purpose: string;
  readonly text: string;
  readonly agreed: boolean;
  readonly channel: ConsentChannel | null;
  /** Version and language of the notice. */
  readonly notice: string;
  readonly language: string;
  readonly at: number;
};

type ExportAnswer = {
  readonly id: string;
  /** The question as text. */
  readonly question: string;
  readonly answer: string;
};

type ExportContent = { readonly id: string; readonly name: string; readonly link: string | null };

/** A photo or voice note: its name beside the sheet, and the file on this device with its hash. */
export type ExportFile = { readonly name: string; readonly file: string; readonly sha256: string };

/** A visit: one tap that was not undone. */
type ExportVisit = { readonly at: number; readonly touchpoint: string | null };

/** Contact details and names of a person. */
export type ExportContact = Readonly<Record<PersonField, string | null>> & {
  /** The full name, in the order of its language. */
  readonly name: string | null;
  readonly mobile: string | null;
  readonly street: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
  /** BCP 47 tag. */
  readonly language: string | null;
};

/** Fields and contact of a lead, and what the device recorded. Labels are names. */
export type ExportLead = ExportContact & {
  readonly [Field in keyof LeadValues]: Readonly<LeadValues[Field]>;
} & {
  readonly id: string;
  readonly visitor: string | null;
  readonly hot: boolean;
  /** Why it is hot, as text. Null when it is not. */
  readonly hotWhy: string | null;
  readonly answers: readonly ExportAnswer[];
  readonly contents: readonly ExportContent[];
  /** Photos and voice notes. */
  readonly files: readonly ExportFile[];
  /** Oldest first. */
  readonly visits: readonly ExportVisit[];
  /** The latest of each purpose. */
  readonly consents: readonly ExportConsent[];
  readonly staff: readonly string[];
  readonly badges: readonly string[];
  /** The visitor of its badge is unknown. */
  readonly unknown: boolean;
  /** The visitor undid every tap. */
  readonly takenBack: boolean;
  readonly delivery: LeadDelivery;
};

/** The consent to this channel, or null. A missing answer is not a consent, and a later refusal cancels a consent. */
export function consentTo(lead: ExportLead, channel: ConsentChannel): ExportConsent | null {
  const said = lead.consents.filter((consent) => consent.channel === channel);
  if (said.some((consent) => !consent.agreed)) return null;
  return said.find((consent) => consent.agreed) ?? null;
}

/** Time of the last visit, or null. */
export function lastVisit(lead: ExportLead): number | null {
  return lead.visits.at(-1)?.at ?? null;
}

/** The normalised e-mail address by which rows of one person match. Null when there is none. */
export function emailKey(email: string | null): string | null {
  const key = (email ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/iu, '')
    .toLowerCase();
  return key.includes('@') ? key : null;
}
