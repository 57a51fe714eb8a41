/**
 * A lead as it is handed over: everything a receiver can take, read from facts and snapshot, with nothing left to look up.
 *
 * Invariants: a field that nobody said is null or an empty list, never a guess; texts are as they were said, each
 * profile makes of them what its receiver takes; times in epoch milliseconds.
 */
import type { LeadValues, PersonField } from '../../../contract/lead-fields.ts';
import type { LeadDelivery } from '../../../contract/leads.ts';

/** What a consent may allow; null: it was not said what for, so it allows nothing here. */
export type ConsentChannel = 'email' | 'phone' | 'post';

/** One thing the visitor was asked to agree to, with the answer, the notice it was given under and when. */
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

export type ExportAnswer = {
  readonly id: string;
  /** The question in words. */
  readonly question: string;
  readonly answer: string;
};

export type ExportContent = { readonly id: string; readonly name: string; readonly link: string | null };

/** A visit: one tap that was not taken back. */
export type ExportVisit = { readonly at: number; readonly touchpoint: string | null };

/** How a person can be reached and is called. */
export type ExportContact = Readonly<Record<PersonField, string | null>> & {
  /** The whole name, in the order of its language. */
  readonly name: string | null;
  readonly mobile: string | null;
  readonly street: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
  /** BCP 47 tag. */
  readonly language: string | null;
};

/** Fields and contact of a lead with what the device learnt of it; labels in words. */
export type ExportLead = ExportContact & {
  readonly [Field in keyof LeadValues]: Readonly<LeadValues[Field]>;
} & {
  readonly id: string;
  readonly visitor: string | null;
  readonly hot: boolean;
  /** Why it is hot, in words; null when it is not. */
  readonly hotWhy: string | null;
  readonly answers: readonly ExportAnswer[];
  readonly contents: readonly ExportContent[];
  /** Oldest first. */
  readonly visits: readonly ExportVisit[];
  /** The latest of each purpose. */
  readonly consents: readonly ExportConsent[];
  readonly staff: readonly string[];
  readonly badges: readonly string[];
  /** No visitor is known for its badge. */
  readonly unknown: boolean;
  /** The visitor took every tap back. */
  readonly takenBack: boolean;
  readonly delivery: LeadDelivery;
};

/** The yes to being reached in this way, or null. A missing answer is no yes, and neither is a later no. */
export function consentTo(lead: ExportLead, channel: ConsentChannel): ExportConsent | null {
  const said = lead.consents.filter((consent) => consent.channel === channel);
  if (said.some((consent) => !consent.agreed)) return null;
  return said.find((consent) => consent.agreed) ?? null;
}

/** When the lead was here last, or null. */
export function lastVisit(lead: ExportLead): number | null {
  return lead.visits.at(-1)?.at ?? null;
}

/** An e-mail address in the one spelling that two rows of one person share; null when there is none. */
export function emailKey(email: string | null): string | null {
  const key = (email ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/iu, '')
    .toLowerCase();
  return key.includes('@') ? key : null;
}
