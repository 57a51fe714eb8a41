/**
 * The files for the import of a CRM, read by a third-party parser.
 */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { e164, hubspot } from '../../../../src-main/core/team/formats/hubspot.ts';
import type {
  ExportPieces,
  ExportSetting,
  LeadSource,
} from '../../../../src-main/core/team/formats/profile.ts';
import { salesforce } from '../../../../src-main/core/team/formats/salesforce.ts';
import { leadOf, newsConsent, ODD_TEXTS, setting, sourceOf, written } from './lead-samples.ts';

type Profile = (leads: LeadSource, setting: ExportSetting) => ExportPieces;

const rowsOf = (profile: Profile, leads: Parameters<typeof sourceOf>[0]) => {
  const { text, tally } = written(profile(sourceOf(leads), setting()));
  const rows = parse(text, { columns: true, relax_column_count: false }) as Record<string, string>[];
  return { rows, tally };
};

const PROFILES: readonly [string, Profile][] = [
  ['salesforce', salesforce],
  ['hubspot', hubspot],
];

test('Salesforce gets a last name and a company in every row, and the receipt counts placeholders', () => {
  const { rows, tally } = rowsOf(salesforce, [
    leadOf('a'),
    leadOf('b', { lastName: null, company: null, name: 'Ada' }),
    leadOf('c', { firstName: null, lastName: 'Ng', name: 'Ng', email: null }),
    leadOf('d', { firstName: null, lastName: null, name: null, company: 'Only Ltd', email: null }),
  ]);
  expect(rows.map((row) => [row['First Name'], row['Last Name'], row.Company])).toEqual([
    ['Ada', 'Muster', 'Muster AG'],
    ['', 'Ada', '[not given]'],
    ['', 'Ng', 'Muster AG'],
    ['', '[not given]', 'Only Ltd'],
  ]);
  expect(tally).toMatchObject({ count: 4, withoutCompany: 1, withoutEmail: 2 });
  expect(rows[0]).toMatchObject({ 'Lead Source': 'Autumn Fair, Northwind', Rating: 'Hot' });
});

test.each(PROFILES)('%s: only an explicit consent opts in, and the row contains its notice', (_, profile) => {
  const yes = newsConsent(true);
  const { rows } = rowsOf(profile, [
    leadOf('yes', { consents: [yes] }),
    leadOf('no', { consents: [newsConsent(false)] }),
    leadOf('silent'),
    leadOf('phone', { consents: [{ ...yes, channel: 'phone' }] }),
    leadOf('unsaid', { consents: [{ ...yes, channel: null }] }),
  ]);
  if (profile === salesforce)
    expect(rows.map((row) => row['Email Opt Out'])).toEqual(['0', '1', '1', '1', '1']);
  expect(rows.map((row) => row['Email Consent'])).toEqual([
    'Notice 2026-11 (de), 2026-11-21: Send me news',
    ...['', '', '', ''],
  ]);
  if (profile === hubspot) {
    expect(rows.map((row) => row["Legal basis for processing contact's data"])).toEqual([
      'Freely given consent from contact',
      ...['', '', '', ''],
    ]);
  }
});

test.each(PROFILES)(
  '%s: one e-mail address in two spellings is one row, the latest visit first',
  (_, profile) => {
    const { rows, tally } = rowsOf(profile, [
      leadOf('old', {
        email: 'Ada@Example.org ',
        note: 'first talk',
        phone: null,
        consents: [newsConsent(true)],
      }),
      leadOf('other'),
      leadOf('new', {
        email: 'ada@example.ORG',
        note: 'second talk',
        phone: null,
        jobTitle: null,
        visits: [{ at: Date.UTC(2027, 0, 1), touchpoint: null }],
        consents: [newsConsent(false)],
      }),
      leadOf('boss', {
        email: 'ADA@example.org',
        firstName: 'Bo',
        lastName: 'Boss',
        name: 'Bo Boss',
        visits: [],
      }),
    ]);
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map((row) => row.Email?.trim().toLowerCase())).size).toBe(2);
    expect(tally).toMatchObject({ count: 2, merged: 2 });
    const merged = rows.find((row) => row.Email?.toLowerCase().startsWith('ada@'));
    expect(merged?.Email).toBe('ada@example.ORG');
    expect(merged?.Title ?? merged?.['Job Title']).toBe('Head of Buying');
    const said = merged?.Description ?? merged?.Notes ?? '';
    expect(said).toMatch(/second talk\nfirst talk(.|\n)*Bo Boss, Head of Buying/u);
    expect(merged?.['Email Consent']).toBe('');
  },
);

test.each(PROFILES)(
  '%s: line breaks, quotes and emoji of a note are unchanged, and phones have no apostrophe',
  (name, profile) => {
    const { rows } = rowsOf(
      profile,
      ODD_TEXTS.map((note, index) =>
        leadOf(`n${index}`, { note, mobile: '+49 171 1234567', phone: '044 668 18 00' }),
      ),
    );
    const notes = rows.map((row) => (row.Description ?? row.Notes ?? '').replace(/\nLabels: Partner$/u, ''));
    const cleaned = (note: string) =>
      note.replace('\u0000', '').replace('\u0007', '').replace('\ud83d of', '\ufffd of');
    expect(notes).toEqual(ODD_TEXTS.map(cleaned));
    const phone = name === 'hubspot' ? '+41446681800' : '044 668 18 00';
    expect(new Set(rows.map((row) => row.Phone ?? row['Phone Number']))).toEqual(new Set([phone]));
    expect(
      new Set(rows.map((row) => (row['Mobile Phone'] ?? row['Mobile Phone Number'])?.replaceAll(' ', ''))),
    ).toEqual(new Set(['+491711234567']));
  },
);

