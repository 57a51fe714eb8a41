/**
 * The search text of a lead, the words of a search, and the texts of all leads.
 *
 * Invariants:
 * - Both sides are folded by the same rules.
 * - East Asian names match with and without their spaces.
 * - A text contains each value once.
 */
import { PERSON_FIELDS, SHOWN_PERSON_FIELDS } from '../../../contract/lead-fields.ts';
import type { LeadDetail, LeadWords } from '../../../contract/leads.ts';
import { foldForSearch, isEastAsian } from '../../foundations/text/fold.ts';
import { optionsOf } from './hot.ts';
import { searchedTexts } from './lead-fields.ts';
import { present } from './person.ts';

/** More words than this do not narrow a real search. */
const MOST_WORDS = 8;

/** The data of a lead, folded, one entry per line. */
export function searchTextOf(
  lead: LeadDetail,
  words: Pick<LeadWords, 'labels' | 'questions' | 'form'>,
): string {
  const { person } = lead;
  const texts = [
    person.name,
    lead.company,
    lead.jobTitle,
    lead.place,
    person.address,
    person.country,
    ...PERSON_FIELDS.flatMap((field) => [present(person[field]), person[field].original]),
    phoneDigits(lead.phone),
    ...lead.others.flatMap((other) => [
      other.name,
      ...SHOWN_PERSON_FIELDS.map((field) => other[field]),
      phoneDigits(other.phone),
    ]),
    ...lead.badges,
    ...lead.answers.flatMap(({ question, answer }) =>
      answerTexts(question, answer, [...words.questions, ...words.form]),
    ),
    ...searchedTexts(lead, words),
  ];
  const said = [...new Set(texts.filter((text): text is string => text !== null && text !== ''))];
  const unspaced = said.flatMap((text) => (isEastAsian(text) ? [text.replace(/\s+/gu, '')] : []));
  return foldForSearch([...new Set([...said, ...unspaced])].join('\n'));
}

/** The words of a search, folded. All must match. */
export function wordsOfSearch(search: string): readonly string[] {
  const folded = foldForSearch(search.toWellFormed().replaceAll('\0', ' '));
  const number = nationalDigits(folded);
  if (number !== null) return [number];
  return folded.split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
}

function answerTexts(
  question: string,
  answer: LeadDetail['answers'][number]['answer'],
  questions: readonly Pick<LeadWords['questions'][number], 'id' | 'options'>[],
): readonly string[] {
  if (typeof answer === 'string') return [answer];
  const options = questions.find(({ id }) => id === question)?.options ?? [];
  return optionsOf(answer).flatMap((chosen) =>
    Object.values(options.find(({ id }) => id === chosen)?.text ?? { chosen }),
  );
}

/**
 * The digits of a phone number without its international or national prefix (`+`, `00`, `0`), so that `044 668 18 00`
 * finds `+41 44 668 18 00`. Null for any other text.
 */
function nationalDigits(search: string): string | null {
  if (!/^(\+|0)[\d\s()/.-]{6,24}$/u.test(search.trim())) return null;
  const digits = search.replace(/\D/gu, '').replace(/^0+/u, '');
  return digits.length < 6 ? null : digits;
}

/** A phone number without spaces and punctuation, except the plus. */
function phoneDigits(phone: string | null): string | null {
  return phone === null ? null : phone.replace(/[^\d+]/gu, '');
}

/** A lead in the search. `later` and `lead` are its position in the list, latest first. */
type Searched = {
  readonly n: number;
  readonly later: number;
  readonly lead: string;
  readonly said: string;
  readonly taps: number;
  readonly facts: number;
};

/** Matching leads, latest first, with the sums of their taps and facts. Valid until the next change. */
export type Found = {
  readonly leads: readonly Searched[];
  readonly taps: number;
  readonly facts: number;
  /** Whether these are all leads, because no words were searched. */
  readonly isAll: boolean;
};

/** The texts of all leads. */
export type SearchTexts = {
  readonly put: (lead: Searched) => void;
  readonly remove: (n: number) => void;
  /** Leads with all these words in their texts. All leads when there are no words. */
  readonly having: (words: readonly string[]) => Found;
};

/**
 * An empty collection. A search scans from the latest to the first: with 50,000 leads it takes 1 to 3 ms, for any
 * length and frequency of the words (docs/decisions/searching-leads.md). A search that narrows the previous one, as
 * each further letter does, scans only the previous result.
 */
export function createSearchTexts(): SearchTexts {
  const byNumber = new Map<number, Searched>();
  const all = { leads: [] as Searched[], taps: 0, facts: 0, isAll: true };
  let before: { readonly words: readonly string[]; readonly found: Found } | null = null;

  return {
    put: (lead) => {
      before = null;
      byNumber.set(lead.n, lead);
      all.leads.splice(placeOf(lead, all.leads), 0, lead);
      all.taps += lead.taps;
      all.facts += lead.facts;
    },
    remove: (n) => {
      const lead = byNumber.get(n);
      if (lead === undefined) return;
      before = null;
      byNumber.delete(n);
      all.leads.splice(placeOf(lead, all.leads), 1);
      all.taps -= lead.taps;
      all.facts -= lead.facts;
    },
    having: (words) => {
      if (words.length === 0) return all;
      if (before !== null && before.words.join(' ') === words.join(' ')) return before.found;
      const narrows = before?.words.every((old) => words.some((word) => word.includes(old))) ?? false;
      const found = among(narrows && before !== null ? before.found.leads : all.leads, words);
      before = { words, found };
      return found;
    },
  };
}

function among(leads: readonly Searched[], words: readonly string[]): Found {
  const found = { leads: [] as Searched[], taps: 0, facts: 0, isAll: false };
  for (const lead of leads) {
    if (!words.every((word) => lead.said.includes(word))) continue;
    found.leads.push(lead);
    found.taps += lead.taps;
    found.facts += lead.facts;
  }
  return found;
}

/** Position of a lead, or its insertion point, in the order of the list (the order of `latest` in `lead-query.ts`). */
function placeOf({ later, lead }: Searched, leads: readonly Searched[]): number {
  let from = 0;
  let to = leads.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = leads[middle];
    if (other !== undefined && (other.later < later || (other.later === later && other.lead < lead)))
      from = middle + 1;
    else to = middle;
  }
  return from;
}
