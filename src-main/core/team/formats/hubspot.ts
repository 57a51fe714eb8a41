/**
 * Contacts for HubSpot's import.
 *
 * Invariants (HubSpot knowledge base, "Set up your import file"):
 * - HubSpot matches existing contacts by Email.
 * - A phone number is in E.164 if its country is certain. Any other number stays as it was typed.
 * - A day is YYYY-MM-DD.
 * - A legal basis is exported only for a consent that is a fact.
 */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { type CrmColumn, crmCsv, descriptionOf, namesOf, noticeOf } from './crm-csv.ts';
import { consentTo, lastVisit } from './export-lead.ts';
import type { ExportPieces, ExportSetting, LeadSource } from './profile.ts';
import type { WallClock } from './wall-clock.ts';

/** One of the values that the property takes. */
const FREELY_GIVEN = 'Freely given consent from contact';

/** The CSV of the import. */
export function hubspot(leads: LeadSource, setting: ExportSetting): ExportPieces {
  const source = [setting.event, setting.stand].filter((part) => part !== '').join(', ');
  const columns: readonly CrmColumn[] = [
    { title: 'Email', value: ({ email }) => email?.trim() ?? null },
    { title: 'First Name', value: (lead) => namesOf(lead).first },
    { title: 'Last Name', value: (lead) => namesOf(lead).last },
    { title: 'Company Name', value: ({ company }) => company },
    { title: 'Job Title', value: ({ jobTitle }) => jobTitle },
    { title: 'Phone Number', value: ({ phone, country }) => e164(phone, country) },
    { title: 'Mobile Phone Number', value: ({ mobile, country }) => e164(mobile, country) },
    { title: 'Street Address', value: ({ street }) => street },
    { title: 'City', value: ({ city }) => city },
    { title: 'Postal Code', value: ({ postalCode }) => postalCode },
    { title: 'Country/Region', value: ({ country }) => country },
    { title: 'Preferred language', value: ({ language }) => language },
    { title: 'Original Source Drill-Down', value: () => source },
    { title: 'Last Visit', value: (lead) => dayOf(lastVisit(lead), setting.clock) },
    { title: 'Rating', value: ({ rating }) => (rating === null ? null : String(rating)) },
    { title: 'Hot', value: ({ hot }) => (hot ? 'Yes' : 'No') },
    { title: 'Notes', value: descriptionOf },
    {
      title: "Legal basis for processing contact's data",
      value: (lead) => (consentTo(lead, 'email') === null ? null : FREELY_GIVEN),
    },
    { title: 'Email Opt Out', value: (lead) => (consentTo(lead, 'email') === null ? '1' : '0') },
    { title: 'Email Consent', value: (lead) => noticeOf(consentTo(lead, 'email'), setting.clock) },
  ];
  return crmCsv(leads, columns);
}

/**
 * A phone number in E.164, or as it was typed where that would be a guess. An international number needs no `country`;
 * a national one must be valid in `country` (ISO 3166-1, two letters).
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
