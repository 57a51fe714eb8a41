/**
 * What is wrong with a `stand.json`, in words of whoever wrote it. Pure.
 *
 * Invariants: a fault is one sentence that says where it is, counted from 1, what is wrong, and what is allowed; no
 * words of a library; of what was written no more is repeated than shows which place is meant.
 */
import { z } from 'zod';
import { languageFault } from './language-code.ts';

type Reported = Pick<z.core.$ZodIssue, 'path' | 'message'> & { readonly code: string };

/** A group of settings with exactly these names. */
export function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? noSuchSetting(issue.keys, Object.keys(shape)) : undefined,
  });
}

/** An issue as a sentence without its full stop; its message must be ours, or of `wordsOf`. */
export function faultOf({ code, path, message }: Reported): string {
  // Of a wrong key, the message names it.
  const place = whereIs((code === 'invalid_key' ? path.slice(0, -1) : path).map(String));
  return place === '' ? message : `${place}: ${message}`;
}

/** What an issue of ours says where its schema says nothing. */
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
      return 'it is not as the document of the settings shows it';
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

/** Lists whose entries people count. */
const counted: Readonly<Record<string, string>> = {
  consents: 'consent',
  questions: 'question',
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
