/**
 * Leads for Salesforce's Data Import Wizard.
 *
 * Invariants (Salesforce help, "Prepare Your Data for Import"): Last Name and Company in every row; first and last name,
 * never the full name beside; Email Opt Out is 1 or 0, and 0 only where there is a yes to being written to.
 */
import { type CrmColumn, crmCsv, descriptionOf, namesOf, noticeOf } from './crm-csv.ts';
import { consentTo, type ExportLead } from './export-lead.ts';
import type { ExportPieces, ExportSetting, LeadSource } from './profile.ts';

/** Rows one import takes. */
export const MOST_FOR_SALESFORCE = 50_000;

/** Stands where the wizard insists on a value and nobody gave one. */
export const NOT_GIVEN = '[not given]';

/** The CSV of the wizard. */
export function salesforce(leads: LeadSource, setting: ExportSetting): ExportPieces {
  const source = [setting.event, setting.stand].filter((part) => part !== '').join(', ');
  const columns: readonly CrmColumn[] = [
    { title: 'First Name', value: (lead) => namesOf(lead).first },
    { title: 'Last Name', value: (lead) => namesOf(lead).last ?? NOT_GIVEN },
    { title: 'Company', value: ({ company }) => company ?? NOT_GIVEN },
    { title: 'Title', value: ({ jobTitle }) => jobTitle },
    { title: 'Email', value: ({ email }) => email },
    { title: 'Phone', value: ({ phone }) => phone },
    { title: 'Mobile Phone', value: ({ mobile }) => mobile },
    { title: 'Street', value: ({ street }) => street },
    { title: 'City', value: ({ city }) => city },
    { title: 'Zip/Postal Code', value: ({ postalCode }) => postalCode },
    { title: 'Country', value: ({ country }) => country },
    { title: 'Lead Source', value: () => source },
    { title: 'Rating', value: ratingOf },
    { title: 'Description', value: descriptionOf },
    { title: 'Email Opt Out', value: (lead) => (consentTo(lead, 'email') === null ? '1' : '0') },
    { title: 'Email Consent', value: (lead) => noticeOf(consentTo(lead, 'email'), setting.clock) },
  ];
  return crmCsv(leads, columns);
}

/** Hot by the stand's rule; otherwise by what the team gave; nothing where nobody judged. */
function ratingOf({ hot, rating }: ExportLead): string | null {
  if (hot) return 'Hot';
  if (rating === null) return null;
  return rating >= 3 ? 'Warm' : 'Cold';
}
