/**
 * Kana input: marks that change the letter before the caret, and katakana. Pure.
 *
 * Invariant: a mark that fits the letter is added, a mark that is already there is removed, and any other mark
 * changes nothing.
 */

export type KanaMark = '゛' | '゜' | '小';

/** Distance between the two kana syllabaries in Unicode. */
const katakanaOffset = 'ア'.charCodeAt(0) - 'あ'.charCodeAt(0);

const combining = { ゛: '\u3099', ゜: '\u309a' } as const;

const large = 'あいうえおつやゆよわ';
const small = 'ぁぃぅぇぉっゃゅょゎ';

/** `letter` with `mark` added, or removed if present; null if the mark does not fit. */
export function marked(letter: string, mark: KanaMark): string | null {
  if (letter === '' || mark === '小') return resized(letter);
  const [base = ''] = letter.normalize('NFD');
  const put = `${base}${combining[mark]}`.normalize('NFC');
  if (letter === put) return base;
  return [...put].length === 1 ? put : null;
}

function resized(letter: string): string | null {
  const isKatakana = /[ァ-ヶ]/.test(letter);
  const hiragana = isKatakana ? String.fromCharCode(letter.charCodeAt(0) - katakanaOffset) : letter;
  const [from, to] = large.includes(hiragana) ? [large, small] : [small, large];
  const turned = to[from.indexOf(hiragana)];
  if (hiragana === '' || turned === undefined) return null;
  return isKatakana ? katakana(turned) : turned;
}

/** `letters` with every hiragana as katakana. */
export function katakana(letters: string): string {
  return letters.replace(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + katakanaOffset));
}
