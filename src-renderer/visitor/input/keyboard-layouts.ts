/**
 * Letters of the keyboard on the screen, by language. Languages that write otherwise get Latin letters here; their
 * own come from the keyboard or the input method of the machine.
 *
 * Invariant: at most twelve keys in a row, so that each is wide enough for a finger at 1280 px.
 */
const qwerty = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const rows: Readonly<Record<string, readonly string[]>> = {
  de: ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnmß'],
  fr: ['azertyuiop', 'qsdfghjklm', 'wxcvbnéèà'],
  es: ['qwertyuiop', 'asdfghjklñ', 'zxcvbnmáé'],
  it: ['qwertyuiop', 'asdfghjklò', 'zxcvbnmàè'],
  pt: ['qwertyuiop', 'asdfghjklç', 'zxcvbnmãõ'],
};

const accents = ['áàâäãåæąçćčď', 'éèêëęíìîïłñń', 'óòôöõøœśšßťů', 'úùûüýÿźžżðþğ'];
const signs = ['1234567890', '@.,:;!?()&', '-_/+*#%€"’'];

export type KeyLayer = 'letters' | 'accents' | 'signs';

/** The rows of `layer` for a page in `language`, one string a row, one character a key. */
export function keyRows(language: string, layer: KeyLayer): readonly string[] {
  if (layer === 'accents') return accents;
  if (layer === 'signs') return signs;
  return rows[language.toLowerCase().split('-')[0] ?? ''] ?? qwerty;
}
