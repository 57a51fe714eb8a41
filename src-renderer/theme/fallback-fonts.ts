/**
 * Preloads fonts for other scripts. When the page's font lacks a script, the first letter of that script in a weight
 * and size costs the browser 2 to 40 ms, and the first such letter of all costs 100 ms or more. So the browser looks up
 * these fonts before a visitor waits for them.
 *
 * Invariants:
 * - The letters are invisible, not read aloud, and removed afterwards.
 * - One short piece at a time, only while the page is idle.
 * - Soon after a view was shown once, its fonts are known in all languages of the page. While all fonts that the page
 *   shows are known, the other languages are not measured again.
 */

/** A few letters of scripts that are common in names, and an emoji. */
const letters = 'Ωж אאع ऄहि বা தமி ไทย ქა Հա 한국 かカ 字語 🙂';

/** The weights used for names: headline and text (`visitor/screen/screen.css`). */
const weights = ['750', '400'];

/** A few letters for each language of the page whose script the page's font lacks. */
const scripts: Readonly<Record<string, string>> = { ar: 'ع', ja: 'かカ字', zh: '字' };

/** Values of a text's properties. The browser keeps a font for each combination. */
type Font = {
  readonly fontWeight: string;
  readonly fontSize: string;
  readonly letterSpacing: string;
  readonly fontVariantNumeric: string;
};

type Piece = { readonly text: string; readonly language: string; readonly font: Partial<Font> };

/**
 * Preloads the fonts for pages in these languages (BCP 47 tags), in this order: at once for names, and for the texts of
 * each view after it was shown in any language. Returns the function that stops it.
 */
export function lookUpFallbackFonts(page: Window, languages: readonly string[]): () => void {
  const { document } = page;
  const pieces: Piece[] = languages.flatMap((language) =>
    weights.map((fontWeight) => ({ text: letters, language, font: { fontWeight } })),
  );
  const written = languages.filter((language) => language in scripts);
  const known = new Set<string>();
  /** Whether the shown view may have fonts that are not known. */
  let isNew = true;
  /** Languages in which the shown view is still to be measured. */
  let due: readonly string[] = [];
  let handle = 0;
  const unknownIn = (language: string) =>
    new Map(
      fontsIn(document, language)
        .map((font) => [[language, ...Object.values(font)].join(' '), font] as const)
        .filter(([name]) => !known.has(name)),
    );
  const next = () => {
    const own = document.documentElement.lang;
    if (isNew) due = unknownIn(own).size === 0 ? [] : written;
    isNew = false;
    const [language, ...others] = due;
    const piece = language === undefined ? pieces.shift() : undefined;
    if (language !== undefined) {
      due = others;
      for (const [name, font] of unknownIn(language)) {
        known.add(name);
        pieces.push({ text: scripts[language] ?? '', language, font });
      }
      if (due.length === 0) for (const name of unknownIn(own).keys()) known.add(name);
    }
    if (piece !== undefined) layOut(document, piece);
    handle = due.length + pieces.length === 0 ? 0 : page.requestIdleCallback(next);
  };
  const views = new MutationObserver(() => {
    isNew = true;
    if (handle === 0) handle = page.requestIdleCallback(next);
  });
  views.observe(document.body, { subtree: true, attributeFilter: ['data-view'] });
  handle = page.requestIdleCallback(next);
  return () => {
    views.disconnect();
    page.cancelIdleCallback(handle);
  };
}

/**
 * The fonts of the texts on the display in this language, some of them several times. Sizes differ by the language of
 * the page, so the page has this language for the moment, and nothing is painted meanwhile.
 */
function fontsIn(document: Document, language: string): readonly Font[] {
  const page = document.documentElement;
  const own = page.lang;
  if (language !== own) page.lang = language;
  const fonts = [...document.querySelectorAll('.display *')].flatMap((element) => {
    if (![...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)) return [];
    const { fontWeight, fontVariantNumeric } = getComputedStyle(element);
    const [fontSize, letterSpacing] = [exact(element, 'font-size'), exact(element, 'letter-spacing')];
    return [{ fontWeight, fontSize, letterSpacing, fontVariantNumeric }];
  });
  if (language !== own) page.lang = own;
  return fonts;
}

/** A computed length. `getComputedStyle` rounds it, and the rounded one is another font. */
function exact(element: Element, property: string): string {
  const value = element.computedStyleMap().get(property);
  return value instanceof CSSUnitValue ? `${value.value}${value.unit}` : String(value);
}

/** Renders the letters, which makes the browser look up their fonts. */
function layOut(document: Document, { text, language, font }: Piece): void {
  const span = document.createElement('span');
  span.lang = language;
  span.textContent = text;
  span.ariaHidden = 'true';
  Object.assign(span.style, {
    ...{ position: 'absolute', visibility: 'hidden' },
    ...{ fontFamily: 'var(--type)', ...font },
  });
  document.body.append(span);
  span.getBoundingClientRect();
  span.remove();
}
