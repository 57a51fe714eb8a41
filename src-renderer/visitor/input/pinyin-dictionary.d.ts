/** The dictionary of pinyin-match, which its own types leave out: characters by syllable, the most common first. */
declare module 'pinyin-match/src/simplified_dict.js' {
  export const dict: Readonly<Record<string, string>>;
}
