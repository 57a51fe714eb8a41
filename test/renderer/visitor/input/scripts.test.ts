/**
 * The on-screen keyboard in every script: it is used to find contents and to write comments in the language of the
 * page.
 */
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../browser.ts';
import { captured } from '../../device/captured.ts';
import { demoOffer, demoQuestions } from '../../device/demo-stand.ts';
import { devicePages } from '../../device/device-pages.ts';
import { layOut, tapOn } from '../../screens/session-screens.ts';

const { scripted, open } = await devicePages();
let page: Page;

describe('the on-screen keyboard', () => {
  const press = async (keys: readonly string[]) => {
    for (const key of keys)
      await page
        .locator('.keyboard .key')
        .filter({ hasText: new RegExp(`^${key}$`) })
        .click();
  };
  /** A content picker of forty contents, one of them named `name`, in `language`, with its search open. */
  const search = async (language: string, name: string) => {
    page = await open(language);
    scripted.setState({ purpose: 'content' });
    layOut(scripted, 40);
    scripted.offer = demoOffer(40).map((item, index) => (index === 39 ? { ...item, name } : item));
    await waitFor(page, '.notice-brief');
    scripted.tap(captured());
    await waitFor(page, '.reward');
    await page.locator('.reward').dispatchEvent('click');
    await waitFor(page, '.content-picker-input');
    await page.locator('.content-picker-input').click();
    await waitFor(page, '.keyboard');
  };
  const finds = async (name: string) => {
    await expect
      .poll(() => page.locator('.card-name').allTextContents(), { timeout: 40_000 })
      .toEqual([name]);
  };

  it('types codes in capitals while the digits are visible', async () => {
    page = await open('de');
    scripted.setState({ codePad: 'letters' });
    await page.locator('.foot-start .quiet-button').click();
    await waitFor(page, '.typed-code .keyboard');
    await press(['A', '1', 'Z', '-', '0']);
    expect(await page.locator('.typed-code input').inputValue()).toBe('A1Z-0');
    expect(await page.locator('.keyboard .key').allInnerTexts()).toContain('Q');
  });

  it('finds an Arabic name', async () => {
    await search('ar', 'مؤتمر الذراع');
    await press(['م', 'ؤ', 'ت', 'م', 'ر']);
    await finds('مؤتمر الذراع');
  });

  it('finds a katakana name, with voiced and small letters and the long mark', async () => {
    await search('ja', 'ロボットアーム');
    await press(['カナ', 'ロ', 'ホ', '゛', 'ツ', '小', 'ト', 'ア', 'ー']);
    expect(await page.locator('.content-picker-input').inputValue()).toBe('ロボットアー');
    await finds('ロボットアーム');
  });

  it('finds a Chinese name, typed in pinyin', async () => {
    await search('zh', '机器人手臂');
    await press(['j', 'i', 'q', 'i', 'r', 'e', 'n', '机', '器', '人']);
    expect(await page.locator('.content-picker-input').inputValue()).toBe('机器人');
    await finds('机器人手臂');
  });

  it('deletes letters of pinyin before characters, and writes Latin letters as well', async () => {
    await search('zh', 'ABB');
    await press(['r', 'e', 'n', '人', 'j', '⌫', '⌫']);
    expect(await page.locator('.content-picker-input').inputValue()).toBe('');
    await press(['abc', '⇧', 'A']);
    expect(await page.locator('.content-picker-input').inputValue()).toBe('A');
  });

  it('writes a comment in hiragana', async () => {
    page = await open('ja');
    layOut(scripted, 0, { questions: [demoQuestions.text] });
    await waitFor(page, '.notice-brief');
    await tapOn(scripted, page, captured({ openQuestions: ['wish'] }));
    await waitFor(page, '.keyboard');
    await press(['あ', 'り', 'か', '゛', 'と', 'う']);
    expect(await page.locator('.field-input').inputValue()).toBe('ありがとう');
  });

  /** A comment in `language`, with its keyboard open. */
  const comment = async (language: string) => {
    page = await open(language);
    layOut(scripted, 0, { questions: [demoQuestions.text] });
    await waitFor(page, '.notice-brief');
    await tapOn(scripted, page, captured({ openQuestions: ['wish'] }));
    await waitFor(page, '.keyboard');
  };
  const space = () => page.locator('.key-space').click();
  const written = () => page.locator('.field-input').inputValue();
  /** Chooses a character for a syllable, on whichever page of candidates it is. */
  const choose = async (syllable: string, character: string) => {
    await press([...syllable]);
    const key = page.locator('.pinyin-row .key', { hasText: new RegExp(`^${character}$`) });
    for (let turn = 0; turn < 40 && !(await key.isVisible()); turn += 1)
      await page.locator('.pinyin-row .key', { hasText: '›' }).click();
    await key.click();
  };

  it('writes Japanese names, in hiragana and in katakana', async () => {
    await comment('ja');
    await press(['や', 'ま', 'た', '゛']);
    await space();
    await press(['し', '゛', 'ゆ', '小', 'ん', 'い', 'ち']);
    await space();
    await press(['カナ', 'シ', '゛', 'ヨ', '小', 'ー', 'シ', '゛']);
    expect(await written()).toBe('やまだ じゅんいち ジョージ');
  });

  it('writes an Arabic name, from right to left', async () => {
    await comment('ar');
    await press([...'عائشة']);
    await space();
    await press([...'الأحمد']);
    expect(await written()).toBe('عائشة الأحمد');
    const direction = "getComputedStyle(document.querySelector('.field-input')).direction";
    expect(await page.evaluate(direction)).toBe('rtl');
  });

  it('writes a Chinese name, whose characters are rare or beyond the first candidates', async () => {
    await comment('zh');
    await choose('ou', '欧');
    await choose('yang', '阳');
    await choose('xue', '雪');
    await choose('lin', '琳');
    expect(await written()).toBe('欧阳雪琳');
  });

  it('types codes of badges in Latin letters, even in Arabic', async () => {
    page = await open('ar');
    await page.locator('.foot-start .quiet-button').click();
    await waitFor(page, '.keyboard');
    await press(['Q']);
    expect(await page.locator('.field-input').inputValue()).toBe('Q');
  });
});
