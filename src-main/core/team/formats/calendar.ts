/**
 * The next steps of leads as a calendar: iCalendar (RFC 5545), for any calendar program.
 *
 * Invariants:
 * - A step with a time is an event in UTC, so that no receiver needs the rules of the event's time zone. A step with
 *   only a day is an event of that whole day.
 * - The `UID` comes from the lead: a calendar that is imported again updates its events.
 * - The team's calendar has the note. A visitor's calendar has no text of the team.
 * - A lead that is undone or has no day has no event.
 */
import { isDay } from '../../../contract/form-rules.ts';
import { cleanText } from './clean-text.ts';
import { descriptionOf } from './crm-csv.ts';
import type { ExportLead } from './export-lead.ts';
import {
  type Counting,
  countPerson,
  type ExportPieces,
  type ExportSetting,
  inPieces,
  type LeadSource,
  startCounting,
} from './profile.ts';
import { type SheetWords, sheetWords } from './sheet-words.ts';
import { folded, value } from './vcard.ts';

const MINUTE_MS = 60_000;

/** How long a step with a time takes. */
const LASTS_MS: Readonly<Record<'call' | 'meeting' | 'none', number>> = {
  call: 30 * MINUTE_MS,
  meeting: 60 * MINUTE_MS,
  none: 30 * MINUTE_MS,
};

/** All next steps of the leads as one calendar for the team. */
export function* calendar(leads: LeadSource, setting: ExportSetting): ExportPieces {
  const counting = startCounting();
  yield* inPieces(calendarLines(leads, setting, counting));
  return counting;
}

function* calendarLines(leads: LeadSource, setting: ExportSetting, counting: Counting): Generator<string> {
  const words = sheetWords(setting.language);
  yield linesOf([
    ...HEAD,
    `X-WR-CALNAME:${value([setting.stand, setting.event].filter(Boolean).join(', '))}`,
  ]);
  for (const lead of leads.all()) {
    if (lead.takenBack) counting.takenBack += 1;
    if (lead.takenBack || !hasDay(lead)) continue;
    countPerson(counting, lead);
    const who = [lead.name ?? words.unknown, lead.company].filter((said) => said !== null).join(', ');
    const reach = [lead.phone, lead.mobile, lead.email].filter((said) => said !== null);
    const about = [...reach, descriptionOf(lead)].filter((said) => said !== '').join('\n');
    yield linesOf(
      event(lead, setting, `${stepWord(lead, words)}: ${who}`, about, [
        ...(lead.followUpBy === null ? [] : [`CATEGORIES:${value(lead.followUpBy)}`]),
      ]),
    );
  }
  yield linesOf(['END:VCALENDAR']);
}

/** The appointment of a lead for the visitor. Null without a day, a time or a kind. */
export function appointmentOf(lead: ExportLead, setting: ExportSetting, title: string): string | null {
  if (!hasDay(lead) || lead.followUpTime === null || lead.followUpKind === null) return null;
  return linesOf([...HEAD, ...event(lead, setting, title, '', []), 'END:VCALENDAR']);
}

const HEAD = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Touchpoint//Leads//EN', 'METHOD:PUBLISH'];

type WithDay = ExportLead & { readonly followUpOn: string };

function hasDay(lead: ExportLead): lead is WithDay {
  return lead.followUpOn !== null && isDay(lead.followUpOn);
}

function event(
  lead: WithDay,
  { clock, at }: ExportSetting,
  summary: string,
  about: string,
  more: readonly string[],
): readonly string[] {
  const { followUpOn: day, followUpTime: time, followUpKind: kind } = lead;
  const start = time === null ? null : clock.instant(day, time);
  return [
    'BEGIN:VEVENT',
    `UID:${value(lead.id)}@touchpoint`,
    `DTSTAMP:${utc(at)}`,
    // A receiver replaces an event only by one with a greater sequence.
    `SEQUENCE:${Math.floor(at / MINUTE_MS) % 1_000_000_000}`,
    ...(start === null
      ? [`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`, 'TRANSP:TRANSPARENT']
      : [`DTSTART:${utc(start)}`, `DTEND:${utc(start + LASTS_MS[kind ?? 'none'])}`]),
    `SUMMARY:${value(cleanText(summary).replace(/\s+/gu, ' '))}`,
    ...(about === '' ? [] : [`DESCRIPTION:${value(about)}`]),
    ...more,
    'END:VEVENT',
  ];
}

/** The word for the kind of a lead's next step. */
export function stepWord({ followUpKind }: Pick<ExportLead, 'followUpKind'>, words: SheetWords): string {
  return followUpKind === null ? words.followUp : words[followUpKind];
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/gu, '')}Z`;
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
