/**
 * The words for the fields of a lead, and for the properties that they go to.
 *
 * Invariant: the technical name of a property is shown beside its words, because the CRM's administrator knows it.
 */
import { Fragment } from 'react';
import type { Destination, DestinationKindName } from '../../../src-main/contract/destinations.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';

/** By the names of mappings: the English titles of a CRM's import, and the names of the team's fields. */
const WORDS: Readonly<Partial<Record<string, MessageId>>> = {
  Email: 'lead.email',
  'First Name': 'lead.firstName',
  'Last Name': 'lead.lastName',
  Company: 'lead.company',
  'Company Name': 'lead.company',
  Title: 'lead.jobTitle',
  'Job Title': 'lead.jobTitle',
  Phone: 'lead.phone',
  'Phone Number': 'lead.phone',
  'Mobile Phone': 'crm.field.mobile',
  'Mobile Phone Number': 'crm.field.mobile',
  Street: 'crm.field.street',
  'Street Address': 'crm.field.street',
  City: 'crm.field.city',
  'Postal Code': 'crm.field.postalCode',
  'Zip/Postal Code': 'crm.field.postalCode',
  Country: 'crm.field.country',
  'Country/Region': 'crm.field.country',
  'Preferred language': 'crm.field.language',
  'Lead Source': 'crm.field.source',
  'Last Visit': 'crm.field.lastVisit',
  Rating: 'crm.field.rating',
  Hot: 'crm.field.hot',
  Notes: 'crm.field.notes',
  Description: 'crm.field.notes',
  "Legal basis for processing contact's data": 'crm.field.legalBasis',
  'Email Consent': 'crm.field.emailConsent',
  'Email Opt Out': 'crm.field.emailOptOut',
  'lead.rating': 'crm.field.rating',
  'lead.labels': 'lead.labels',
  'lead.note': 'crm.field.note',
  'lead.followUpOn': 'crm.field.followUpOn',
  'lead.followUpBy': 'crm.field.followUpBy',
  'lead.followUpTime': 'crm.field.followUpTime',
  'lead.followUpKind': 'crm.field.followUpKind',
  'lead.companyGroup': 'crm.field.companyGroup',
  owner: 'crm.field.owner',
};

/** The words for a field, as a function of its name and of the question that it answers, if any. */
export function useFieldWords(
  kind: DestinationKindName,
): (field: string, question?: string | null) => string {
  const text = useText();
  return (field, question = null) => {
    // In Salesforce the rating is a temperature, not the stars of the team.
    const words = kind === 'salesforce' && field === 'Rating' ? 'crm.field.warmth' : WORDS[field];
    return words === undefined ? (question ?? field) : text(words);
  };
}

type PropertiesProps = {
  readonly destination: Pick<Destination, 'kind' | 'fields'>;
  readonly names: readonly string[];
};

/** Properties by the words of their fields. */
export function Properties({ destination: { kind, fields }, names }: PropertiesProps) {
  const wordsOf = useFieldWords(kind);
  return names.map((name, at) => {
    const { [name]: field } = fields;
    const isKnown = field !== undefined && !field.startsWith('answer.');
    return (
      <Fragment key={name}>
        {at === 0 ? null : ', '}
        {isKnown ? `${wordsOf(field)} ` : null}
        <bdi className="crm-name code">{name}</bdi>
      </Fragment>
    );
  });
}

/** The properties that were changed there and here. Empty without any. */
export function Differences({ names, ...rest }: PropertiesProps) {
  if (names.length === 0) return null;
  return (
    <span className="crm-differs">
      <Text id="crm.differs" /> <Properties names={names} {...rest} />
    </span>
  );
}
