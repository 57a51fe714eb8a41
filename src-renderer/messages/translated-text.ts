/**
 * Picks the text for the screen's language from texts that the stand wrote in several languages.
 *
 * Invariant: pure. If any text exists, one is found: the language itself, its base language, another region of it,
 * English, the first.
 */

/** The nearest entry of `byLanguage` (BCP 47 tags) to `wanted`, with its tag; null if there is none. */
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

/** The text nearest to `wanted`; empty if none was written. */
export function ownText(texts: Readonly<Record<string, string>>, wanted: string): string {
  return nearest(texts, wanted)?.value ?? '';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
