/** Letters to people who agreed and to nobody else, read by a third-party mail parser. */
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import {
  draft,
  followUpFiles,
  mayBeWrittenTo,
  whyNoLetter,
} from '../../../../src-main/core/team/formats/follow-up.ts';
import { leadOf, newsConsent, setting, sourceOf } from './lead-samples.ts';

const lettersTo = (leads: readonly ExportLead[]) =>
  [...followUpFiles(sourceOf(leads), setting())].map(({ name, bytes }) => ({
    name,
    text: Buffer.from(bytes).toString('ascii'),
  }));

const yes = { consents: [newsConsent(true)], hot: true };

test('writes only to people who agreed to e-mail', () => {
  const refused: readonly (readonly [string, Partial<ExportLead>])[] = [
    ['was never asked', { consents: [] }],
    ['said no', { consents: [newsConsent(false)] }],
    ['said yes to the phone', { consents: [{ ...newsConsent(true), channel: 'phone' }] }],
    ['said yes to something without a channel', { consents: [{ ...newsConsent(true), channel: null }] }],
    [
      'said yes to one letter and no to another',
      { consents: [newsConsent(true), { ...newsConsent(false), purpose: 'x' }] },
    ],
    ['took the tap back', { ...yes, takenBack: true }],
    ['is not hot', { ...yes, hot: false }],
    ['has no address', { ...yes, email: null }],
    ['has two addresses in one', { ...yes, email: 'a@example.org,b@example.org' }],
    ['has an address that adds a header', { ...yes, email: 'a@example.org\r\nBcc: b@example.org' }],
  ];
  for (const [why, fields] of refused) {
    const lead = leadOf('x', { ...yes, ...fields });
    expect(mayBeWrittenTo(lead), why).toBe(false);
    expect(lettersTo([lead]), why).toEqual([]);
  }
  expect(lettersTo([leadOf('x', yes)])).toHaveLength(1);
});

test('reports what is missing where nobody gets a letter', () => {
  const why = (...fields: readonly Partial<ExportLead>[]) =>
    whyNoLetter(sourceOf(fields.map((one, index) => leadOf(String(index), { ...yes, ...one }))));
  expect(why({ hot: false }, { takenBack: true })).toBe('nobodyHot');
  expect(why({ hot: false }, { email: null })).toBe('noAddress');
  expect(why({ email: null }, { consents: [] })).toBe('nobodyAgreed');
});

test('sends one letter per address, and none after any refusal from it', () => {
  const one = leadOf('1', { ...yes, email: 'info@example.org' });
  const two = leadOf('2', { ...yes, email: 'INFO@example.org ', name: 'Bo Boss' });
  expect(lettersTo([one, two])).toHaveLength(1);
  expect(lettersTo([one, { ...two, hot: false, consents: [newsConsent(false)] }])).toEqual([]);
});

test("does not apply one person's consent to another with the same address", () => {
  const agreed = leadOf('1', { ...yes, hot: false, email: 'info@example.org' });
  const hot = leadOf('2', { hot: true, consents: [], email: 'info@example.org', name: 'Bo Boss' });
  expect(lettersTo([agreed, hot])).toEqual([]);
});

test.each([
  ['en', 'Thank you for your visit to Northwind'],
  ['de-CH', 'Danke für Ihren Besuch bei Northwind'],
  ['fr', 'Merci de votre visite chez Northwind'],
  ['es', 'Gracias por su visita a Northwind'],
  ['nl', 'Bedankt voor je bezoek aan Northwind'],
  ['it', 'Grazie per la Sua visita a Northwind'],
  ['pt-BR', 'Obrigado pela sua visita a Northwind'],
  ['ar', 'شكرًا لزيارتكم Northwind'],
  ['ja', 'Northwind へのご来場ありがとうございました'],
  ['zh-Hans', '感谢您莅临 Northwind'],
  ['sv', 'Thank you for your visit to Northwind'],
])(
  'a letter in %s is a draft that a mail program reads whole, with what was taken',
  async (language, subject) => {
    const contents = [{ id: 'c', name: 'Éclair arm 10', link: 'https://event.example/c/c' }];
    const name = 'Zoë "Z" Ünal-李 <x>';
    const text = draft(
      leadOf('a', { ...yes, language, name, contents, email: 'zoe@example.org' }),
      setting(),
    );
    expect([...text].every((character) => character < '\u007f')).toBe(true);
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(text.startsWith('X-Unsent: 1\r\n')).toBe(true);
    const mail = await PostalMime.parse(text);
    expect(mail.subject).toBe(subject);
    expect(mail.to).toEqual([{ address: 'zoe@example.org', name }]);
    expect(mail.text).toContain(name);
    expect(mail.text).toContain('Éclair arm 10');
    expect(mail.text).toContain('https://event.example/c/c');
    expect(mail.text).toContain('Autumn Fair');
    expect(mail.text).not.toMatch(/\{\w+\}/u);
  },
);
