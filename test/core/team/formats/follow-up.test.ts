/** Letters go only to people who agreed. A third-party mail parser reads them. */
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import {
  draft,
  followUpFiles,
  letterTo,
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

test('reports the missing condition if there is no letter', () => {
  const why = (...fields: readonly Partial<ExportLead>[]) =>
    whyNoLetter(sourceOf(fields.map((one, index) => leadOf(String(index), { ...yes, ...one }))));
  expect(why({ hot: false }, { takenBack: true })).toBe('nobodyHot');
  expect(why({ hot: false }, { email: null })).toBe('noAddress');
  expect(why({ email: null }, { consents: [] })).toBe('nobodyAgreed');
});

test('writes one letter per address, and none if anyone with that address refused', () => {
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
  'a letter in %s is a draft that a mail program reads completely, with the taken contents',
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

const appointment = { followUpOn: '2026-12-01', followUpTime: '14:30', followUpKind: 'call' } as const;
const own = (letter: Partial<ReturnType<typeof setting>['letter']>) => ({
  ...setting(),
  letter: { ...setting().letter, ...letter },
});

test('an appointment is in the letter as text and attached as a calendar file, without the note', async () => {
  const lead = leadOf('1', { ...yes, ...appointment, note: 'difficult customer', language: 'de' });
  const { text, attachments } = await PostalMime.parse(draft(lead, setting()));
  expect(text).toContain('Wir haben notiert: Anruf, Dienstag, 1. Dezember 2026');
  expect(text).toMatch(/14:30 MEZ/u);
  expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ['appointment.ics', 'text/calendar'],
  ]);
  const calendar = Buffer.from(attachments[0]?.content as ArrayBuffer).toString('utf8');
  expect(calendar).toContain('DTSTART:20261201T133000Z');
  expect(text + calendar).not.toContain('difficult');
  const dayOnly = await PostalMime.parse(draft(leadOf('2', { ...yes, followUpOn: '2026-12-01' }), setting()));
  expect(dayOnly.attachments).toEqual([]);
});

test("the stand’s own text takes precedence, in the person's language, otherwise English, otherwise the first language", () => {
  const words = own({
    subject: { de: 'Hallo von {stand}', en: 'Hello from {stand}' },
    text: { de: 'Guten Tag {name},\n\n{contents}\n\n{appointment}\n\n{signature}', en: 'Dear {name}' },
  });
  const german = letterTo(leadOf('1', { ...yes, language: 'de-CH', staff: ['Mia'] }), words);
  expect(german).toMatchObject({ subject: 'Hallo von Northwind', language: 'de', by: 'Mia' });
  expect(german.body).toBe('Guten Tag Ada Muster,\r\n\r\nMia\r\nNorthwind');
  const other = letterTo(leadOf('2', { ...yes, language: 'ja' }), words);
  expect([other.subject, other.body]).toEqual(['Hello from Northwind', 'Dear Ada Muster\r\n\r\nNorthwind']);
  const first = letterTo(leadOf('3', { ...yes, language: 'ja' }), own({ text: { fr: 'Bonjour' } }));
  expect([first.language, first.body]).toEqual(['fr', 'Bonjour\r\n\r\nNorthwind']);
});

test('the member who follows up signs, matched regardless of case; otherwise the member who met the person last', () => {
  const words = own({ signatures: [{ name: 'Zoé Müller', text: 'Zoé Müller\nSales, +41 44 1' }] });
  const signed = (fields: Partial<ExportLead>) => letterTo(leadOf('1', { ...yes, ...fields }), words);
  expect(signed({ followUpBy: 'ZOE MULLER', staff: ['Mia'] }).body).toMatch(
    /\r\nZoé Müller\r\nSales, \+41 44 1$/u,
  );
  expect(signed({ staff: ['Ada', 'Mia'] })).toMatchObject({ by: 'Mia' });
  expect(signed({ staff: ['Mia'] }).body).toMatch(/Mia\r\nNorthwind$/u);
  expect(signed({})).toMatchObject({ by: null });
});

test('a name that looks like a placeholder is not replaced, and no text of the stand adds a header', async () => {
  const lead = leadOf('1', { ...yes, name: '{signature} {nothing}', language: 'en' });
  const words = own({ subject: { en: 'Hi {name}\r\nBcc: eve@example.org' }, text: { en: 'Dear {name}' } });
  expect(letterTo(lead, words).body).toContain('Dear {signature} {nothing}');
  const parsed = await PostalMime.parse(draft(lead, words));
  expect(parsed.bcc ?? []).toEqual([]);
  expect(parsed.subject).toBe('Hi {signature} {nothing} Bcc: eve@example.org');
});
