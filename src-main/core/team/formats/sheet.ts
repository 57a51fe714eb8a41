/**
 * A lead as a row of a sheet for people: typed columns. Pure.
 *
 * Invariants:
 * - Every lead of a file has the same columns in the same order.
 * - An undone lead is in the sheet and marked as undone.
 * - The column of a consent is "yes" only for a given consent.
 * - The header of a column of times states its time zone.
 */
import { type Cell, dayCell, EMPTY, numberCell, textCell, timeCell } from './cell.ts';
import { type ExportConsent, type ExportLead, lastVisit } from './export-lead.ts';
import type { ExportSetting } from './profile.ts';
import { type SheetWords, sheetWords } from './sheet-words.ts';

/** `width` in characters, for formats with column widths. */
export type Column = {
  readonly title: string;
  readonly width: number;
  readonly cell: (lead: ExportLead) => Cell;
};

/**
 * The properties of a lead that a sheet shows; the form's answers are among `answers`. For a new property the
 * compiler requires a column here.
 */
type Shown = Exclude<keyof ExportLead, 'visitor' | 'form'>;

/** The columns of a sheet in their order. */
export function sheetColumns(setting: ExportSetting): readonly Column[] {
  const words = sheetWords(setting.language);
  const text = (title: string, width: number, textIn: (lead: ExportLead) => string | null): Column =>
    column(title, width, (lead) => textCell(textIn(lead)));
  const yes = (title: string, width: number, is: (lead: ExportLead) => boolean): Column =>
    column(title, width, (lead) => (is(lead) ? textCell(words.yes) : EMPTY));
  const time = (title: string, at: (lead: ExportLead) => number | null): Column =>
    column(`${title} (${setting.clock.zone})`, 32, (lead) => timeCell(at(lead), setting.clock));

  const columns: Readonly<Record<Shown, Column | readonly Column[]>> = {
    name: text(words.name, 26, ({ name }) => name),
    firstName: text(words.firstName, 16, ({ firstName }) => firstName),
    lastName: text(words.lastName, 18, ({ lastName }) => lastName),
    company: text(words.company, 28, ({ company }) => company),
    companyGroup: text(words.companyGroup, 24, ({ companyGroup }) => companyGroup),
    jobTitle: text(words.jobTitle, 24, ({ jobTitle }) => jobTitle),
    email: text(words.email, 30, ({ email }) => email),
    phone: text(words.phone, 20, ({ phone }) => phone),
    mobile: text(words.mobile, 20, ({ mobile }) => mobile),
    street: text(words.street, 24, ({ street }) => street),
    postalCode: text(words.postalCode, 12, ({ postalCode }) => postalCode),
    city: text(words.city, 16, ({ city }) => city),
    country: text(words.country, 12, ({ country }) => country),
    language: text(words.language, 10, ({ language }) => language),
    rating: column(words.rating, 10, ({ rating }) => numberCell(rating)),
    hot: yes(words.hot, 8, ({ hot }) => hot),
    hotWhy: text(words.hotWhy, 26, ({ hotWhy }) => hotWhy),
    labels: text(words.labels, 20, ({ labels }) => labels.join('; ')),
    note: text(words.note, 40, ({ note }) => note),
    answers: answerColumns(words, setting),
    contents: text(words.contents, 30, ({ contents }) => contents.map(({ name }) => name).join('; ')),
    files: text(words.files, 40, ({ files }) => files.map(({ name }) => name).join('; ')),
    visits: [
      column(words.visits, 8, ({ visits }) => numberCell(visits.length)),
      time(words.firstVisit, ({ visits }) => visits[0]?.at ?? null),
      time(words.lastVisit, lastVisit),
    ],
    consents: [
      ...consentColumns(words, setting),
      time(words.consentAt, (lead) => latestConsent(lead)?.at ?? null),
    ],
    staff: text(words.staff, 18, ({ staff }) => staff.join(', ')),
    followUpOn: column(words.followUpOn, 12, ({ followUpOn }) => dayCell(followUpOn)),
    followUpTime: text(
      `${words.followUpTime} (${setting.clock.zone})`,
      20,
      ({ followUpTime }) => followUpTime,
    ),
    followUpKind: text(words.followUpKind, 12, ({ followUpKind }) =>
      followUpKind === null ? null : words[followUpKind],
    ),
    followUpBy: text(words.followUpBy, 18, ({ followUpBy }) => followUpBy),
    badges: text(words.badges, 18, ({ badges }) => badges.join(', ')),
    unknown: yes(words.unknown, 10, ({ unknown }) => unknown),
    takenBack: yes(words.takenBack, 10, ({ takenBack }) => takenBack),
    delivery: text(words.delivery, 12, ({ delivery }) => words[delivery]),
    id: text(words.id, 38, ({ id }) => id),
  };
  return Object.values(columns).flat();
}

/** One column per question of the stand, and one for answers to former questions. */
function answerColumns(words: SheetWords, { questions }: ExportSetting): readonly Column[] {
  const asked = new Set(questions.map(({ id }) => id));
  return [
    ...questions.map(({ id, text }) =>
      column(text, 24, ({ answers }) => textCell(answers.find((answer) => answer.id === id)?.answer ?? null)),
    ),
    column(words.otherAnswers, 24, ({ answers }) =>
      textCell(
        answers
          .filter(({ id }) => !asked.has(id))
          .map(({ question, answer }) => `${question}: ${answer}`)
          .join('\n'),
      ),
    ),
  ];
}

function consentColumns(words: SheetWords, { consents }: ExportSetting): readonly Column[] {
  const asked = new Set(consents.map(({ id }) => id));
  return [
    ...consents.map(({ id, text }) =>
      column(`${words.consent}: ${text}`, 24, (lead) => {
        const said = lead.consents.find(({ purpose }) => purpose === id);
        return said === undefined ? EMPTY : textCell(said.agreed ? words.yes : words.no);
      }),
    ),
    column(words.otherConsents, 24, (lead) =>
      textCell(
        lead.consents
          .filter(({ purpose }) => !asked.has(purpose))
          .map(({ text, agreed }) => `${text}: ${agreed ? words.yes : words.no}`)
          .join('\n'),
      ),
    ),
    column(words.consentNotice, 14, (lead) => {
      const said = latestConsent(lead);
      return textCell(said === undefined ? null : `${said.notice} (${said.language})`);
    }),
  ];
}

function latestConsent(lead: ExportLead): ExportConsent | undefined {
  return lead.consents.toSorted((one, other) => other.at - one.at)[0];
}

function column(title: string, width: number, cell: Column['cell']): Column {
  return { title, width, cell };
}

/** A cell as plain text, for formats without types. */
export function plainText(cell: Cell): string {
  switch (cell.kind) {
    case 'empty':
      return '';
    case 'text':
      return cell.text;
    case 'number':
      return String(cell.number);
    case 'time':
      return cell.wall;
    case 'day':
      return cell.day;
  }
}
