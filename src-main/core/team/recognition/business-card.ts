/**
 * Reads the lines of a business card as a contact. Pure.
 *
 * Invariants:
 * - A field about which recognition or these rules are in doubt stays empty.
 * - The name is a line that matches the e-mail address. Without such a line, a name in a script with upper and lower
 *   case must have at least two words, and each longer word must begin with a capital. Other lines may be a position
 *   or a slogan.
 * - The company is a line with a legal form. Without such a line, it is one that matches the domain of the e-mail
 *   address or website.
 * - E-mail addresses of two people of the card mean two cards in one picture. Their lines are mixed, so nothing is
 *   returned.
 * - Lines without a field (web, address, further numbers) are returned beside the contact.
 */
import type { Contact, ContactCard } from '../../../contract/people.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import { cleanLine } from '../../foundations/text/typed-text.ts';
import type { ReadLine } from './read-line.ts';

/** Below this, a line is doubtful. */
const SURE = 0.6;
const LONGEST_FIELD = 200;

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u;
/** Text that may precede an address. Other text before it may be a part of the address that recognition split off. */
const EMAIL_LABEL = /^(e-?mail|mail|m|e)?[\s:.]*$/iu;
const PHONE = /\+?\(?\d[\d\s().\-/]{6,}\d/u;
const WEB = /\b(https?:\/\/|www\.)\S+/iu;
/** Legal forms of companies in the languages of the screens. */
const LEGAL =
  /(^|[\s.,])(gmbh|ag|kg|se|ug|ohg|inc|llc|ltd|plc|corp|co|sa|sas|sarl|s\.a|s\.r\.l|srl|spa|s\.p\.a|bv|b\.v|nv|n\.v|lda|oy|ab|as|aps)\.?($|[\s,])|株式会社|有限会社|合同会社|有限公司|集团|شركة|مؤسسة/iu;
const POSITION =
  /\b(manager|director|head|chief|officer|engineer|consultant|sales|president|founder|ceo|cto|cfo|buyer|purchasing|leiter|leiterin|geschäftsführer|einkauf|vertrieb|directeur|directrice|responsable|ingénieur|jefe|gerente|ingeniero|responsabile|direttore|diretor|inkoper|verkoper)\b|部長|課長|社長|取締役|担当|主任|经理|总监|工程师|主管|总裁|مدير|مهندس|رئيس/iu;

/** The contact on a card, or null if the lines are not from a card. */
export function readBusinessCard(lines: readonly ReadLine[]): ContactCard | null {
  const sure = lines.filter((line) => line.sure >= SURE && line.text.trim() !== '');
  if (areSeveralCards(sure)) return null;
  const used = new Set<ReadLine>();
  const take = (pattern: RegExp, fits: (before: string) => boolean = () => true): string | null => {
    for (const line of sure) {
      const found = pattern.exec(line.text);
      if (found === null || !fits(line.text.slice(0, found.index))) continue;
      used.add(line);
      return fieldOf(found[0]);
    }
    return null;
  };
  const email = take(EMAIL, (before) => EMAIL_LABEL.test(before))?.toLowerCase() ?? null;
  const phone = take(PHONE);
  const web = take(WEB);
  const rest = sure.filter((line) => !used.has(line) && !EMAIL.test(line.text) && !PHONE.test(line.text));
  const position = rest.find(({ text }) => POSITION.test(text) && !LEGAL.test(text)) ?? null;
  const company = companyIn(rest, email, web);
  const name = nameIn(
    rest.filter((line) => line !== position && line !== company),
    email,
  );
  const [firstName, lastName] = name === null ? [null, null] : namesIn(name.text);
  const contact: Contact = {
    ...{ firstName, lastName, email, phone },
    company: company === null ? null : fieldOf(company.text),
    jobTitle: position === null ? null : fieldOf(position.text),
  };
  if (email === null && phone === null && name === null) return null;
  const beside = sure.filter((line) => ![position, company, name].includes(line));
  const more = [web, ...beside.filter((line) => !used.has(line)).map(({ text }) => cleanLine(text))];
  return { contact, more: more.filter((line) => line !== null).join('\n') };
}

/** Whether two e-mail addresses contain names of the card that have no word in common. */
function areSeveralCards(lines: readonly ReadLine[]): boolean {
  const names = lines.filter(
    ({ text }) =>
      !EMAIL.test(text) && !POSITION.test(text) && !LEGAL.test(text) && looksLikeName(text.trim()),
  );
  const words = new Set(names.flatMap(({ text }) => foldForSearch(text).split(/[^\p{L}]+/u)));
  const [first = [], ...others] = lines
    .flatMap(({ text }) => text.match(new RegExp(EMAIL, 'gu')) ?? [])
    .map((address) =>
      foldForSearch(address.split('@')[0] ?? '')
        .split(/[^\p{L}]+/u)
        .filter((word) => word.length > 2 && words.has(word)),
    )
    .filter((named) => named.length > 0);
  return others.some((named) => !named.some((word) => first.includes(word)));
}

function companyIn(lines: readonly ReadLine[], email: string | null, web: string | null): ReadLine | null {
  const domain = foldForSearch(
    (email?.split('@')[1] ?? web?.replace(/^.*www\./iu, '') ?? '').split('.')[0] ?? '',
  );
  const byDomain =
    domain.length < 3
      ? undefined
      : lines.find(({ text }) =>
          foldForSearch(text)
            .replace(/[^\p{L}\p{N}]/gu, '')
            .includes(domain),
        );
  return lines.find(({ text }) => LEGAL.test(text)) ?? byDomain ?? null;
}

/** The line that matches the address, otherwise the tallest line that looks like a name. */
function nameIn(lines: readonly ReadLine[], email: string | null): ReadLine | null {
  const possible = lines.filter(
    ({ text }) => !/\d/u.test(text) && /^(\p{L}[\p{L}.'’-]*\s*){1,4}$/u.test(text.trim()),
  );
  const words = foldForSearch(email?.split('@')[0] ?? '').split(/[^\p{L}]+/u);
  const named = possible.find(({ text }) =>
    foldForSearch(text)
      .split(/\s+/u)
      .some((word) => word.length > 2 && words.includes(word)),
  );
  const tallest = possible
    .filter(({ text }) => looksLikeName(text.trim()))
    .toSorted((one, other) => other.height - one.height)[0];
  return named ?? tallest ?? null;
}

/** Checks words and capitals. Always true in scripts without upper and lower case. */
function looksLikeName(text: string): boolean {
  if (!/\p{Lu}|\p{Ll}/u.test(text)) return true;
  const words = text.split(/\s+/u);
  return words.length > 1 && words.every((word) => word.length <= 3 || /^\p{Lu}/u.test(word));
}

/** First and last name. In scripts without spaces the whole text is the last name. */
function namesIn(text: string): readonly [string | null, string | null] {
  const words = text.trim().split(/\s+/u);
  const last = words.pop() ?? '';
  return [fieldOf(words.join(' ')), fieldOf(last)];
}

function fieldOf(text: string): string | null {
  return cleanLine(text)?.slice(0, LONGEST_FIELD) ?? null;
}
