/** What `stand.json` may say, and what is said of a faulty one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standSchema } from '../../src-main/contract/stand.ts';
import { createPictures } from '../../src-main/core/pictures/pictures.ts';
import { demoSettings, readStandSettings } from '../../src-main/launch/stand-settings.ts';
import { handClock, ownFolder, rememberingLog } from './bench-top.ts';
import { askingStand, fill, openStandKiosk, smallFair } from './stand-kiosk.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt', 'ar', 'ja', 'zh'];
const document = readFileSync(join(import.meta.dirname, '../../docs/stand-settings.md'), 'utf8');

const read = (content: unknown) => {
  const folder = ownFolder();
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, 'stand.json'), text);
  return { folder, settings: () => readStandSettings(folder) };
};

describe('stand.json', () => {
  it('may be missing or empty, and says nothing then', () => {
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

  it('may be as the document shows it, with files beside it', () => {
    const [, example = ''] = /```json\n([\s\S]+?)```/.exec(document) ?? [];
    const { folder, settings } = read(example);
    expect(settings).toThrow('brand.logo names a file that is not there');
    writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(settings).toThrow('attract names a folder that is not there');
    mkdirSync(join(folder, 'films'));
    expect(settings()).toMatchObject({
      touchpoint: 'AD2026T01',
      brand: { colour: '#1f4bd8', logo: join(folder, 'logo.svg') },
      attract: join(folder, 'films'),
    });
    expect(settings()?.questions.map(({ kind }) => kind)).toEqual(['choice', 'rating', 'text']);
  });

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'its content is not as expected'],
    [{ colour: '#fff' }, 'there is no setting colour'],
    [{ brand: { color: '#ffffff' } }, 'there is no setting brand.color'],
    [{ brand: { colour: 'blue' } }, 'brand.colour is not as expected (it must look like #rrggbb)'],
    [{ consents: [{ id: 'a', text: { en: 'A' } }] }, 'notice is not as expected (consents need a notice'],
    [
      { ...askingStand, consents: [askingStand.consents[0], askingStand.consents[0]] },
      'consents is not as expected',
    ],
    [
      { questions: [{ id: 'a', kind: 'choice', text: { en: 'A' } }] },
      'questions.0.options is not as expected',
    ],
    [{ questions: [{ id: 'a', kind: 'stars', text: { en: 'A' } }] }, 'questions.0.kind is not as expected'],
    [
      { questions: [{ id: 'a', kind: 'text', text: {} }] },
      'questions.0.text is not as expected (it has no text)',
    ],
    [
      { questions: Array.from({ length: 4 }, (_, id) => ({ id: `${id}`, kind: 'text', text: { en: 'A' } })) },
      'questions is not',
    ],
    [
      { notice: { version: 'v1', texts: { en: { who: 'We', why: 'So' } } } },
      'notice.texts.en.howLong is not as expected',
    ],
    [
      { notice: { version: '1', link: 'javascript:alert(1)', texts: { en: {} } } },
      'notice.link is not as expected',
    ],
    [{ email: 'yes' }, 'email is not as expected'],
  ])('with a fault is refused in one sentence that names the field: %j', (content, words) => {
    const { folder, settings } = read(content);
    const sentence = `${join(folder, 'stand.json')} cannot be used: ${words}`;
    expect(settings).toThrow(sentence);
    expect(settings).toThrow(/\. Mend or remove it\.$/);
  });
});

describe('the demo stand', () => {
  it('says everything in all ten languages', () => {
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
  it('is what the settings say, and tells of no visitor', async () => {
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

  it('is told anew when what it is drawn from changes', async () => {
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

  it('shows a logo that lies beside stand.json', async () => {
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
