/**
 * Contacts for HubSpot's import.
 *
 * Invariants (HubSpot knowledge base, "Set up your import file"): it finds who is there already by Email; phone numbers in
 * E.164 where the number says its country, as it is otherwise; days as YYYY-MM-DD; a legal basis only where the consent
 * is a fact.
 */
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
    { title: 'Phone Number', value: ({ phone }) => e164(phone) },
    { title: 'Mobile Phone Number', value: ({ mobile }) => e164(mobile) },
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

/** A number that says its country without the marks between its digits; any other as it is. */
export function e164(phone: string | null): string | null {
  if (phone === null) return null;
  const bare = phone.replace(/\(0\)/gu, '').replace(/[\s().\-/\u00a0\u2010-\u2015]/gu, '');
  const number = bare.startsWith('00') ? `+${bare.slice(2)}` : bare;
  return /^\+[1-9]\d{6,14}$/u.test(number) ? number : phone;
}

function dayOf(at: number | null, clock: WallClock): string | null {
  return at === null ? null : clock.day(at);
}
