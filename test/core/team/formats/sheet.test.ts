/** Sheets for people, read by third-party parsers, and by LibreOffice if it is installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import type { ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import { sheetCsv } from '../../../../src-main/core/team/formats/sheet-csv.ts';
import { sheetXlsx } from '../../../../src-main/core/team/formats/sheet-xlsx.ts';
import { createWallClock } from '../../../../src-main/core/team/formats/wall-clock.ts';
import { notRunUnless } from '../../../not-run.ts';
import { ownFolder } from '../../fixture.ts';
import { DANGEROUS, leadOf, newsConsent, ODD_TEXTS, setting, sourceOf, written } from './lead-samples.ts';

const csvOf = (leads: readonly ExportLead[], language = 'en') => {
  const { text, tally } = written(sheetCsv(sourceOf(leads), setting(language)));
  return { text, tally, rows: parse(text, { bom: true, delimiter: [',', ';'] }) as string[][] };
};

const xlsxOf = async (leads: readonly ExportLead[]) => {
  const { bytes, tally } = written(sheetXlsx(sourceOf(leads), setting()));
  const path = join(ownFolder(), 'leads.xlsx');
  writeFileSync(path, bytes);
  return { path, tally, rows: await readSheet(path) };
};

/** Every text field of a lead starts with `start`. */
const leadOfDanger = (start: string): ExportLead => {
  const text = `${start}SUM(1;2)`;
  return leadOf(`danger ${start}`, {
    ...{
      firstName: text,
      lastName: text,
      name: text,
      company: text,
      jobTitle: text,
      email: text,
      phone: text,
    },
    ...{
      mobile: text,
      street: text,
      postalCode: text,
      city: text,
      country: text,
      language: text,
      hotWhy: text,
    },
    ...{ labels: [text], note: text, staff: [text], followUpOn: text, followUpBy: text, badges: [text] },
    id: text,
    answers: [
      { id: 'when', question: text, answer: text },
      { id: 'gone', question: text, answer: text },
    ],
    contents: [{ id: 'c', name: text, link: null }],
    consents: [newsConsent(true), { ...newsConsent(true), purpose: 'gone', text, notice: text }],
  });
};

