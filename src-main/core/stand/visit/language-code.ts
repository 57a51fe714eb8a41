/**
 * Which keys of a text by language are language codes a screen can look for. Pure.
 *
 * Invariants: a code is BCP 47 (RFC 5646) with the shortest code of its language, as the screens compare them; `_` is
 * taken for `-`; the two-letter codes stand here, because not every runtime carries the names of all languages.
 */

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
/** As the contract bounds it. */
const LONGEST = 35;

/** Null for a language code, or what is wrong with it in words. */
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
  return `${shown} is no language code; codes are such as "en", "de", "zh" or "pt-BR"`;
}

/** The tag as BCP 47 writes it; null when it is none. */
function canonicalOf(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}
