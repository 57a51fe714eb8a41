/**
 * Preloads fonts for other scripts. When the page's font lacks a script, the first letter of that script in a weight
 * and size costs the browser 2 to 40 ms, and the first such letter of all costs 100 ms or more. So the browser looks up
 * these fonts before a visitor waits for them.
 *
 * Invariants:
 * - The letters are invisible, not read aloud, and removed afterwards.
 * - One short piece at a time, only while the page is idle.
 * - Soon after a view was shown once, its fonts are known in all languages of the page, except for a headline whose
 *   size differs by language.
 */

/** A few letters of scripts that are common in names, and an emoji. */
const letters = 'Ωж אאع ऄहि বা தமி ไทย ქა Հա 한국 かカ 字語 🙂';

/** The weights used for names: headline and text (`visitor/screen/screen.css`). */
const weights = ['750', '400'];

/** A few letters for each language of the page whose script the page's font lacks. */
const scripts: Readonly<Record<string, string>> = { ar: 'ع', ja: 'かカ字', zh: '字' };

type Piece = {
  readonly text: string;
  readonly language: string;
  readonly weight: string;
  readonly size: string;
};

/**
 * Preloads the fonts for pages in these languages (BCP 47 tags), in this order: at once for names, and for the texts of
 * each view after it was shown in any language. Returns the function that stops it.
 */
export function lookUpFallbackFonts(page: Window, languages: readonly string[]): () => void {
  const { document } = page;
  const pieces: Piece[] = languages.flatMap((language) =>
    weights.map((weight) => ({ text: letters, language, weight, size: 'inherit' })),
  );
  const known = new Set<string>();
  let isDue = true;
  let handle = 0;
  const next = () => {
    if (isDue) {
      isDue = false;
      for (const { weight, size } of fontsIn(document)) {
        if (known.has(`${weight} ${size}`)) continue;
        known.add(`${weight} ${size}`);
        for (const [language, text] of Object.entries(scripts))
          if (languages.includes(language)) pieces.push({ text, language, weight, size });
      }
    }
    const piece = pieces.shift();
    if (piece !== undefined) layOut(document, piece);
    handle = piece === undefined ? 0 : page.requestIdleCallback(next);
  };
  const views = new MutationObserver(() => {
    isDue = true;
    if (handle === 0) handle = page.requestIdleCallback(next);
  });
  views.observe(document.body, { subtree: true, attributeFilter: ['data-view'] });
  handle = page.requestIdleCallback(next);
  return () => {
    views.disconnect();
    page.cancelIdleCallback(handle);
  };
}

/** Weight and size of each text on the display, some of them several times. */
function fontsIn(document: Document): readonly { readonly weight: string; readonly size: string }[] {
  return [...document.querySelectorAll('.display *')].flatMap((element) => {
    if (![...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)) return [];
    const { fontWeight, fontSize } = getComputedStyle(element);
    return [{ weight: fontWeight, size: fontSize }];
  });
}

/** Renders the letters, which makes the browser look up their fonts. */
function layOut(document: Document, { text, language, weight, size }: Piece): void {
  const span = document.createElement('span');
  span.lang = language;
  span.textContent = text;
  span.ariaHidden = 'true';
  Object.assign(span.style, {
    ...{ position: 'absolute', visibility: 'hidden' },
    ...{ fontFamily: 'var(--type)', fontWeight: weight, fontSize: size },
  });
  document.body.append(span);
  span.getBoundingClientRect();
  span.remove();
}
