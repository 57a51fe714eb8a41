/**
 * CSV for the import of a CRM: RFC 4180, UTF-8, one row per person.
 *
 * Invariants: no guard against formulas, because these receivers do not evaluate and would keep it in phone numbers;
 * nothing is cut; what stands for a missing value that the receiver insists on is said and counted.
 */
import { stringify } from 'csv-stringify/sync';
import type { LeadField } from '../../../contract/lead-fields.ts';
import { cleanText } from './clean-text.ts';
import type { ExportConsent, ExportLead } from './export-lead.ts';
import { oneRowPerPerson } from './one-row-per-person.ts';
import {
  type Counting,
  countPerson,
  type ExportPieces,
  inPieces,
  type LeadSource,
  ROWS_AT_ONCE,
  startCounting,
} from './profile.ts';
import type { WallClock } from './wall-clock.ts';

/** A column of a CRM's import by its label. */
export type CrmColumn = {
  readonly title: string;
  readonly value: (lead: ExportLead) => string | null;
};

/** The people among `leads` in these columns. */
export function* crmCsv(leads: LeadSource, columns: readonly CrmColumn[]): ExportPieces {
  const counting = startCounting();
  yield* inPieces(lines(leads, columns, counting));
  return counting;
}

function* lines(leads: LeadSource, columns: readonly CrmColumn[], counting: Counting): Generator<string> {
  const text = (rows: readonly (readonly string[])[]): string =>
    stringify([...rows], { record_delimiter: '\r\n', quoted_match: /[\r\n]/u });
  yield text([columns.map(({ title }) => title)]);
  let rows: string[][] = [];
  for (const lead of oneRowPerPerson(leads, counting)) {
    rows.push(columns.map(({ value }) => cleanText(value(lead) ?? '')));
    countPerson(counting, lead);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield text(rows);
    rows = [];
  }
  yield text(rows);
}

/** First and last name as a CRM wants them: it insists on a last name, so one name alone is the last. */
export function namesOf({ firstName, lastName, name }: ExportLead): {
  readonly first: string | null;
  readonly last: string | null;
} {
  if (lastName !== null) return { first: firstName, last: lastName };
  return { first: null, last: firstName ?? name };
}

/** Lines of the description in order. Null: the field has a column of its own, or stands in another line. */
const DESCRIPTION: Readonly<
  Record<LeadField | 'answers' | 'contents' | 'staff', ((lead: ExportLead) => readonly string[]) | null>
> = {
  rating: null,
  note: ({ note }) => (note === null ? [] : [note]),
  answers: ({ answers }) => answers.map(({ question, answer }) => `${question}: ${answer}`),
  contents: ({ contents }) =>
    titled(
      'Took along',
      contents.map(({ name }) => name),
    ),
  labels: ({ labels }) => titled('Labels', labels),
  followUpOn: ({ followUpOn, followUpBy }) =>
    titled(
      'Follow up',
      [followUpOn, followUpBy].filter((said) => said !== null),
    ),
  followUpBy: null,
  staff: ({ staff }) => titled('Met by', staff),
};

function titled(title: string, said: readonly string[]): readonly string[] {
  return said.length === 0 ? [] : [`${title}: ${said.join(', ')}`];
}

/** What the stand learnt, in words. */
export function descriptionOf(lead: ExportLead): string {
  return Object.values(DESCRIPTION)
    .flatMap((linesOf) => linesOf?.(lead) ?? [])
    .join('\n');
}

/** Which notice a yes was given under and when, or null. */
export function noticeOf(consent: ExportConsent | null, clock: WallClock): string | null {
  return consent === null
    ? null
    : `Notice ${consent.notice} (${consent.language}), ${clock.day(consent.at)}: ${consent.text}`;
}
