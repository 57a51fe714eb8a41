/**
 * Text recognition with the real Tesseract: it reads badges and business cards, and compares them with the people of
 * an event.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { readBusinessCard } from '../../../../src-main/core/team/recognition/business-card.ts';
import {
  betterMatch,
  createNameIndex,
  createNameMatcher,
} from '../../../../src-main/core/team/recognition/match-people.ts';
import { createPeopleSearch } from '../../../../src-main/core/team/recognition/people-search.ts';
import { createRecognition } from '../../../../src-main/core/team/recognition/recognition.ts';
import { forkDrawingProcess } from '../../../../src-main/drawing/picture-drawer.ts';
import { realClock } from '../../../../src-main/machine/real-time.ts';
import { createTextReader } from '../../../../src-main/reading/text-reader.ts';
import { drawHere } from '../../../drawing/draw-here.ts';
import { ownFolder } from '../../fixture.ts';
import { fill, guest } from '../../stand/visit/stand-kiosk.ts';

const PROGRAM = fileURLToPath(new URL('../../../../src-main/reading/reading-process.ts', import.meta.url));
/** Loading a language takes seconds on a busy machine. */
const PATIENCE = 240_000;

const lines = (...texts: readonly string[]) => texts.map((text) => ({ text, sure: 0.9, height: 40 }));

const people = [
  guest('v1', '04AA00000000A1', { firstName: 'Zacharias', lastName: 'Unmistakable', company: 'Northwind' }),
  guest('v2', '04AA00000000A2', { firstName: 'Ada', lastName: 'Muster', company: 'Kepler AG' }),
  guest('v3', '04AA00000000A3', { firstName: 'Ada', lastName: 'Muster', company: 'Orion GmbH' }),
  guest('v4', '04AA00000000A4', { firstName: '太郎', lastName: '山田', company: null }),
  guest('v5', '04AA00000000A5', { firstName: 'Ada', lastName: 'Musterfeld', company: null }),
  guest('v6', '04AA00000000A6', { firstName: 'يوسف', lastName: 'المنصوري', company: 'Kepler AG' }),
];

const mirrorOf = (known: typeof people, path = join(ownFolder(), 'mirror.db')): string => {
  const mirror = openMirror(path, 'E1');
  fill(mirror, { visitors: known });
  mirror.close();
  return path;
};

/** One process for all tests, because each process loads its languages. */
let reading: ReturnType<typeof forkDrawingProcess> | undefined;
const readPicture = createTextReader(() => (reading = forkDrawingProcess(PROGRAM)), realClock);
afterAll(() => reading?.kill());

const recogniser = (mirror = mirrorOf(people), isComplete = true) =>
  createRecognition({
    draw: drawHere,
    readPicture,
    mirror,
    isComplete: () => isComplete,
  });

