/**
 * Layouts of the on-screen keyboard by language: Latin with the letters that the language adds, Arabic, kana, and
 * pinyin, whose letters become characters (`pinyin.ts`).
 *
 * Invariant: at most twelve keys per row, so that each is wide enough for a finger at 1280 px.
 */
export type Script = 'latin' | 'arabic' | 'kana' | 'pinyin';

const qwerty = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const latinRows: Readonly<Record<string, readonly string[]>> = {
  de: ['qwertzuiopü', 'asdfghjklöä', 'yxcvbnmß'],
  fr: ['azertyuiop', 'qsdfghjklm', 'wxcvbnéèà'],
  es: ['qwertyuiop', 'asdfghjklñ', 'zxcvbnmáé'],
  it: ['qwertyuiop', 'asdfghjklò', 'zxcvbnmàè'],
  pt: ['qwertyuiop', 'asdfghjklç', 'zxcvbnmãõ'],
};

const scripts: Readonly<Record<string, Script>> = { ar: 'arabic', ja: 'kana', zh: 'pinyin' };

/** The layout of Arabic keyboards, with the forms of alif and hamza in the last row. */
const arabicRows = ['ضصثقفغعهخحجد', 'شسيبلاتنمكطذ', 'ئءؤرىةوزظأإآ'];

/** The kana, row by row. The last row also gets the keys for the marks. */
const kanaRows = [
  'あいうえおかきくけこ',
  'さしすせそたちつてと',
  'なにぬねのはひふへほ',
  'まみむめもやゆよわをん',
  'らりるれろー、。',
];

const accents = ['áàâäãåæąçćčď', 'éèêëęíìîïłñń', 'óòôöõøœśšßťů', 'úùûüýÿźžżðþğ'];
const signs = ['1234567890', '@.,:;!?()&', '-_/+*#%€"’'];
const arabicSigns = ['1234567890', '@.،:؛!؟()&', '-_/+*#%€"’'];

export type KeyLayer = 'letters' | 'latin' | 'accents' | 'signs';

/** The script used to write in `language`. */
export function scriptOf(language: string): Script {
  return scripts[baseOf(language)] ?? 'latin';
}

/** The rows of `layer` for `language` and `script`: one string per row, one character per key. */
export function keyRows(language: string, script: Script, layer: KeyLayer): readonly string[] {
  if (layer === 'accents') return accents;
  if (layer === 'signs') return script === 'arabic' ? arabicSigns : signs;
  if (layer === 'letters' && script === 'arabic') return arabicRows;
  if (layer === 'letters' && script === 'kana') return kanaRows;
  return latinRows[baseOf(language)] ?? qwerty;
}

function baseOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? '';
}
