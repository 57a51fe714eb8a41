/**
 * Leads as vCards 3.0 (RFC 2426), for address books.
 *
 * Invariants:
 * - Version 3.0, because some receivers refuse 4.0.
 * - UTF-8, CRLF, lines folded at 75 octets and never within a character.
 * - Every card has `N`. `\ , ;` and line breaks are escaped.
 * - Undone leads and unknown badges get no card.
 */
import { cleanText } from './clean-text.ts';
import { descriptionOf, namesOf } from './crm-csv.ts';
import type { ExportLead } from './export-lead.ts';
import { fileNameOf } from './file-name.ts';
import { isContact } from './one-row-per-person.ts';
import { type Counting, countPerson, type ExportPieces, type LeadSource, startCounting } from './profile.ts';

/** Cards per write. */
const BATCH = 200;
const MOST_OCTETS = 75;

/** All cards in one file. */
export function* vcf(leads: LeadSource): ExportPieces {
  const counting = startCounting();
  let batch: string[] = [];
  for (const lead of people(leads, counting)) {
    batch.push(vcard(lead));
    if (batch.length < BATCH) continue;
    yield Buffer.from(batch.join(''), 'utf8');
    batch = [];
  }
  if (batch.length > 0) yield Buffer.from(batch.join(''), 'utf8');
  return counting;
}

/** One card per file, because Outlook reads only the first card of a file. */
type CardFile = { readonly name: string; readonly bytes: Uint8Array };

/** Each card as a file with a unique name that is valid on every system. */
export function* vcfFiles(leads: LeadSource): Generator<CardFile, ReturnType<typeof startCounting>> {
  const counting = startCounting();
  for (const lead of people(leads, counting)) {
    const number = String(counting.count).padStart(5, '0');
    yield { name: `${number} ${fileNameOf(lead)}.vcf`, bytes: Buffer.from(vcard(lead), 'utf8') };
  }
  return counting;
}

function* people(leads: LeadSource, counting: Counting): Generator<ExportLead> {
  for (const lead of leads.all()) {
    if (lead.takenBack) counting.takenBack += 1;
    else if (!isContact(lead)) counting.unknown += 1;
    else {
      countPerson(counting, lead);
      yield lead;
    }
  }
}

/** One card. */
export function vcard(lead: ExportLead): string {
  const { first, last } = namesOf(lead);
  const shown = lead.name ?? [first, last].filter((part) => part !== null).join(' ');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${value(last)};${value(first)};;;`,
    `FN:${value(shown === '' ? (lead.company ?? lead.email ?? lead.phone ?? lead.mobile) : shown)}`,
    ...property('ORG', lead.company),
    ...property('TITLE', lead.jobTitle),
    ...property('EMAIL;TYPE=INTERNET', lead.email),
    ...property('TEL;TYPE=WORK,VOICE', lead.phone),
    ...property('TEL;TYPE=CELL', lead.mobile),
    ...addressOf(lead),
    ...(lead.labels.length === 0 ? [] : [`CATEGORIES:${lead.labels.map(value).join(',')}`]),
    ...property('NOTE', descriptionOf(lead)),
    `UID:${value(lead.id)}`,
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function property(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [`${name}:${value(text)}`];
}

function addressOf({ street, city, postalCode, country }: ExportLead): readonly string[] {
  if ([street, city, postalCode, country].every((part) => part === null)) return [];
  return [`ADR;TYPE=WORK:;;${value(street)};${value(city)};;${value(postalCode)};${value(country)}`];
}

/** A text as a value of a vCard or an iCalendar: both escape the same characters. */
export function value(text: string | null): string {
  return cleanText(text ?? '')
    .replace(/[\\,;]/gu, (character) => `\\${character}`)
    .replace(/\r\n?|\n/gu, '\\n');
}

/**
 * A line in pieces of at most 75 octets. Each piece after the first starts with a space, which is included in the 75.
 */
export function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character, 'utf8');
    if (octets + size > MOST_OCTETS) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join('\r\n');
}