/** A picture of these lines, tilted and a little blurred as by a camera. */
const picture = (texts: readonly string[], font = 'DejaVu Sans'): Promise<Buffer> => {
  const rows = texts.map(
    (text, at) =>
      `<text x="500" y="${160 + at * 110}" font-family="${font}" font-size="${at === 0 ? 72 : 48}" text-anchor="middle" transform="rotate(-1.5 500 300)">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="700"><rect width="1000" height="700" fill="#f4f2ee"/>${rows.join('')}</svg>`;
  return sharp(Buffer.from(svg)).blur(0.8).jpeg({ quality: 80 }).toBuffer();
};

test(
  'suggests the person of a photographed badge and what matched, and assigns nothing',
  async () => {
    const path = mirrorOf(people);
    const read = recogniser(path);
    const found = await read(await picture(['Zacharias', 'Unmistakable', 'Northwind']));
    expect(found).toMatchObject({
      kind: 'read',
      candidates: [{ visitor: 'v1', name: 'Zacharias Unmistakable', matchedCompany: true }],
    });
    const twins = await read(await picture(['Ada Muster', 'Orion GmbH']));
    expect(twins.kind === 'read' && twins.candidates.map(({ visitor }) => visitor)).toEqual([
      'v3',
      'v2',
      'v5',
    ]);
    const nobody = await read(await picture(['Wilhelmine Quellenberg', 'Pegasus Ltd']));
    expect(nobody).toMatchObject({ kind: 'read', candidates: [] });
    mirrorOf([guest('v7', '04AA00000000A7', { firstName: 'Wilhelmine', lastName: 'Quellenberg' })], path);
    const learnt = await read(await picture(['Wilhelmine Quellenberg', 'Pegasus Ltd']));
    expect(learnt).toMatchObject({ candidates: [{ visitor: 'v7' }] });
    expect(
      await read(
        await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
      ),
    ).toEqual({
      ...{ kind: 'read', candidates: [], card: null, names: 'all' },
    });
    expect(await read(Buffer.from('no picture'))).toEqual({ kind: 'refused', reason: 'notPicture' });
    expect(await read(null)).toEqual({ kind: 'refused', reason: 'lost' });
  },
  PATIENCE,
);

test('compares what each script reads on its own, because together it looks like a page of text', async () => {
  const path = mirrorOf(people);
  const misread = { arabic: 'بب تت ثث ', kana: 'のと ', han: '口日 ' } as const;
  const read = createRecognition({
    draw: drawHere,
    // The name is partly read, so every script is tried.
    readPicture: async ({ script, beside }) => {
      const read =
        script === 'latin'
          ? lines('Kepler AG')
          : lines(
              ...(script === 'arabic' ? ['يوسف المنص'] : []),
              misread[script].repeat(500 / misread[script].length),
            );
      return { lines: read, match: createPeopleSearch(path)([...beside, ...read]) };
    },
    mirror: path,
    isComplete: () => true,
  });
  expect(await read(await picture(['any']))).toMatchObject({ candidates: [{ visitor: 'v6' }] });
});

test(
  'fills the form from a business card, and leaves doubtful fields empty',
  async () => {
    const read = recogniser();
    const found = await read(
      await picture([
        'Lena Brandt',
        'Head of Purchasing',
        'Kepler AG',
        'lena.brandt@kepler.example',
        '+41 44 668 18 00',
      ]),
    );
    expect(found.kind === 'read' && found.card?.contact).toEqual({
      ...{ firstName: 'Lena', lastName: 'Brandt', company: 'Kepler AG', jobTitle: 'Head of Purchasing' },
      ...{ email: 'lena.brandt@kepler.example', phone: '+41 44 668 18 00' },
    });
    const doubtful = lines('Lena Brandt', 'lena@kepler.example').map((line, at) => ({
      ...line,
      sure: at === 0 ? 0.3 : 0.9,
    }));
    expect(readBusinessCard(doubtful)?.contact).toMatchObject({
      lastName: null,
      email: 'lena@kepler.example',
    });
  },
  PATIENCE,
);

test(
  'reads two badges, Arabic and Japanese names, and refuses a page of text and 100 megapixels',
  async () => {
    const read = recogniser();
    const visitorsIn = async (texts: readonly string[], font?: string) => {
      const found = await read(await picture(texts, font));
      return found.kind === 'read' ? found.candidates.map(({ visitor }) => visitor) : found.reason;
    };
    expect(await visitorsIn(['Zacharias Unmistakable', 'Northwind', 'Ada Musterfeld'])).toEqual(
      expect.arrayContaining(['v1', 'v5']),
    );
    // The name is in Arabic, the company beside it in Latin letters.
    expect(await read(await picture(['يوسف المنصوري', 'Kepler AG'], 'Noto Sans Arabic'))).toMatchObject({
      candidates: [{ visitor: 'v6', matchedCompany: true }],
    });
    expect(await visitorsIn(['太郎', '山田'], 'Noto Sans CJK JP')).toEqual(['v4']);
    const rows = Array.from(
      { length: 30 },
      (_, at) =>
        `<text x="20" y="${30 + at * 22}" font-size="18">of Ada Muster and words of a long page that names many people</text>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="700">${rows.join('')}</svg>`;
    const page = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
    expect(await read(page)).toMatchObject({ kind: 'read', candidates: [], card: null });
    const huge = { width: 10_000, height: 10_000, channels: 3, background: '#fff' } as const;
    const bomb = await sharp({ create: huge }).jpeg().toBuffer();
    expect(await read(bomb)).toEqual({ kind: 'refused', reason: 'notPicture' });
  },
  PATIENCE,
);

test(
  'reports that the device has no names of visitors, or cannot read them',
  async () => {
    const nameless = people.map((person, at) =>
      at < 5 ? { ...person, firstName: '', lastName: '' } : person,
    );
    const badge = await picture(['Zacharias', 'Unmistakable', 'Northwind']);
    for (const [known, isComplete, names] of [
      [people, false, 'some'],
      [nameless, true, 'some'],
      [nameless.slice(0, 5), true, 'none'],
      [people.slice(0, 0), true, 'none'],
    ] as const)
      expect(await recogniser(mirrorOf(known), isComplete)(badge)).toMatchObject({ kind: 'read', names });
    const damaged = join(ownFolder(), 'mirror.db');
    writeFileSync(damaged, 'no database '.repeat(1_000));
    const card = await recogniser(damaged)(await picture(['Lena Brandt', 'lena.brandt@kepler.example']));
    expect(card).toMatchObject({ names: 'none', card: { contact: { lastName: 'Brandt' } } });
  },
  PATIENCE,
);

test('preselects every name that matches the text that was read', () => {
  const names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const index = createNameIndex();
  for (const name of names) index.add(name);
  for (const read of [
    ['Ada Mustef'],
    ['Zach Unmistakable'],
    ['山田太'],
    ['يوسف | لمنصورى'],
    ['Ada Muster', '太 郎 山'],
  ]) {
    const match = createNameMatcher(lines(...read));
    const matching = [...names.entries()].filter(
      ([, name]) => match({ name, company: null, jobTitle: null }) !== null,
    );
    expect(matching.length).toBeGreaterThan(0);
    expect(index.likely(lines(...read))).toEqual(expect.arrayContaining(matching.map(([at]) => at)));
  }
  expect(index.likely(lines('Wilhelmine Quellenberg'))).toEqual([]);
});

test('fills in a name without an e-mail address only if it looks like a name, and never with part of an address', () => {
  const contact = (...texts: readonly string[]) => readBusinessCard(lines(...texts))?.contact;
  expect(contact('Software architect', '+41 44 668 18 00')).toMatchObject({ lastName: null });
  expect(contact('STUDENT', 'Jan van der Velde', '+41 44 668 18 00')).toMatchObject({ lastName: 'Velde' });
  expect(contact('山田太郎', '+81 3 668 18 00')).toMatchObject({ lastName: '山田太郎' });
  expect(contact('Lena Brandt', 'office.31 2@kepler.example')).toMatchObject({ email: null });
  expect(contact('Lena Brandt', 'E-mail: lena@kepler.example')).toMatchObject({
    email: 'lena@kepler.example',
  });
});

test('fills nothing from two cards in one picture, but from one card with two addresses', () => {
  const contact = (...texts: readonly string[]) => readBusinessCard(lines(...texts))?.contact ?? null;
  const names = 'Marco Bellini Sofia Lindqvist';
  expect(contact(names, 'marco@bellini.example sofia@lindqvist.example', '+39 02 1234 5678')).toBeNull();
  const colleagues = ['marco@nordwerk.example', 'sofia@nordwerk.example'];
  expect(contact('Marco Bellini', 'Sofia Lindqvist', ...colleagues)).toBeNull();
  for (const second of ['info@mail.nordwerk.example', 'marco.bellini@mail.example', 'sales@other.example'])
    expect(contact('Marco Bellini', 'Sales Manager', 'marco.b@nordwerk.example', second)).toMatchObject({
      lastName: 'Bellini',
      email: 'marco.b@nordwerk.example',
    });
});

test('compares names in several lines, other scripts and misread letters, and refuses a page of text', () => {
  const match = (person: string, ...read: readonly string[]) =>
    createNameMatcher(lines(...read))({ name: person, company: null, jobTitle: null })?.score ?? 0;
  expect(match('Zacharias Unmistakable', 'Zacharlas', 'Unmistakab1e')).toBeGreaterThan(0.6);
  expect(match('山田 太郎', '山田 太 郎')).toBe(1);
  expect(match('محمد الأحمد', 'محمد الاحمد')).toBeGreaterThan(0.9);
  expect(match('Ada Muster', 'Ada Muster')).toBeGreaterThan(match('Ada Musterfeld', 'Ada Muster'));
  // Misread texts: wrong dots, an alef read as a stroke, Cyrillic letters read as Latin letters, a long name in three
  // lines.
  expect(match('يوسف النعيمي', 'يوسف | لتعيمى')).toBeGreaterThan(0.9);
  expect(match('Тарас Бондаренко', 'Tapac BoHgapeHKO')).toBeGreaterThan(0.9);
  expect(match('Clémence Sternwerk-Janssen', 'Clémence', 'Sternwerk-', 'Janssen')).toBeGreaterThan(0.9);
  // A name that repeats its letters is not a better match than any other name with those letters.
  expect(match('胡 桂桂', '率 桂 胡')).toBeLessThan(0.7);
  expect(match('ليلى ليلى الكعبي', 'الكعبي')).toBeLessThan(0.6);
  expect(match('Bo Ng', 'Wilhelmine Quellenberg')).toBe(0);
  const page = Array.from({ length: 40 }, () => 'Ada Muster and many other words of a long page of text');
  expect(match('Ada Muster', ...page)).toBe(0);
});

test('suggests a person if half of the name and the company match, but not if only the company matches, and sorts by how much of the company matches', () => {
  const read = lines('佐藤 夢 軸', 'Montwerk AG');
  const match = createNameMatcher(read.map((line) => ({ ...line, sure: 0 })));
  const person = (name: string, company: string | null) => match({ name, company, jobTitle: null });
  expect(person('佐藤 蓮輔', 'Montwerk AG')).toMatchObject({ company: true });
  expect(person('佐藤 蓮輔', 'Orion GmbH')).toBeNull();
  expect(person('高橋 蓮輔', 'Montwerk AG')).toBeNull();
  const companies = ['Montfeld AG', 'Montwerk GmbH', 'Montwerk AG', null];
  const found = companies.map((company) => ({ company, matched: person('佐藤 夢軸', company) }));
  found.sort((one, other) =>
    one.matched === null || other.matched === null ? 0 : betterMatch(one.matched, other.matched),
  );
  expect(found.map(({ company }) => company)).toEqual(['Montwerk AG', 'Montwerk GmbH', 'Montfeld AG', null]);
});

test('says that there is no text recognition if its process cannot start', async () => {
  const reader = createTextReader(() => forkDrawingProcess('/nowhere/program.js'), realClock);
  const picture = {
    source: new Uint8Array(),
    script: 'latin',
    beside: [],
    mirror: '/nowhere/mirror.db',
  } as const;
  expect(await reader(picture)).toBe('unavailable');
});

test('finds nobody in a picture that ends the process, and reads the next one in a new process', async () => {
  let started = 0;
  const reader = createTextReader(
    () => {
      started += 1;
      let hear: (message: unknown) => void = () => undefined;
      let end: (how: string) => void = () => undefined;
      return {
        onMessage: (listener) => {
          hear = listener;
          listener({ kind: 'ready' });
        },
        onExit: (listener) => {
          end = listener;
        },
        send: () => {
          if (started === 1) end('SIGSEGV');
          else
            hear({ kind: 'read', lines: lines('Ada'), match: { candidates: [], scripts: [], named: 'all' } });
        },
        kill: () => undefined,
      };
    },
    { sleep: () => new Promise<void>(() => undefined) },
  );
  const picture = {
    source: new Uint8Array(),
    script: 'latin',
    beside: [],
    mirror: '/nowhere/mirror.db',
  } as const;
  expect(await reader(picture)).toMatchObject({ lines: [], match: { candidates: [] } });
  expect(await reader(picture)).toMatchObject({ lines: [{ text: 'Ada' }] });
});
