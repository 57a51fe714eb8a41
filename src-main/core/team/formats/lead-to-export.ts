/**
 * Converts a lead of the list to a lead for export: ids become names, the platform's record becomes fields. Pure.
 *
 * Invariants:
 * - A correction of the team replaces the platform's value.
 * - Any field of the record may be missing or of another type.
 */
import { byField, PERSON_FIELDS, valuesOf } from '../../../contract/lead-fields.ts';
import type { LeadDetail } from '../../../contract/leads.ts';
import type { VisitorRecord } from '../leads/person.ts';
import type { ExportConsent, ExportContact, ExportLead } from './export-lead.ts';
import { fileNameOf } from './file-name.ts';
import type { Words } from './words.ts';

/** The lead for export. `record` is the visitor's record from the platform. */
export function leadToExport(lead: LeadDetail, record: VisitorRecord, words: Words): ExportLead {
  return {
    ...contactOf(lead, record),
    ...valuesOf(lead),
    id: lead.id,
    visitor: lead.visitor,
    hot: lead.hot.is,
    hotWhy: lead.hot.is ? hotWhy(lead, words) : null,
    labels: lead.labels.map(words.label),
    answers: lead.answers.map(({ question, answer }) => ({
      id: question,
      question: words.question(question),
      answer: words.answer(question, answer),
    })),
    contents: lead.contentsTaken.map(({ content }) => ({ id: content, ...words.content(content) })),
    files: filesOf(lead),
    visits: lead.visits
      .map(({ at, touchpoint }) => ({ at, touchpoint: words.touchpoint(touchpoint) }))
      .toSorted((one, other) => one.at - other.at),
    consents: consentsOf(lead, words),
    staff: lead.team,
    badges: lead.badges,
    unknown: lead.unknown,
    takenBack: lead.undone,
    delivery: lead.delivery,
  };
}

/** Names are unique, because each ends with a part of the file's random id. */
function filesOf(lead: LeadDetail): ExportLead['files'] {
  if (lead.attachments.length === 0) return [];
  const person = fileNameOf(lead);
  return lead.attachments.map(({ kind, file, sha256 }) => {
    const [id = '', ending = ''] = file.split('.');
    return { name: `${person} ${kind} ${id.slice(-8)}.${ending}`, file, sha256 };
  });
}

function contactOf({ person }: LeadDetail, record: VisitorRecord): ExportContact {
  const field = (name: string): string | null => textOf(record[name]);
  const address = isObject(record.address) ? record.address : {};
  const part = (...names: readonly string[]): string | null =>
    names.map((name) => textOf(address[name]) ?? field(name)).find((found) => found !== null) ?? null;
  return {
    ...byField(PERSON_FIELDS, (name) => person[name].corrected ?? person[name].original),
    name: person.name,
    mobile: field('mobile') ?? field('mobilePhone') ?? field('cellPhone'),
    street: part('street', 'line1') ?? textOf(record.address),
    postalCode: part('zip', 'postalCode', 'postcode'),
    city: part('city'),
    country: person.country ?? part('country'),
    language: person.language,
  };
}

function hotWhy({ hot }: LeadDetail, words: Words): string | null {
  const { why } = hot;
  switch (why?.kind) {
    case undefined:
      return null;
    case 'rating':
      return words.hotRating(why.rating);
    case 'answer':
      return `${words.question(why.question)} ${words.answer(why.question, [why.option])}`;
    case 'contents':
    case 'visits':
      return words.hotCount(why.kind, why.count);
  }
}

function consentsOf({ consent }: LeadDetail, words: Words): readonly ExportConsent[] {
  if (consent === null) return [];
  const { notice, language, at } = consent;
  return Object.entries(consent.agreed).map(([purpose, agreed]) => ({
    purpose,
    ...words.consent(purpose),
    agreed,
    notice,
    language,
    at,
  }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
