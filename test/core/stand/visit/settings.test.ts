/** What `stand.json` may contain, and the messages for invalid content. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standSchema } from '../../../../src-main/contract/stand.ts';
import { createPictures } from '../../../../src-main/core/event/pictures/pictures.ts';
import { StartRefusal } from '../../../../src-main/core/foundations/refusal.ts';
import { demoSettings, readStandSettings } from '../../../../src-main/data-folder/stand-settings.ts';
import { drawHere } from '../../../drawing/draw-here.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { askingStand, fill, openStandKiosk, smallFair } from './stand-kiosk.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt', 'ar', 'ja', 'zh'];
const document = readFileSync(join(import.meta.dirname, '../../../../docs/stand-settings.md'), 'utf8');

const read = (content: unknown) => {
  const folder = ownFolder();
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, 'stand.json'), text);
  return { folder, settings: () => readStandSettings(folder) };
};

const text = { en: 'A' };
const said = { who: 'We', why: 'So', howLong: 'A year' };
const options = (length: number) => Array.from({ length }, (_, index) => ({ id: `o${index}`, text }));

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('Expected a refusal');
};

describe('stand.json', () => {
  it('may be missing or empty, which changes no setting', () => {
    expect(readStandSettings(ownFolder())).toBeNull();
    expect(read({}).settings()).toMatchObject({
      touchpoint: null,
      notice: null,
      consents: [],
      questions: [],
      showCompany: false,
      email: false,
      screen: { reach: 'usual', camera: false },
    });
  });

  it('may have the documented content, with files beside it', () => {
    const [, example = ''] = /```json\n([\s\S]+?)```/.exec(document) ?? [];
    const { folder, settings } = read(example);
    expect(settings).toThrow(`brand, logo: there is no file ${join(folder, 'logo.svg')}`);
    writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(settings).toThrow(`attract: there is no folder ${join(folder, 'films')}`);
    mkdirSync(join(folder, 'films'));
    expect(settings()).toMatchObject({
      touchpoint: 'AD2026T01',
      brand: { colour: '#1f4bd8', logo: join(folder, 'logo.svg') },
      attract: join(folder, 'films'),
    });
    expect(settings()?.questions.map(({ kind }) => kind)).toEqual(['choice', 'rating', 'text']);
  });

  it.each([
    ['{', 'it is not JSON; look at line 1, character 2, and just before'],
    ['', 'it is empty; {} is the least it must hold'],
    ['\u0000{\u0000}', 'it is not saved as UTF-8'],
    ['[]', 'it must be a group of settings in { }, not a list'],
    [
      { quesions: [] },
      'there is no setting "quesions"; here there are touchpoint, headline, notice, consents, questions, form, brand, attract, screen, letter, hot, retentionDays, undoSeconds, door, showCompany and email',
    ],
    [{ brand: { color: '#ffffff' } }, 'brand: there is no setting "color"; here there are colour and logo'],
    [
      { brand: { colour: 'blue' } },
      'brand, colour: it must look like "#1f4bd8": # and six of 0 to 9 and a to f',
    ],
    [
      { consents: [{ id: 'a', text }] },
      'notice: it is missing; consents need a notice that says who gets the data and why',
    ],
    [
      { ...askingStand, consents: [askingStand.consents[0], askingStand.consents[0]] },
      'consent 2, id: "news" is the id of number 1 already; each needs its own',
    ],
    [
      { questions: [{ id: 'a', kind: 'choice', text }] },
      'question 1, options: a question of kind "choice" needs 2 to 8 options, and has 0',
    ],
    [
      { questions: [{ id: 'a', kind: 'choice', text, options: options(9) }] },
      'question 1, options: there are 9, but at most 8 are allowed',
    ],
    [
      { questions: [{ id: 'a', kind: 'rating', text, options: options(1) }] },
      'question 1, options: a question of kind "rating" has no options; only those of kind "choice" and "several" have',
    ],
    [
      { questions: [{ id: 'a', kind: 'choice', text, options: [...options(1), { id: '', text }] }] },
      'question 1, option 2, id: it is empty; it needs at least one character',
    ],
    [
      { questions: [{ id: 'a', kind: 'stars', text }] },
      'question 1, kind: it must be "choice", "several", "rating", "yesNo" or "text", not "stars"',
    ],
    [
      { questions: [{ id: 'a', kind: 'text', text: {} }] },
      'question 1, text: it has no text in any language',
    ],
    [
      { questions: [{ id: 'a', kind: 'text', text: { en: 'A', gb: 'A' } }] },
      'question 1, text: "gb" is not a language code; codes are such as "en", "de", "zh" or "pt-BR"',
    ],
    [
      { questions: [{ id: 'a', kind: 'text', text: { deu: 'A' } }] },
      'question 1, text: "deu" must be written "de"',
    ],
    [
      { questions: [{ id: 'a', kind: 'text', text: { en: 7 } }] },
      'question 1, text in "en": it must be a text in quotation marks, not 7',
    ],
    [
      { questions: Array.from({ length: 4 }, (_, id) => ({ id: `${id}`, kind: 'text', text })) },
      'questions: there are 4, but at most 3 are allowed',
    ],
    [
      { notice: { version: 'v1', texts: { en: { who: 'We', why: 'So' } } } },
      'notice, text in "en", howLong: it is missing; it must be a text in quotation marks',
    ],
    [
      { notice: { version: 'v1', texts: { en: { who: 'We', why: 'So', howLong: 'A year', how: '' } } } },
      'notice, text in "en": there is no setting "how"; here there are who, why and howLong',
    ],
    [
      { notice: { version: '1', link: 'javascript:alert(1)', texts: { en: { ...said } } } },
      'notice, link: it must be a web address that begins with https:// or http://',
    ],
    [
      { notice: { version: '1', texts: { en: { ...said, who: 'x'.repeat(601) } } } },
      'notice, text in "en", who: it has 601 characters, but at most 600 are allowed',
    ],
    [{ email: 'yes' }, 'email: it must be true or false, without quotation marks, not the text "yes"'],
  ])(
    'with a fault is refused in one sentence that says where, what and what is allowed: %j',
    (content, words) => {
      const { folder, settings } = read(content);
      const sentence = `${join(folder, 'stand.json')} cannot be used: ${words}. Correct or remove it.`;
      expect(settings).toThrow(expect.objectContaining({ message: sentence, reason: 'options' }));
    },
  );

  it('reports all its faults at once, one per line', () => {
    const { folder, settings } = read({
      quesions: [],
      questions: [
        { id: 'a', kind: 'choice', text },
        { id: 'b', kind: 'text', text: { gb: 'A' } },
        { id: 'c', kind: 'text', text, options: options(2) },
      ],
      screen: { reach: 'high' },
    });
    const lines = [
      `${join(folder, 'stand.json')} cannot be used, because of 5 faults:`,
      expect.stringContaining('  - question 1, options: '),
      expect.stringContaining('  - question 2, text: "gb" '),
      '  - question 3, options: a question of kind "text" has no options; only those of kind "choice" and "several" have.',
      '  - screen, reach: it must be "usual" or "low", not "high".',
      expect.stringContaining('  - there is no setting "quesions"; '),
      'Correct or remove it.',
    ];
    expect(messageOf(settings).split('\n')).toEqual(lines);
  });

  it('reports every missing file and folder', () => {
    const { folder, settings } = read({ brand: { logo: 'logo.png' }, attract: 'films' });
    expect(messageOf(settings).split('\n').slice(1, -1)).toEqual([
      `  - brand, logo: there is no file ${join(folder, 'logo.png')}.`,
      `  - attract: there is no folder ${join(folder, 'films')}.`,
    ]);
  });

  it('lists twenty faults, and the number of the others', () => {
    const texts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`language${index}`, 'A']));
    const lines = messageOf(read({ questions: [{ id: 'a', kind: 'text', text: texts }] }).settings).split(
      '\n',
    );
    expect([lines.length, lines.at(-2)]).toEqual([23, '  - and 10 more.']);
  });

  it.each(['en', 'EN', 'en_GB', 'pt-BR', 'zh-Hans', 'gsw', 'fil', 'no'])('may have texts in %s', (code) => {
    expect(read({ questions: [{ id: 'a', kind: 'text', text: { [code]: 'A' } }] }).settings()).not.toBeNull();
  });
});

describe('the demo stand', () => {
  it('has all texts in all ten languages', () => {
    const { notice, consents, questions, email } = demoSettings();
    expect(Object.keys(notice?.texts ?? {})).toEqual(LANGUAGES);
    expect([consents.length, questions.length, email]).toEqual([2, 3, true]);
    for (const { text } of [...consents, ...questions, ...questions.flatMap(({ options }) => options)]) {
      expect(Object.keys(text)).toEqual(LANGUAGES);
      for (const words of Object.values(text)) expect(words.trim()).toBe(words);
    }
  });
});

describe('the stand on the screen', () => {
  it('follows the settings, and contains no visitor', async () => {
    const { stand, tap } = openStandKiosk({
      stand: demoSettings(),
      prepare: (mirror) => fill(mirror, smallFair()),
    });
    await tap('04AA00000000A1');
    const told = await stand();
    expect(standSchema.parse(told)).toEqual(told);
    expect(told).toMatchObject({
      brand: { colour: '#1f4bd8', logo: null },
      email: true,
      offer: { count: 3 },
    });
    expect(JSON.stringify(told)).not.toContain('v1');
  });

  it('is sent again when the data behind it changes', async () => {
    const { screen, tap, pass } = openStandKiosk({
      stand: { touchpoint: 'hall' },
      prepare: (mirror) => fill(mirror, smallFair()),
    });
    const seen: (number | undefined)[] = [];
    void (async () => {
      for await (const { activity } of await screen.stand.watch()) seen.push(activity?.count);
    })().catch(() => undefined);
    await tap('04AA00000000A1');
    pass(200);
    await expect.poll(() => seen).toEqual([0, 1]);
  });

  it('shows a logo from the folder of stand.json', async () => {
    const folder = ownFolder();
    mkdirSync(join(folder, 'art'));
    writeFileSync(
      join(folder, 'art', 'logo.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><rect width="8" height="4"/></svg>',
    );
    writeFileSync(join(folder, 'stand.json'), JSON.stringify({ brand: { logo: 'art/logo.svg' } }));
    const logo = readStandSettings(folder)?.brand.logo ?? '';
    const source = { read: async () => ({ kind: 'refused' as const }), close: async () => undefined };
    const pictures = createPictures({
      draw: drawHere,
      folder: join(folder, 'pictures'),
      source,
      clock: handClock(),
      log: rememberingLog(),
    });
    await pictures.fetch(
      [{ address: logo, revision: '1', isFile: true }],
      1_000,
      new AbortController().signal,
    );
    const name = pictures.nameOf(logo);
    expect(await pictures.read(name ?? '', 'large')).toMatchObject({ width: 1_600, height: 800 });
  });
});
