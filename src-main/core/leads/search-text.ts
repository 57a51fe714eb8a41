/**
 * The text a lead is found by, the words of a search, and the texts of all leads, which a search looks through.
 *
 * Invariants: both sides are folded alike; names of East Asia are found with and without the blanks in them; a text is
 * as long as a search may need, not longer.
 */
import type { LeadDetail, LeadWords } from '../../contract/leads.ts';
import { foldForSearch, isEastAsian } from '../text/fold.ts';
import { optionsOf } from './hot.ts';
import { present } from './person.ts';

/** A note is searched this far. */
const NOTE_SEARCHED = 20_000;

/** Words beyond these narrow no search that a person makes. */
const MOST_WORDS = 8;

/** What is said of a lead, folded, one thing a line. */
export function searchTextOf(lead: LeadDetail, words: Pick<LeadWords, 'labels' | 'questions'>): string {
  const { person } = lead;
  const fields = [
    person.firstName,
    person.lastName,
    person.company,
    person.jobTitle,
    person.email,
    person.phone,
  ];
  const texts = [
    ...[person.name, lead.company, lead.jobTitle, lead.place, person.address, person.country],
    ...fields.flatMap((field) => [present(field), field.original]),
    phoneDigits(lead.phone),
    ...lead.others.flatMap(({ name, company, jobTitle, email, phone }) => [
      ...[name, company, jobTitle, email, phone, phoneDigits(phone)],
    ]),
    ...lead.badges,
    ...lead.labels.map((label) => words.labels.find(({ id }) => id === label)?.name ?? label),
    ...lead.answers.flatMap(({ question, answer }) => answerTexts(question, answer, words.questions)),
    lead.note?.slice(0, NOTE_SEARCHED) ?? null,
  ];
  const said = [...new Set(texts.filter((text): text is string => text !== null && text !== ''))];
  const unspaced = said.flatMap((text) => (isEastAsian(text) ? [text.replace(/\s+/gu, '')] : []));
  return foldForSearch([...new Set([...said, ...unspaced])].join('\n'));
}

/** The words of a search, folded; all must be found. */
export function wordsOfSearch(search: string): readonly string[] {
  return foldForSearch(search.toWellFormed().replaceAll('\0', ' '))
    .split(/\s+/u)
    .filter(Boolean)
    .slice(0, MOST_WORDS);
}

function answerTexts(
  question: string,
  answer: LeadDetail['answers'][number]['answer'],
  questions: LeadWords['questions'],
): readonly string[] {
  if (typeof answer === 'string') return [answer];
  const options = questions.find(({ id }) => id === question)?.options ?? [];
  return optionsOf(answer).flatMap((chosen) =>
    Object.values(options.find(({ id }) => id === chosen)?.text ?? { chosen }),
  );
}

/** A number as it is typed without its blanks. */
function phoneDigits(phone: string | null): string | null {
  return phone === null ? null : phone.replace(/[^\d+]/gu, '');
}

/** Leads that were found: their numbers in the index, their taps and facts in sum. */
export type Found = { readonly numbers: readonly number[]; readonly taps: number; readonly facts: number };

/** The texts of all leads by their number in the index. */
export type SearchTexts = {
  readonly put: (
    n: number,
    text: { readonly said: string; readonly taps: number; readonly facts: number },
  ) => void;
  readonly remove: (n: number) => void;
  /** Leads with all these words in their texts; null where there are no words. */
  readonly having: (words: readonly string[]) => Found | null;
};

/**
 * No texts yet. They are looked through from the first to the last at each search: with 50,000 that takes 3 to 5 ms,
 * however short or common the words (docs/decisions/searching-leads.md).
 */
export function createSearchTexts(): SearchTexts {
  const texts = new Map<number, { readonly said: string; readonly taps: number; readonly facts: number }>();
  return {
    put: (n, text) => texts.set(n, text),
    remove: (n) => texts.delete(n),
    having: (words) => {
      if (words.length === 0) return null;
      const found = { numbers: [] as number[], taps: 0, facts: 0 };
      for (const [n, { said, taps, facts }] of texts) {
        if (!words.every((word) => said.includes(word))) continue;
        found.numbers.push(n);
        found.taps += taps;
        found.facts += facts;
      }
      return found;
    },
  };
}
