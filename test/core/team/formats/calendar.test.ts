/** Next steps as a calendar: every day and time of the event's zone, including around a change of the clocks. */
import { expect, test } from 'vitest';
import { appointmentOf, calendar } from '../../../../src-main/core/team/formats/calendar.ts';
import type { ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import { createWallClock } from '../../../../src-main/core/team/formats/wall-clock.ts';
import { leadOf, setting, sourceOf, written } from './lead-samples.ts';

const zoned = (zone: string) => ({ ...setting(), clock: createWallClock(zone) });
const textOf = (leads: readonly ExportLead[]): string =>
  written(calendar(sourceOf(leads), zoned('Europe/Zurich'))).text;
/** Lines as a receiver reads them, unfolded. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n').filter(Boolean);
const meeting = { followUpOn: '2026-12-01', followUpTime: '14:30', followUpKind: 'meeting' } as const;

test('a time becomes an event in UTC, a day without a time becomes a whole-day event, and no day becomes no event', () => {
  const lines = linesOf(
    textOf([
      leadOf('a', { ...meeting, followUpBy: 'Jonas W.', note: 'Bring; the\nsample, please' }),
      leadOf('b', { followUpOn: '2026-12-02' }),
      leadOf('c'),
      leadOf('d', { ...meeting, takenBack: true }),
      leadOf('e', { ...meeting, followUpOn: '2026-02-30' }),
    ]),
  );
  expect(lines.filter((line) => /^(DTSTART|DTEND|SUMMARY|UID|CATEGORIES)/u.test(line))).toEqual([
    'UID:a@touchpoint',
    'DTSTART:20261201T133000Z',
    'DTEND:20261201T143000Z',
    'SUMMARY:Meeting: Ada Muster\\, Muster AG',
    'CATEGORIES:Jonas W.',
    'UID:b@touchpoint',
    'DTSTART;VALUE=DATE:20261202',
    'SUMMARY:Follow-up: Ada Muster\\, Muster AG',
  ]);
  expect(lines.find((line) => line.startsWith('DESCRIPTION'))).toContain('Bring\\; the\\nsample\\, please');
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
});

test.each([
  ['Europe/Zurich', '2026-07-01', '09:00', '2026-07-01T07:00:00Z'],
  ['Europe/Zurich', '2026-12-01', '09:00', '2026-12-01T08:00:00Z'],
  // Clocks go from 02:00 to 03:00: this time does not occur, so the offset before the change is used.
  ['Europe/Zurich', '2027-03-28', '02:30', '2027-03-28T01:30:00Z'],
  ['Europe/Zurich', '2027-03-28', '01:59', '2027-03-28T00:59:00Z'],
  ['Europe/Zurich', '2027-03-28', '03:00', '2027-03-28T01:00:00Z'],
  // Clocks go from 03:00 back to 02:00: the first of the two times is used.
  ['Europe/Zurich', '2026-10-25', '02:30', '2026-10-25T00:30:00Z'],
  ['Europe/Zurich', '2026-10-25', '03:30', '2026-10-25T02:30:00Z'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00Z'],
  ['Asia/Tokyo', '2026-12-01', '00:15', '2026-11-30T15:15:00Z'],
  ['Asia/Kathmandu', '2026-12-01', '12:00', '2026-12-01T06:15:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00Z'],
  ['nowhere/at all', '2026-12-01', '12:00', '2026-12-01T12:00:00Z'],
])('in %s, %s %s is %s', (zone, day, time, expected) => {
  expect(new Date(createWallClock(zone).instant(day, time)).toISOString()).toBe(
    expected.replace('Z', '.000Z'),
  );
});

test('lines have at most 75 octets, even with Arabic and Japanese names, and no name breaks out of its line', () => {
  const text = textOf([
    leadOf('a', { ...meeting, name: 'محمد '.repeat(30).trim(), company: '株式会社山田製作所'.repeat(9) }),
    leadOf('b', { ...meeting, name: 'Eve\r\nEND:VEVENT\r\nBEGIN:VEVENT', company: null }),
  ]);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(linesOf(text).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2);
});

test('two people with the same name are two events', () => {
  const uids = linesOf(textOf([leadOf('a', meeting), leadOf('b', meeting)])).filter((line) =>
    line.startsWith('UID'),
  );
  expect(new Set(uids).size).toBe(2);
});

test('a visitor’s appointment contains no text of the team', () => {
  const lead = leadOf('a', { ...meeting, note: 'difficult customer', labels: ['C'], followUpBy: 'Jonas W.' });
  const text = appointmentOf(lead, zoned('Europe/Zurich'), 'Meeting: Northwind') ?? '';
  expect(text).toContain('SUMMARY:Meeting: Northwind');
  expect(text).not.toMatch(/difficult|Muster|Jonas|DESCRIPTION/u);
  expect(appointmentOf(leadOf('b', { followUpOn: '2026-12-01' }), zoned('UTC'), 'x')).toBeNull();
});
