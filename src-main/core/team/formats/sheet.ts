/**
 * A lead as a row of a sheet that people read: every column, typed. Pure.
 *
 * Invariants: the same columns in the same order for every lead of a file; what a visitor took back stands in it, marked
 * as that; a consent's column is "yes" only for a yes that was given; a column of times names their time zone.
 */
import { type Cell, dayCell, EMPTY, numberCell, textCell, timeCell } from './cell.ts';
import { type ExportConsent, type ExportLead, lastVisit } from './export-lead.ts';
import type { ExportSetting } from './profile.ts';
import { type SheetWords, sheetWords } from './sheet-words.ts';

/** `width` in characters, for formats that have one. */
export type Column = {
  readonly title: string;
  readonly width: number;
  readonly cell: (lead: ExportLead) => Cell;
};

/** The columns of a sheet. */
export function sheetColumns(setting: ExportSetting): readonly Column[] {
  const words = sheetWords(setting.language);
  const times = (title: string, at: (lead: ExportLead) => number | null): Column =>
    column(`${title} (${setting.clock.zone})`, 32, (lead) => timeCell(at(lead), setting.clock));
  return [
    ...contactColumns(words),
    ...qualityColumns(words),
    ...answerColumns(words, setting),
    column(words.contents, 30, ({ contents }) => textCell(contents.map(({ name }) => name).join('; '))),
    column(words.visits, 8, ({ visits }) => numberCell(visits.length)),
    times(words.firstVisit, ({ visits }) => visits[0]?.at ?? null),
    times(words.lastVisit, lastVisit),
    ...consentColumns(words, setting),
    times(words.consentAt, (lead) => latestConsent(lead)?.at ?? null),
    column(words.staff, 18, ({ staff }) => textCell(staff.join(', '))),
    column(words.followUpOn, 12, ({ followUpOn }) => dayCell(followUpOn)),
    column(words.followUpOwner, 18, ({ followUpOwner }) => textCell(followUpOwner)),
    column(words.badges, 18, ({ badges }) => textCell(badges.join(', '))),
    column(words.unknown, 10, ({ unknown }) => yesCell(unknown, words)),
    column(words.takenBack, 10, ({ takenBack }) => yesCell(takenBack, words)),
    column(words.delivery, 12, ({ delivery }) => textCell(words[delivery])),
    column(words.id, 38, ({ id }) => textCell(id)),
  ];
}

function contactColumns(words: SheetWords): readonly Column[] {
  return [
    column(words.name, 26, ({ name }) => textCell(name)),
    column(words.firstName, 16, ({ firstName }) => textCell(firstName)),
    column(words.lastName, 18, ({ lastName }) => textCell(lastName)),
    column(words.company, 28, ({ company }) => textCell(company)),
    column(words.jobTitle, 24, ({ jobTitle }) => textCell(jobTitle)),
    column(words.email, 30, ({ email }) => textCell(email)),
    column(words.phone, 20, ({ phone }) => textCell(phone)),
    column(words.mobile, 20, ({ mobile }) => textCell(mobile)),
    column(words.street, 24, ({ street }) => textCell(street)),
    column(words.postalCode, 12, ({ postalCode }) => textCell(postalCode)),
    column(words.city, 16, ({ city }) => textCell(city)),
    column(words.country, 12, ({ country }) => textCell(country)),
    column(words.language, 10, ({ language }) => textCell(language)),
  ];
}

function qualityColumns(words: SheetWords): readonly Column[] {
  return [
    column(words.rating, 10, ({ rating }) => numberCell(rating)),
    column(words.hot, 8, ({ hot }) => yesCell(hot, words)),
    column(words.hotWhy, 26, ({ hotWhy }) => textCell(hotWhy)),
    column(words.labels, 20, ({ labels }) => textCell(labels.join('; '))),
    column(words.note, 40, ({ note }) => textCell(note)),
  ];
}

/** A column for each question of the stand, and one for answers to questions it asks no more. */
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

function yesCell(is: boolean, words: SheetWords): Cell {
  return is ? textCell(words.yes) : EMPTY;
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