test.each(PROFILES)(
  '%s: undone and unknown visitors do not become contacts, and are counted',
  (_, profile) => {
    const nobody = { firstName: null, lastName: null, name: null, company: null, email: null, phone: null };
    const { rows, tally } = rowsOf(profile, [
      leadOf('a'),
      leadOf('b', { takenBack: true, email: 'a@example.org' }),
      leadOf('c', { ...nobody, unknown: true }),
    ]);
    expect(rows).toHaveLength(1);
    expect(tally).toMatchObject({ count: 1, takenBack: 1, unknown: 1, merged: 0 });
  },
);

test('HubSpot gets a number in E.164 if the country is certain, otherwise the typed number', () => {
  for (const country of [null, 'DE', 'Switzerland']) {
    expect(e164('+41 (0)44 668-18 00', country)).toBe('+41446681800');
    expect(e164('0041 44 668 18 00', country)).toBe('+41446681800');
    expect(e164('+41 44 668 18 00 ext. 5', country)).toBe('+41 44 668 18 00 ext. 5');
  }
  expect(e164('044 668 18 00', 'CH')).toBe('+41446681800');
  expect(e164('0171 1234567', 'de ')).toBe('+491711234567');
  expect(e164('(415) 555-2671', 'US')).toBe('+14155552671');
  expect(e164('02 1234 5678', 'IT')).toBe('+390212345678');
  expect(e164('044 668 18 00', null)).toBe('044 668 18 00');
  expect(e164('044 668 18 00', 'Switzerland')).toBe('044 668 18 00');
  expect(e164('044 668 18 00 ext 5', 'CH')).toBe('044 668 18 00 ext 5');
  expect(e164('123', 'CH')).toBe('123');
  expect(e164('call me', 'CH')).toBe('call me');
  expect(e164(null, 'CH')).toBeNull();
});

/**
 * The maximum lengths that each receiver accepts. They are from its own documentation (named in the profile), not
 * from our code.
 */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  salesforce: {
    ...{
      'First Name': 40,
      'Last Name': 80,
      Company: 255,
      Title: 128,
      Email: 80,
      Phone: 40,
      'Mobile Phone': 40,
    },
    ...{ Street: 255, City: 40, 'Zip/Postal Code': 20, Country: 80, 'Lead Source': 255, Description: 32_000 },
  },
  hubspot: { 'First Name': 65_536, 'Last Name': 65_536, 'Company Name': 65_536, Notes: 65_536 },
};

test.each(PROFILES)(
  '%s: no value is longer than its field, and the description contains the full text',
  (name, profile) => {
    const long = (mark: string) => `${mark}😀`.repeat(20_000);
    const { rows, tally } = rowsOf(profile, [
      leadOf('a', {
        ...{
          firstName: long('f'),
          lastName: long('l'),
          company: long('c'),
          jobTitle: long('t'),
          city: long('o'),
        },
        ...{ email: `${'a'.repeat(300)}@example.org`, phone: '1'.repeat(70_000), street: long('s') },
      }),
      leadOf('b', { note: long('n'), jobTitle: 'T'.repeat(128) }),
      leadOf('c', { firstName: 'Maximiliane-Alexandrine-Wilhelmina-Friederike' }),
    ]);
    for (const row of rows) {
      for (const [title, most] of Object.entries(LIMITS[name] ?? {}))
        expect(row[title]?.length, title).toBeLessThanOrEqual(most);
      for (const value of Object.values(row)) expect(value.isWellFormed()).toBe(true);
    }
    expect(rows[1]?.Title ?? rows[1]?.['Job Title']).toBe('T'.repeat(128));
    if (profile === hubspot) return;
    expect(rows[2]).toMatchObject({
      'First Name': 'Maximiliane-Alexandrine-Wilhelmina-Frie…',
      Description: 'First Name: Maximiliane-Alexandrine-Wilhelmina-Friederike\nLabels: Partner',
    });
    // Six texts of the first, its description, the note of the second, a name of the third; address and phone are
    // left out.
    expect(tally).toMatchObject({ cut: 9, leftOut: 2 });
  },
);

test.each(PROFILES)('%s: an invalid e-mail address is in the description, not in Email', (_, profile) => {
  const wrong = [
    'ada',
    'ada@example',
    'a b@example.org',
    'ada@example.org; bo@example.org',
    'ada@@example.org',
  ];
  const { rows, tally } = rowsOf(profile, [
    ...wrong.map((email, index) => leadOf(`w${index}`, { email })),
    leadOf('right', { email: ' ada.o\u2019neil+fair@mail.example.co.uk ' }),
  ]);
  expect(rows.map(({ Email }) => Email)).toEqual([
    '',
    '',
    '',
    '',
    '',
    'ada.o\u2019neil+fair@mail.example.co.uk',
  ]);
  expect(rows.map((row) => (row.Description ?? row.Notes)?.split('\n')[0])).toEqual([
    ...wrong.map((email) => `Email: ${email}`),
    'Labels: Partner',
  ]);
  expect(tally).toMatchObject({ leftOut: 5, cut: 0 });
});

test('HubSpot gets no column for a property that only HubSpot sets', () => {
  const { rows } = rowsOf(hubspot, [leadOf('a')]);
  const titles = Object.keys(rows[0] ?? {});
  expect(titles).not.toContain('Original Source Drill-Down');
  expect(titles).not.toContain('Email Opt Out');
  expect(rows[0]?.['Lead Source']).toBe('Autumn Fair, Northwind');
});
