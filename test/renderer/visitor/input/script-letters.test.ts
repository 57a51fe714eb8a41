/** Letters of other scripts: kana with their marks, characters by pinyin. */
import { describe, expect, it } from 'vitest';
import { katakana, marked } from '../../../../src-renderer/visitor/input/kana.ts';
import { candidatesFor } from '../../../../src-renderer/visitor/input/pinyin.ts';

describe('kana', () => {
  it('gets and loses its marks', () => {
    expect(marked('か', '゛')).toBe('が');
    expect(marked('が', '゛')).toBe('か');
    expect(marked('ば', '゜')).toBe('ぱ');
    expect(marked('ぱ', '゛')).toBe('ば');
    expect(marked('ウ', '゛')).toBe('ヴ');
    expect(marked('つ', '小')).toBe('っ');
    expect(marked('っ', '小')).toBe('つ');
    expect(marked('ヤ', '小')).toBe('ャ');
  });

  it('returns null for a mark that does not fit the letter', () => {
    for (const letter of ['あ', 'ん', 'ー', 'a', '机', '']) expect(marked(letter, '゜')).toBeNull();
    for (const letter of ['か', 'ん', 'a', '']) expect(marked(letter, '小')).toBeNull();
  });

  it('changes from hiragana to katakana, and other characters stay', () => {
    expect(katakana('ろぼっとアーム a')).toBe('ロボットアーム a');
  });
});

describe('pinyin', () => {
  it('offers common characters first, and keeps the letters after the first syllable', () => {
    expect(candidatesFor('jiqiren')).toMatchObject({ rest: 'qiren' });
    expect(candidatesFor('ji').characters.slice(0, 3)).toContain('机');
    expect(candidatesFor('qi').characters.slice(0, 8)).toContain('器');
    expect(candidatesFor('ren').characters[0]).toBe('人');
  });

  it('offers characters for the beginning of a syllable, and none without a match', () => {
    expect(candidatesFor('zh').characters.length).toBeGreaterThan(20);
    expect(candidatesFor('').characters).toEqual([]);
    expect(candidatesFor('vvv').characters).toEqual([]);
  });
});
