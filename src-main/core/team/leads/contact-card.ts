/**
 * Reads a vCard (RFC 6350 and its predecessors) or MECARD as a contact. Pure; never throws.
 *
 * Invariants:
 * - Data that has no field in the contact is returned separately. Unknown properties are left out.
 * - Every field, and every line of `more`, is clean text of at most 200 characters.
 * - A card without data of a person gives null.
 */
import type { Contact, ContactCard } from '../../../contract/people.ts';
import { cleanLine } from '../../foundations/text/typed-text.ts';

const LONGEST_TEXT = 20_000;
const LONGEST_FIELD = 200;
/** Maximum number of additional lines. */
const MOST_LINES = 20;

type Property = { readonly name: string; readonly parameters: string; readonly value: string };

/** The person in a card's text, or null. */
export function readContactCard(text: string): ContactCard | null {
  const card = text.slice(0, LONGEST_TEXT).trimStart();
  if (/^BEGIN:VCARD/iu.test(card)) return cardOf(vcardProperties(card), ';');
  if (/^MECARD:/iu.test(card)) return cardOf(mecardProperties(card.slice('MECARD:'.length)), ',');
  return null;
}

function cardOf(properties: readonly Property[], between: ';' | ','): ContactCard | null {
  const contact = contactOf(properties, between);
  return contact === null ? null : { contact, more: linesBeside(contact, properties, between) };
}

/** Data that has no field in the contact: the full name with its title, addresses, further numbers, notes. */
function linesBeside(contact: Contact, properties: readonly Property[], between: ';' | ','): string {
  const known = new Set<string | null>(Object.values(contact));
  const fullName = [contact.firstName, contact.lastName].filter((part) => part !== null).join(' ');
  const lines = properties.flatMap(({ name, value }): readonly (string | null)[] => {
    switch (name) {
      case 'FN': {
        const whole = plain(value);
        return whole === fullName ? [] : [whole];
      }
      case 'N':
        return [properties.some((one) => one.name === 'FN') ? null : titleIn(value, between)];
      case 'ADR':
        return [plain(parts(value, between).map(plain).filter(Boolean).join(', '))];
      case 'ORG':
        return parts(value, ';').slice(1).map(plain);
      case 'TEL':
        return [plain(value.replace(/^tel:/iu, ''))];
      case 'TITLE':
      case 'ROLE':
      case 'EMAIL':
      case 'URL':
      case 'NOTE':
        return [plain(value)];
      default:
        return [];
    }
  });
  const beside = lines.filter((line) => line !== null && !known.has(line));
  return [...new Set(beside)].slice(0, MOST_LINES).join('\n');
}

/** The title before a name (RFC 6350, 6.2.2: the fourth part). */
function titleIn(name: string, between: ';' | ','): string | null {
  return plain(parts(name, between)[3] ?? '');
}

function contactOf(properties: readonly Property[], between: ';' | ','): Contact | null {
  const first = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const found = properties.find((property) => property.name === name && plain(property.value) !== null);
      if (found !== undefined) return plain(found.value);
    }
    return null;
  };
  const [last = null, given = null] = parts(
    properties.find(({ name }) => name === 'N')?.value ?? '',
    between,
  ).map(plain);
  const whole = first('FN');
  const isNamed = last !== null || given !== null;
  const [firstOfWhole = null, ...others] = whole?.split(' ') ?? [];
  const contact: Contact = {
    firstName: isNamed ? given : others.length === 0 ? null : firstOfWhole,
    lastName: isNamed ? last : others.length === 0 ? firstOfWhole : others.join(' '),
    company: plain(parts(properties.find(({ name }) => name === 'ORG')?.value ?? '', ';')[0] ?? ''),
    jobTitle: first('TITLE', 'ROLE'),
    email: first('EMAIL'),
    phone: phoneOf(properties),
  };
  return Object.values(contact).every((field) => field === null) ? null : contact;
}

/** Prefers a mobile number to a fixed line. Never returns a fax number. */
function phoneOf(properties: readonly Property[]): string | null {
  const phones = properties.filter(
    ({ name, parameters }) => name === 'TEL' && !/fax|pager/iu.test(parameters),
  );
  const chosen = phones.find(({ parameters }) => /cell|mobile/iu.test(parameters)) ?? phones[0];
  return chosen === undefined ? null : plain(chosen.value.replace(/^tel:/iu, ''));
}

/** RFC 6350, 3.2 and 3.3: folded lines, groups before a dot, parameters before the first colon outside quotes. */
function vcardProperties(card: string): readonly Property[] {
  return joinSoftBreaks(card.replace(/\r?\n[ \t]/gu, ''))
    .split(/\r?\n|\r/u)
    .flatMap((line) => {
      const match = /^((?:[^":]|"[^"]*")*?):(.*)$/su.exec(line);
      if (match === null) return [];
      const [, head = '', value = ''] = match;
      const [name = '', ...parameters] = head.split(';');
      const told = parameters.join(';');
      const decoded = /quoted-printable/iu.test(told) ? decodeQuoted(value) : value;
      return [
        { name: (name.split('.').at(-1) ?? '').trim().toUpperCase(), parameters: told, value: decoded },
      ];
    });
}

/** vCard 2.1 continues a quoted-printable line that ends with `=`. */
function joinSoftBreaks(card: string): string {
  return /quoted-printable/iu.test(card) ? card.replace(/=\r?\n/gu, '') : card;
}

function decodeQuoted(value: string): string {
  const bytes = value.replace(/=([0-9a-f]{2})/giu, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  // A text with an unencoded multi-byte character is not quoted-printable.
  if (/[^\0-\u{ff}]/u.test(bytes)) return value;
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/** MECARD (NTT DOCOMO): fields `NAME:value;`. A backslash escapes the next character. */
function mecardProperties(card: string): readonly Property[] {
  return parts(card, ';').flatMap((field) => {
    const colon = field.indexOf(':');
    if (colon < 1) return [];
    return [
      { name: field.slice(0, colon).trim().toUpperCase(), parameters: '', value: field.slice(colon + 1) },
    ];
  });
}

/** Parts between separators without a backslash before them. */
function parts(value: string, separator: ';' | ','): readonly string[] {
  const found: string[] = [''];
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] ?? '';
    if (character === '\\') {
      found[found.length - 1] += character + (value[at + 1] ?? '');
      at += 1;
    } else if (character === separator) found.push('');
    else found[found.length - 1] += character;
  }
  return found;
}

function plain(value: string): string | null {
  const unescaped = value.replace(/\\n/giu, ' ').replace(/\\(.)/gsu, '$1');
  return (
    cleanLine(unescaped.slice(0, 4 * LONGEST_FIELD))
      ?.slice(0, LONGEST_FIELD)
      .toWellFormed() ?? null
  );
}
