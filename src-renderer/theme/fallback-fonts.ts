/**
 * Fonts for names in any script. The first letter of a script that the page's own font does not have costs the browser a
 * tenth of a second and more, in front of the visitor whose name it is: so they are looked up before, while nobody waits.
 *
 * Invariants: nothing of it is seen or read out, or stays in the page; one short piece at a time, and only when the page
 * is at rest.
 */

/** A letter or two of every script that names at a fair are written in, and of emoji. */
const letters = 'Ωж אאع ऄहि বা தமி ไทย ქა Հա 한국 かカ 字語 🙂';

/** The weights in which names are written: headline and text (`visitor/screen/screen.css`). */
const weights = ['750', '400'];

/** Looks the fonts up for pages in these languages (BCP 47 tags), best first. Returns the way to stop. */
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

/** Has the browser lay the letters out, which makes it find their fonts. */
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
