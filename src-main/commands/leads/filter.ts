/**
 * Parses a filter of leads from the command line, e.g. `hot rating>=4 day:2026-11-22 label:Partner "muster ag"`. Pure.
 *
 * Invariants:
 * - an unknown term is reported, never ignored;
 * - a lead must match all terms; of several `label:` terms one is enough, and of other repeated terms the last counts.
 */
import { isDay } from '../../contract/form-rules.ts';
import type { LeadFilter } from '../../contract/leads.ts';

/** The text about filters in `--help`. */
export const FILTER_HELP = `A filter is one or more of these terms, all of which must match:
  hot  unrated  unknown  incomplete  undone  undelivered  parked  as in the list of leads; a minus before one negates it
  rating>=4          rated 4 or better
  day:2026-11-22     visited on that day
  due:2026-11-24     follow-up due on that day or earlier
  label:NAME  consent:ID  content:ID  staff:NAME
  anything else      words to search for; "two words" in quotes stay together
`;

type Read =
  | { readonly kind: 'filter'; readonly filter: LeadFilter }
  | { readonly kind: 'fault'; readonly term: string };

/** Terms without a value. */
const FLAGS = ['hot', 'unrated', 'unknown', 'incomplete', 'undone', 'undelivered', 'parked'] as const;

/** All filters in one line. */
export const FILTER_NAMES = `${FLAGS.join(', ')}, rating>=N, day:, due:, label:, consent:, content:, staff:`;

/** Parses a filter. `labelIds`: the ids of labels with a name. */
export function readFilter(text: string, labelIds: (name: string) => readonly string[] = () => []): Read {
  const filter: LeadFilter = {};
  const words: string[] = [];
  for (const { term, isQuoted } of termsOf(text)) {
    if (isQuoted) words.push(term);
    else if (!addTerm(filter, term, words, labelIds)) return { kind: 'fault', term };
  }
  const search = words.join(' ');
  if (search.length > 200) return { kind: 'fault', term: words[0] ?? '' };
  return { kind: 'filter', filter: search === '' ? filter : { ...filter, search } };
}

function addTerm(
  filter: LeadFilter,
  term: string,
  words: string[],
  labelIds: (name: string) => readonly string[],
): boolean {
  const isNegated = term.startsWith('-');
  const flag = FLAGS.find((known) => known === term.slice(isNegated ? 1 : 0));
  if (flag !== undefined) {
    filter[flag] = !isNegated;
    return true;
  }
  const rating = /^rating>=([1-5])$/u.exec(term)?.[1];
  if (rating !== undefined) {
    filter.ratingAtLeast = Number(rating);
    return true;
  }
  const [, key, value] = /^(\w+):(.+)$/u.exec(term) ?? [];
  if (key === undefined || value === undefined) {
    if (/^rating\W/u.test(term) || isNegated) return false;
    words.push(term);
    return true;
  }
  switch (key) {
    case 'day':
    case 'due':
      if (!isDay(value)) return false;
      filter[key === 'day' ? 'day' : 'followUpBy'] = value;
      return true;
    case 'label':
      filter.labels = [...(filter.labels ?? []), value, ...labelIds(value)];
      return true;
    case 'consent':
    case 'content':
    case 'staff':
      filter[key] = value;
      return true;
    default:
      return false;
  }
}

/** The terms of a text, without quotes; `key:"two words"` is one term. */
function termsOf(text: string): readonly { readonly term: string; readonly isQuoted: boolean }[] {
  return [...text.matchAll(/"([^"]*)"|((?:[^\s"]|"[^"]*")+)/gu)]
    .map(([, quoted, plain]) => ({
      term: quoted ?? plain?.replaceAll('"', '') ?? '',
      isQuoted: quoted !== undefined,
    }))
    .filter(({ term }) => term !== '');
}
