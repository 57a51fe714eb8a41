/**
 * Faults of a `stand.json` as sentences for its author. Pure.
 *
 * Invariants:
 * - A fault is one sentence: where it is (counted from 1), what is wrong, and what is allowed. No text comes from the
 *   schema library.
 * - A sentence repeats only as much of the file as is needed to find the place.
 * - A language code is BCP 47 (RFC 5646) with the shortest code of its language, as the screens compare them; `_` counts
 *   as `-`. The two-letter codes are listed here, because not every runtime has the names of all languages.
 */
import { z } from 'zod';

type Reported = Pick<z.core.$ZodIssue, 'path' | 'message'> & { readonly code: string };

/** A group of settings with exactly these names. */
export function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? noSuchSetting(issue.keys, Object.keys(shape)) : undefined,
  });
}

/** An issue as a sentence without its full stop. Its message comes from our schema or from `wordsOf`. */
export function faultOf({ code, path, message }: Reported): string {
  // The message already contains the wrong key.
  const place = whereIs((code === 'invalid_key' ? path.slice(0, -1) : path).map(String));
  return place === '' ? message : `${place}: ${message}`;
}

/** The message of an issue for which our schema has none. */
export const wordsOf: z.core.$ZodErrorMap = (issue) => {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = kinds[issue.expected] ?? 'something else';
      return input === undefined
        ? `it is missing; it must be ${wanted}`
        : `it must be ${wanted}, not ${kindOf(input)}`;
    }
    case 'invalid_value': {
      const wanted = `it must be ${listOf(
        issue.values.map((value) => JSON.stringify(value)),
        'or',
      )}`;
      return input === undefined ? `it is missing; ${wanted}` : `${wanted}, not ${shown(input)}`;
    }
    case 'too_big':
      return Array.isArray(input)
        ? `there are ${input.length}, but at most ${issue.maximum} are allowed`
        : `it has ${String(input).length} characters, but at most ${issue.maximum} are allowed`;
    case 'too_small':
      return 'it is empty; it needs at least one character';
    case 'invalid_format':
      return 'it must be a web address that begins with https:// or http://';
    case 'invalid_key':
      return languageFault(String(input)) ?? 'it has a wrong name';
    default:
      return 'it differs from the format in docs/stand-settings.md';
  }
};

function noSuchSetting(names: readonly string[], allowed: readonly string[]): string {
  const [first = '', ...more] = names.map(shown);
  const wrong = [first, ...more].join(' and no setting ');
  return `there is no setting ${wrong}; here there are ${listOf(allowed, 'and')}`;
}

function listOf(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in quotation marks',
  boolean: 'true or false, without quotation marks',
  array: 'a list in [ ]',
  object: 'a group of settings in { }',
  record: 'texts by language in { }, such as { "en": "Yes", "de": "Ja" }',
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a group in { }';
  return typeof value === 'string' ? `the text ${shown(value)}` : shown(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 42 ? `${text.slice(0, 40)}..."` : text;
}

/** Lists whose entries are numbered in a message. */
const counted: Readonly<Record<string, string>> = {
  consents: 'consent',
  questions: 'question',
  form: 'form question',
  options: 'option',
};

/** `['questions', '2', 'options', '0', 'text', 'de']` is question 3, option 1, text in "de". */
function whereIs(path: readonly string[]): string {
  const [name, next] = path;
  if (name === undefined) return '';
  const entry = counted[name];
  const isPair = next !== undefined && (entry !== undefined || name === 'text' || name === 'texts');
  const place = !isPair
    ? name
    : entry === undefined
      ? `text in ${JSON.stringify(next)}`
      : `${entry} ${Number(next) + 1}`;
  const rest = whereIs(path.slice(isPair ? 2 : 1));
  return rest === '' ? place : `${place}, ${rest}`;
}

/** ISO 639-1, without codes that were withdrawn. */
const TWO_LETTERS = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en ' +
    'eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja ' +
    'jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb ' +
    'nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq ' +
    'sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
);
/** The contract's limit. */
const LONGEST = 35;

/** The fault of a language code as text, or null. */
export function languageFault(code: string): string | null {
  const [language = ''] = code.toLowerCase().split(/[-_]/);
  const canonical = code.length <= LONGEST ? canonicalOf(code) : null;
  if (canonical !== null) {
    if (TWO_LETTERS.has(language)) return null;
    const [shortest = ''] = canonical.split('-');
    if (language.length === 3 && shortest === language) return null;
    if (TWO_LETTERS.has(shortest)) return `${JSON.stringify(code)} must be written "${shortest}"`;
  }
  const shown = JSON.stringify(code.slice(0, LONGEST));
  return `${shown} is not a language code; codes are such as "en", "de", "zh" or "pt-BR"`;
}

/** The canonical BCP 47 tag. Null when it is invalid. */
function canonicalOf(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}
