/**
 * Picks the text that fits the screen's language best from texts that the stand wrote in several languages.
 *
 * Invariant: pure. If there is any text, one is returned. The order is: the same language tag, its base language,
 * another region, English, the first.
 */

/** The entry of `byLanguage` (BCP 47 tags) that fits `wanted` best, with its tag. Null if there is none. */
export function nearest<T>(
  byLanguage: Readonly<Record<string, T>>,
  wanted: string,
): { readonly language: string; readonly value: T } | null {
  const tags = Object.keys(byLanguage);
  const lower = wanted.toLowerCase();
  const base = baseOf(lower);
  const found =
    tags.find((tag) => tag.toLowerCase() === lower) ??
    tags.find((tag) => tag.toLowerCase() === base) ??
    tags.find((tag) => baseOf(tag) === base) ??
    tags.find((tag) => baseOf(tag) === 'en') ??
    tags[0];
  const value = found === undefined ? undefined : byLanguage[found];
  return found === undefined || value === undefined ? null : { language: found, value };
}

/** The text that fits `wanted` best. Empty if none was written. */
export function ownText(texts: Readonly<Record<string, string>>, wanted: string): string {
  return nearest(texts, wanted)?.value ?? '';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
