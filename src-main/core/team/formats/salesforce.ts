/**
 * Leads for Salesforce's Data Import Wizard.
 *
 * Invariants (Salesforce help, "Prepare Your Data for Import"):
 * - Every row has a Last Name and a Company.
 * - First and last name are given, never the full name beside them.
 * - Email Opt Out is 1 or 0, and 0 only for an explicit yes to e-mail.
 * - No value is longer than its field. Lengths: Salesforce Field Reference Guide, "Lead", read on 2026-11-24,
 *   developer.salesforce.com/docs/atlas.en-us.sfFieldRef.meta/sfFieldRef/salesforce_field_reference_Lead.htm
 */
import { type CrmColumn, type CrmSetting, crmCsv, descriptionOf, namesOf, noticeOf } from './crm-csv.ts';
import { consentTo, type ExportLead } from './export-lead.ts';
import type { ExportPieces, ExportSetting, LeadSource } from './profile.ts';

/** Maximum number of rows per import. */
export const MOST_FOR_SALESFORCE = 50_000;

/** Placeholder for a missing value that the wizard requires. */
const NOT_GIVEN = '[not given]';

/** The CSV of the wizard. */
export function salesforce(leads: LeadSource, setting: ExportSetting): ExportPieces {
  return crmCsv(leads, salesforceColumns(setting));
}

/** The columns of the import and of Salesforce's API. Their properties are fields of the object Lead. */
export function salesforceColumns(setting: CrmSetting): readonly CrmColumn[] {
  const source = [setting.event, setting.stand].filter((part) => part !== '').join(', ');
  return [
    { title: 'First Name', property: 'FirstName', most: 40, value: (lead) => namesOf(lead).first },
    { title: 'Last Name', property: 'LastName', most: 80, value: (lead) => namesOf(lead).last ?? NOT_GIVEN },
    { title: 'Company', property: 'Company', most: 255, value: ({ company }) => company ?? NOT_GIVEN },
    { title: 'Title', property: 'Title', most: 128, value: ({ jobTitle }) => jobTitle },
    {
      title: 'Email',
      property: 'Email',
      kind: 'address',
      most: 80,
      value: ({ email }) => email?.trim() ?? null,
    },
    { title: 'Phone', property: 'Phone', kind: 'exact', most: 40, value: ({ phone }) => phone },
    {
      title: 'Mobile Phone',
      property: 'MobilePhone',
      kind: 'exact',
      most: 40,
      value: ({ mobile }) => mobile,
    },
    { title: 'Street', property: 'Street', most: 255, value: ({ street }) => street },
    { title: 'City', property: 'City', most: 40, value: ({ city }) => city },
    {
      title: 'Zip/Postal Code',
      property: 'PostalCode',
      kind: 'exact',
      most: 20,
      value: ({ postalCode }) => postalCode,
    },
    { title: 'Country', property: 'Country', most: 80, value: ({ country }) => country },
    { title: 'Lead Source', property: 'LeadSource', most: 255, value: () => source },
    { title: 'Rating', property: 'Rating', most: 255, value: ratingOf },
    {
      title: 'Description',
      property: 'Description',
      kind: 'description',
      most: 32_000,
      value: descriptionOf,
    },
    {
      title: 'Email Opt Out',
      property: 'HasOptedOutOfEmail',
      most: 1,
      value: (lead) => (consentTo(lead, 'email') === null ? '1' : '0'),
    },
    // A custom field of the organisation; a text field holds at most 255.
    {
      title: 'Email Consent',
      property: null,
      most: 255,
      value: (lead) => noticeOf(consentTo(lead, 'email'), setting.clock),
    },
  ];
}

/** `Hot` if the lead is hot by the stand's rule, otherwise `Warm` or `Cold` by the team's rating. Null without one. */
function ratingOf({ hot, rating }: ExportLead): string | null {
  if (hot) return 'Hot';
  if (rating === null) return null;
  return rating >= 3 ? 'Warm' : 'Cold';
}
