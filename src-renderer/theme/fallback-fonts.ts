/**
 * Preloads fonts for names in other scripts. When the page's font lacks a script, its first letter costs the browser a
 * tenth of a second or more. So the browser looks up the font before a visitor waits for it.
 *
 * Invariants:
 * - The letters are invisible, not read aloud, and removed afterwards.
 * - One short piece at a time, only while the page is idle.
 */

/** A few letters of scripts that are common in names, and an emoji. */
const letters = 'Ωж אאع ऄहि বা தமி ไทย ქა Հա 한국 かカ 字語 🙂';

/** The weights used for names: headline and text (`visitor/screen/screen.css`). */
const weights = ['750', '400'];

/**
 * Preloads the fonts for pages in these languages (BCP 47 tags), in this order. Returns the function that stops it.
 */
export function lookUpFallbackFonts(page: Window, languages: readonly string[]): () => void {
  const pieces = languages.flatMap((language) => weights.map((weight) => ({ language, weight })));
  let handle = 0;
  const next = () => {
    const piece = pieces.shift();
    if (piece === undefined) return;
    layOut(page.document, piece);
    handle = page.requestIdleCallback(next);
  };
  handle = page.requestIdleCallback(next);
  return () => page.cancelIdleCallback(handle);
}

/** Renders the letters, which makes the browser look up their fonts. */
function layOut(document: Document, piece: { readonly language: string; readonly weight: string }): void {
  const span = document.createElement('span');
  span.lang = piece.language;
  span.textContent = letters;
  span.ariaHidden = 'true';
  Object.assign(span.style, {
    ...{ position: 'absolute', visibility: 'hidden' },
    ...{ fontFamily: 'var(--type)', fontWeight: piece.weight },
  });
  document.body.append(span);
  span.getBoundingClientRect();
  span.remove();
}
