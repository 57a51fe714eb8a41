/**
 * Contacts for HubSpot's import.
 *
 * Invariants (HubSpot knowledge base, "Set up your import file"):
 * - HubSpot matches existing contacts by Email.
 * - A phone number is in E.164 if its country is certain. Any other number stays as it was typed.
 * - A day is YYYY-MM-DD.
 * - A legal basis is exported only for a consent that a fact records.
 * - No column for properties that only HubSpot sets: the original source, and "Unsubscribed from all email", which
 *   HubSpot takes from an import of opt-outs alone (knowledge.hubspot.com/marketing-email/import-an-opt-out-list).
 * - No text is longer than 65,536 characters (knowledge.hubspot.com/contacts/property-field-types-in-hubspot,
 *   read on 2026-11-24).
 */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { type CrmColumn, type CrmSetting, crmCsv, descriptionOf, namesOf, noticeOf } from './crm-csv.ts';
import { consentTo, lastVisit } from './export-lead.ts';
import type { ExportPieces, ExportSetting, LeadSource } from './profile.ts';
import type { WallClock } from './wall-clock.ts';

/** Maximum number of characters in a text property. */
const MOST = 65_536;

/** A value of the property `hs_legal_basis`. */
const FREELY_GIVEN = 'Freely given consent from contact';

/** The CSV of the import. */
export function hubspot(leads: LeadSource, setting: ExportSetting): ExportPieces {
  return crmCsv(leads, hubspotColumns(setting));
}

/** The columns of the import and of HubSpot's API. Their properties are those of a contact. */
export function hubspotColumns(setting: CrmSetting): readonly CrmColumn[] {
  const source = [setting.event, setting.stand].filter((part) => part !== '').join(', ');
  return [
    {
      title: 'Email',
      property: 'email',
      kind: 'address',
      most: 254,
      value: ({ email }) => email?.trim() ?? null,
    },
    { title: 'First Name', property: 'firstname', most: MOST, value: (lead) => namesOf(lead).first },
    { title: 'Last Name', property: 'lastname', most: MOST, value: (lead) => namesOf(lead).last },
    { title: 'Company Name', property: 'company', most: MOST, value: ({ company }) => company },
    { title: 'Job Title', property: 'jobtitle', most: MOST, value: ({ jobTitle }) => jobTitle },
    {
      title: 'Phone Number',
      property: 'phone',
      kind: 'exact',
      most: MOST,
      value: ({ phone, country }) => e164(phone, country),
    },
    {
      title: 'Mobile Phone Number',
      property: 'mobilephone',
      kind: 'exact',
      most: MOST,
      value: ({ mobile, country }) => e164(mobile, country),
    },
    { title: 'Street Address', property: 'address', most: MOST, value: ({ street }) => street },
    { title: 'City', property: 'city', most: MOST, value: ({ city }) => city },
    {
      title: 'Postal Code',
      property: 'zip',
      kind: 'exact',
      most: MOST,
      value: ({ postalCode }) => postalCode,
    },
    { title: 'Country/Region', property: 'country', most: MOST, value: ({ country }) => country },
    { title: 'Preferred language', property: null, most: MOST, value: ({ language }) => language },
    { title: 'Lead Source', property: null, most: MOST, value: () => source },
    {
      title: 'Last Visit',
      property: null,
      most: MOST,
      value: (lead) => dayOf(lastVisit(lead), setting.clock),
    },
    {
      title: 'Rating',
      property: null,
      most: MOST,
      value: ({ rating }) => (rating === null ? null : String(rating)),
    },
    { title: 'Hot', property: null, most: MOST, value: ({ hot }) => (hot ? 'Yes' : 'No') },
    { title: 'Notes', property: 'message', kind: 'description', most: MOST, value: descriptionOf },
    {
      title: "Legal basis for processing contact's data",
      property: 'hs_legal_basis',
      most: MOST,
      value: (lead) => (consentTo(lead, 'email') === null ? null : FREELY_GIVEN),
    },
    {
      title: 'Email Consent',
      property: null,
      most: MOST,
      value: (lead) => noticeOf(consentTo(lead, 'email'), setting.clock),
    },
  ];
}

/**
 * A phone number in E.164, or unchanged if that would be a guess. An international number needs no `country`. A
 * national number must be valid in `country` (ISO 3166-1, two letters).
 */
export function e164(phone: string | null, country: string | null): string | null {
  if (phone === null) return null;
  const bare = phone.replace(/\(0\)/gu, '').replace(/[\s().\-/\u00a0\u2010-\u2015]/gu, '');
  const number = bare.startsWith('00') ? `+${bare.slice(2)}` : bare;
  if (/^\+[1-9]\d{6,14}$/u.test(number)) return number;
  const defaultCountry = country?.trim().toUpperCase() ?? '';
  if (!isSupportedCountry(defaultCountry)) return phone;
  const national = parsePhoneNumberFromString(phone, { defaultCountry, extract: false });
  return national?.isValid() === true && national.ext === undefined ? national.number : phone;
}

function dayOf(at: number | null, clock: WallClock): string | null {
  return at === null ? null : clock.day(at);
}
