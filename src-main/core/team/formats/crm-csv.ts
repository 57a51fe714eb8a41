/**
 * CSV for the import of a CRM: RFC 4180, UTF-8, one row per person.
 *
 * Invariants:
 * - No guard against formulas: these receivers do not evaluate cells and would keep the guard in phone numbers.
 * - No value exceeds the receiver's limit, because the receiver would refuse the whole row.
 * - A value that is cut or left out appears completely in the description, and the receipt counts it.
 * - If the receiver requires a value that is missing, a placeholder that says so is written. The receipt counts people
 *   without a company.
 */
import type { LeadField } from '../../../contract/lead-fields.ts';
import { cleanText, cutText } from './clean-text.ts';
import { csvRow } from './csv.ts';
import type { ExportConsent, ExportLead } from './export-lead.ts';
import { oneRowPerPerson } from './one-row-per-person.ts';
import {
  type Counting,
  countPerson,
  type ExportPieces,
  type ExportSetting,
  inPieces,
  type LeadSource,
  startCounting,
} from './profile.ts';
import type { WallClock } from './wall-clock.ts';

/**
 * A column of a CRM's import by its label.
 *
 * `text` is cut at `most` (UTF-16 units). `exact` and `address` are never cut: they are left out when they are longer
 * than `most`. An `address` is also left out when it is not a valid e-mail address. `description` is a text that also
 * holds the values that earlier columns could not hold.
 */
export type CrmColumn = {
  readonly title: string;
  /** Property of the CRM's interface that holds it. Null if there is none by default. */
  readonly property: string | null;
  readonly kind?: 'text' | 'exact' | 'address' | 'description';
  readonly most: number;
  readonly value: (lead: ExportLead) => string | null;
};

/** The input of the columns of a CRM besides the lead. */
export type CrmSetting = Pick<ExportSetting, 'event' | 'stand' | 'clock'>;

/** The people among `leads` in these columns. */
export function* crmCsv(leads: LeadSource, columns: readonly CrmColumn[]): ExportPieces {
  const counting = startCounting();
  yield* inPieces(lines(leads, columns, counting));
  return counting;
}

function* lines(leads: LeadSource, columns: readonly CrmColumn[], counting: Counting): Generator<string> {
  const row = (texts: readonly string[]): string => csvRow(texts, ',', /[",\r\n]/u);
  yield row(columns.map(({ title }) => title));
  for (const lead of oneRowPerPerson(leads, counting)) {
    yield row(rowOf(columns, lead, counting));
    countPerson(counting, lead);
  }
}

/** The texts of a lead in these columns, each in a form that the receiver accepts. */
export function rowOf(columns: readonly CrmColumn[], lead: ExportLead, counting: Counting): string[] {
  const elsewhere: string[] = [];
  return columns.map(({ title, kind = 'text', most, value }) => {
    const text = cleanText(value(lead) ?? '');
    if (kind === 'description') {
      const { text: said, isCut } = cutText([...elsewhere, text].filter(Boolean).join('\n'), most);
      if (isCut) counting.cut += 1;
      return said;
    }
    const isRefused = kind === 'address' && text !== '' && !ADDRESS.test(text);
    if (text.length <= most && !isRefused) return text;
    elsewhere.push(`${title}: ${text}`);
    if (kind !== 'text') {
      counting.leftOut += 1;
      return '';
    }
    counting.cut += 1;
    return `${text
      .slice(0, most - 1)
      .toWellFormed()
      .replace(/\ufffd$/u, '')}…`;
  });
}

/** One address in the form that both CRMs accept: a local part, and a domain with at least one dot. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\.]+(\.[^\s@,;:<>()[\]"\\.]+)+$/u;

/** First and last name for a CRM. A CRM requires a last name, so a single name becomes the last name. */
export function namesOf({ firstName, lastName, name }: ExportLead): {
  readonly first: string | null;
  readonly last: string | null;
} {
  if (lastName !== null) return { first: firstName, last: lastName };
  return { first: null, last: firstName ?? name };
}

/** Lines of the description in order. Null if the field has its own column, or is in another line. */
const DESCRIPTION: Readonly<
  Record<
    LeadField | 'answers' | 'contents' | 'files' | 'staff',
    ((lead: ExportLead) => readonly string[]) | null
  >
> = {
  rating: null,
  note: ({ note }) => (note === null ? [] : [note]),
  answers: ({ answers }) => answers.map(({ question, answer }) => `${question}: ${answer}`),
  contents: ({ contents }) =>
    titled(
      'Took along',
      contents.map(({ name }) => name),
    ),
  files: ({ files }) =>
    titled(
      'Files',
      files.map(({ name }) => name),
    ),
  labels: ({ labels }) => titled('Labels', labels),
  followUpOn: ({ followUpOn, followUpTime, followUpKind, followUpBy }) =>
    titled(
      'Follow up',
      [followUpKind, [followUpOn, followUpTime].filter(Boolean).join(' ') || null, followUpBy].filter(
        (said) => said !== null,
      ),
    ),
  followUpBy: null,
  followUpTime: null,
  followUpKind: null,
  companyGroup: ({ companyGroup, company }) =>
    companyGroup === null || companyGroup === company ? [] : [`Belongs to: ${companyGroup}`],
  // The answers already contain it.
  form: null,
  staff: ({ staff }) => titled('Met by', staff),
};

function titled(title: string, said: readonly string[]): readonly string[] {
  return said.length === 0 ? [] : [`${title}: ${said.join(', ')}`];
}

/** The qualification of the lead, as text. */
export function descriptionOf(lead: ExportLead): string {
  return Object.values(DESCRIPTION)
    .flatMap((linesOf) => linesOf?.(lead) ?? [])
    .join('\n');
}

/** The notice and time of a consent, or null. */
export function noticeOf(consent: ExportConsent | null, clock: WallClock): string | null {
  return consent === null
    ? null
    : `Notice ${consent.notice} (${consent.language}), ${clock.day(consent.at)}: ${consent.text}`;
}
