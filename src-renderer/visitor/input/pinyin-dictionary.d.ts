/** The dictionary of pinyin-match, missing from its own types: characters by syllable, most common first. */
declare module 'pinyin-match/src/simplified_dict.js' {
  export const dict: Readonly<Record<string, string>>;
}
