/** Address book cards, read by a third-party parser. */
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { vcard, vcf, vcfFiles } from '../../../../src-main/core/team/formats/vcard.ts';
import { leadOf, ODD_TEXTS, sourceOf, written } from './lead-samples.ts';

/** The cards of a file. */
const cardsOf = (text: string): readonly ICAL.Component[] => {
  const parsed = ICAL.parse(text) as unknown[];
  const cards = (typeof parsed[0] === 'string' ? [parsed] : parsed) as ConstructorParameters<
    typeof ICAL.Component
  >[0][];
  return cards.map((card) => new ICAL.Component(card));
};

test('a parser for version 3.0 reads every card completely, with any content', () => {
  const leads = [
    leadOf('plain', { street: 'Bahnhofstrasse 1', postalCode: '8001', labels: ['A, B', 'C;D'] }),
    ...ODD_TEXTS.map((note, index) => leadOf(`n${index}`, { note, company: note.replace(/\s+/gu, ' ') })),
    leadOf('long', { name: '李'.repeat(200), lastName: '李'.repeat(200), firstName: null }),
    leadOf('ng', { firstName: null, lastName: 'Ng', name: 'Ng', company: null, email: null }),
  ];
  const { text, tally } = written(vcf(sourceOf(leads)));
  const cards = cardsOf(text);
  expect(cards).toHaveLength(leads.length);
  expect(tally.count).toBe(leads.length);
  for (const card of cards) {
    expect(card.getFirstPropertyValue('version')).toBe('3.0');
    expect(card.getFirstProperty('n')?.getFirstValue()).toHaveLength(5);
    expect(card.getFirstPropertyValue('fn')).not.toBe('');
  }
  expect(cards[0]?.getFirstProperty('n')?.getFirstValue()).toEqual(['Muster', 'Ada', '', '', '']);
  expect(cards[0]?.getFirstProperty('adr')?.getFirstValue()).toEqual([
    '',
    '',
    'Bahnhofstrasse 1',
    'Zürich',
    '',
    '8001',
    'CH',
  ]);
  expect(cards[0]?.getFirstPropertyValue('tel')).toBe('+41 44 668 18 00');
  expect(cards[2]?.getFirstPropertyValue('note')).toBe('first line\nsecond line\nthird\nLabels: Partner');
  expect(cards.at(-2)?.getFirstPropertyValue('fn')).toBe('李'.repeat(200));
});

test('no line exceeds 75 octets, no character is split, and lines end with CRLF', () => {
  const { bytes, text } = written(
    vcf(sourceOf([leadOf('a', { note: '🤖ä中'.repeat(500), company: 'x'.repeat(75 - 4) })])),
  );
  const lines = bytes.toString('latin1').split('\r\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(75);
  expect(text).not.toContain('\ufffd');
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/u);
  expect(text.replaceAll('\r\n ', '')).toContain('🤖ä中'.repeat(500));
});

test('no value can add a line to a card', () => {
  const card = vcard(leadOf('a', { company: 'X\r\nEND:VCARD\nBEGIN:VCARD', name: 'Eve\\;,\nTEL:1' }));
  expect(card.match(/^END:VCARD/gmu)).toHaveLength(1);
  expect(cardsOf(card)[0]?.getAllProperties('tel')).toHaveLength(1);
});

test('with one card per file, the file names are unique, safe on Windows, and without hidden characters', () => {
  const names = [
    ...vcfFiles(
      sourceOf(
        ['CON', 'a/b:c*?', 'evil\u202efdp', '. .', 'x'.repeat(300), 'Ng'].map((name) =>
          leadOf(name, { name }),
        ),
      ),
    ),
  ].map((file) => file.name);
  expect(names).toHaveLength(new Set(names).size);
  expect(names.slice(0, 4)).toEqual([
    '00001 CON.vcf',
    '00002 a b c.vcf',
    '00003 evil fdp.vcf',
    '00004 lead.vcf',
  ]);
  for (const name of names) expect(name).toMatch(/^[^\p{C}<>:"/\\|?*]{1,100}[^. ]\.vcf$/u);
});
