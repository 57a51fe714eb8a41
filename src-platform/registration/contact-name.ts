/**
 * The name, e-mail address and phone number of a visitor who has them only in `contact`, as some clients of this API
 * send them (docs/decisions/name-in-contact.md). Pure.
 *
 * Invariants
 * - A field that the visitor already has is never changed.
 * - `contact` is kept as it was sent.
 */
import type { Doc } from '../store/records.ts';

type Contact = { readonly name?: string; readonly email?: string; readonly phone?: string };

/** Scripts in which the family name comes first. */
const familyFirst = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\s・]+$/u;

/**
 * The visitor, completed with the fields of its contact. If it has no name at all, it is returned without a last
 * name.
 */
export function withContact(visitor: Doc): Doc {
  const contact = visitor.contact as Contact | undefined;
  if (contact === undefined) return visitor;
  const isNamed = visitor.lastName !== undefined || visitor.firstName !== undefined;
  const { firstName, lastName } = isNamed ? { firstName: null, lastName: null } : partsOf(contact.name ?? '');
  return {
    ...visitor,
    ...(firstName === null ? {} : { firstName }),
    ...(lastName === null ? {} : { lastName }),
    ...(visitor.email === undefined && contact.email !== undefined ? { email: contact.email } : {}),
    ...(visitor.phone === undefined && contact.phone !== undefined ? { phone: contact.phone } : {}),
  };
}

/** First and last name: "Nora Keller", "Keller, Nora", "山田 太郎". A single word is the last name. */
function partsOf(name: string): { readonly firstName: string | null; readonly lastName: string | null } {
  const [family = '', given = ''] = name.split(',', 2).map((part) => part.trim());
  if (family !== '' && given !== '') return { firstName: given, lastName: family };
  const words = name.split(/[\s,]+/u).filter((word) => word !== '');
  const last = familyFirst.test(name) ? words.shift() : words.pop();
  return { firstName: words.join(' ') || null, lastName: last ?? null };
}
