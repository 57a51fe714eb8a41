/**
 * Picks what the stand wrote in several languages for the one on the screen.
 *
 * Invariant: pure; something is found whenever there is anything: the language itself, its base, another region of
 * it, English, the first.
 */

/** The nearest entry of `byLanguage` (BCP 47 tags) to `wanted`, with the tag it stands under; null when it is empty. */
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

/** The text nearest to `wanted`; empty where none was written. */
export function ownText(texts: Readonly<Record<string, string>>, wanted: string): string {
  return nearest(texts, wanted)?.value ?? '';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