test('CSV: no cell starts like a formula, in any field, with any prefix, even after hidden spaces', () => {
  const { rows } = csvOf(DANGEROUS.map(leadOfDanger));
  expect(rows).toHaveLength(DANGEROUS.length + 1);
  const guarded = rows
    .slice(1)
    .flat()
    .filter((cell) => cell.includes('SUM'));
  expect(guarded.length).toBeGreaterThan(DANGEROUS.length * 20);
  for (const cell of guarded) expect(cell).toMatch(/^'/u);
});

test('CSV: the separator suits Excel in each language, and every value is preserved', () => {
  const { text, rows } = csvOf(
    ODD_TEXTS.map((note, index) => leadOf(`n${index}`, { note })),
    'de',
  );
  expect(text.startsWith('\ufeffName;Vorname;')).toBe(true);
  expect(text.replace(/"[^"]*"/gu, '').replaceAll('\r\n', '')).not.toContain('\n');
  const notes = rows.slice(1).map((row) => row[rows[0]?.indexOf('Notiz') ?? -1]);
  expect(notes.slice(0, 3)).toEqual(ODD_TEXTS.slice(0, 3));
  expect(notes.slice(3, 6)).toEqual(['abc', 'half \ufffd of a character', 'turned around']);
  expect(csvOf([leadOf('a')], 'fr-CH').text.startsWith('\ufeffName;First name;')).toBe(true);
  expect(csvOf([leadOf('a')], 'ja').text.startsWith('\ufeffName,First name,')).toBe(true);
});

test.each([
  ['Europe/Berlin', '2026-11-21 17:05', 'Europe/Berlin'],
  ['America/New_York', '2026-11-21 11:05', 'America/New_York'],
  ['Pacific/Auckland', '2026-11-22 05:05', 'Pacific/Auckland'],
  ['Nowhere/Land', '2026-11-21 16:05', 'UTC'],
  [null, '2026-11-21 16:05', 'UTC'],
])('times of an event in %s are in its time zone, which the column headers state', (zone, time, named) => {
  const given = { ...setting(), clock: createWallClock(zone) };
  const { text } = written(sheetCsv(sourceOf([leadOf('a', { consents: [newsConsent(true)] })]), given));
  const [row] = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  for (const title of ['First visit', 'Last visit', 'Consent given'])
    expect(row?.[`${title} (${named})`], title).toBe(time);
});

test('a note longer than a cell is truncated, which the cell and the receipt report', async () => {
  const long = leadOf('long', { note: `${'ä🤖'.repeat(20_000)}` });
  const inCsv = csvOf([long]);
  const inXlsx = await xlsxOf([long]);
  for (const { rows, tally } of [inCsv, inXlsx]) {
    const cell = String(rows[1]?.find((text) => String(text).startsWith('ä🤖')));
    expect(cell.length).toBeLessThanOrEqual(32_767);
    expect(cell).toMatch(/🤖 \[…\] \(60000 characters, cut here\)$|ä \[…\] \(60000 characters, cut here\)$/u);
    expect(tally.cut).toBe(1);
  }
});

test('XLSX: numbers are numbers, times are times, and texts are texts even if they look like a number', async () => {
  const { rows, tally } = await xlsxOf([
    leadOf('a', { note: ODD_TEXTS.join('|'), followUpOn: '2026-12-01', consents: [newsConsent(false)] }),
    ...DANGEROUS.map(leadOfDanger),
  ]);
  const cell = (title: string) => rows[1]?.[rows[0]?.indexOf(title) ?? -1];
  expect(cell('Rating (1–5)')).toBe(4);
  expect(cell('Visits')).toBe(1);
  expect(cell('First visit (Europe/Berlin)')).toEqual(new Date(Date.UTC(2026, 10, 21, 17, 5)));
  expect(cell('Follow up on')).toEqual(new Date(Date.UTC(2026, 11, 1)));
  expect(cell('Phone')).toBe('+41 44 668 18 00');
  expect(cell('Agreed: Send me news')).toBe('no');
  expect(cell('Note')).toContain('<b>&amp;</b>');
  expect(cell('Note')).toContain('🤖 robots 👩🏽‍🔧');
  expect(rows[2]?.[0]).toBe('=SUM(1;2)');
  expect(tally.count).toBe(DANGEROUS.length + 1);
});

/** Ranges of code units: every one that a sheet treats differently, and its neighbours. */
const CODE_UNITS = [
  [0, 0xff],
  [0x167f, 0x1681],
  [0x1fff, 0x2070],
  [0x2fff, 0x3001],
  [0xd7ff, 0xd801],
  [0xdbff, 0xdc01],
  [0xdfff, 0xe001],
  [0xfefe, 0xffff],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

test('the fast path for plain text writes the same as the general path, with any character at any position', () => {
  // A bell character is removed from a text, so it does not change the file.
  const leads = (bell: string) =>
    CODE_UNITS.map((unit) => {
      const odd = String.fromCharCode(unit);
      const texts = { firstName: `${odd}a${bell}`, lastName: `${bell}a${odd}` };
      return leadOf(`u${unit}`, { ...texts, note: `a${odd}${bell}b`, company: `a ${odd}b${bell}` });
    });
  for (const sheet of [sheetCsv, sheetXlsx]) {
    const [plain, cleaned] = ['', '\u0007'].map((bell) => written(sheet(sourceOf(leads(bell)), setting())));
    expect(plain?.bytes.equals(cleaned?.bytes ?? Buffer.of())).toBe(true);
  }
});

test('XLSX: the sheet has no formula, a fixed header and a filter over all rows', async () => {
  const { path } = await xlsxOf(DANGEROUS.map(leadOfDanger));
  const xml = execFileSync('unzip', ['-p', path, 'xl/worksheets/sheet1.xml'], { encoding: 'utf8' });
  expect(xml).not.toMatch(/<f[ >]/u);
  expect(xml).toContain('state="frozen"');
  expect(xml).toMatch(new RegExp(`<autoFilter ref="A1:[A-Z]+${DANGEROUS.length + 1}"/>`, 'u'));
  expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected');
});

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path));

notRunUnless(office !== undefined, 'LibreOffice is not installed', 'office')(
  'LibreOffice opens both sheets, and no cell of either is a formula',
  () => {
    const folder = ownFolder();
    const leads = sourceOf([...DANGEROUS.map(leadOfDanger), leadOf('plain')]);
    writeFileSync(join(folder, 'x.xlsx'), written(sheetXlsx(leads, setting())).bytes);
    writeFileSync(join(folder, 'c.csv'), written(sheetCsv(leads, setting())).bytes);
    const profile = pathToFileURL(join(folder, 'profile')).href;
    for (const name of ['x.xlsx', 'c.csv']) {
      // Tokens of the import filter: comma, quote, UTF-8, from line 1, ..., "evaluate formulas" last, which is on.
      const asked =
        name === 'c.csv' ? ['--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,-1,true'] : [];
      const to = ['--headless', `-env:UserInstallation=${profile}`, ...asked, '--convert-to', 'fods'];
      execFileSync(office ?? '', [...to, '--outdir', folder, join(folder, name)], { stdio: 'pipe' });
      const sheet = readFileSync(join(folder, name.replace(/\w+$/u, 'fods')), 'utf8');
      expect(sheet).toContain('Ada Muster');
      expect(sheet).toContain('SUM(1;2)');
      expect(sheet).not.toContain('table:formula');
    }
  },
  120_000,
);
