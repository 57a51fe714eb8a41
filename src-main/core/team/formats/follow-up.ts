/**
 * Letters to hot leads who agreed to e-mail: drafts that staff open, edit and send in any mail program. Format:
 * RFC 5322, RFC 2045, RFC 2047. `X-Unsent: 1` makes it a draft.
 *
 * Invariants:
 * - Only people who agreed to e-mail and did not refuse later get a letter.
 * - One e-mail address gets one letter.
 * - No address or name can add a header or a second recipient.
 * - This module sends nothing.
 * - A preview is the letter itself: `letterTo` composes both.
 */
import { isDay } from '../../../contract/form-rules.ts';
import type { LETTER_PLACES } from '../../../contract/letter-places.ts';
import type { Texts } from '../../../contract/stand.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import { appointmentOf } from './calendar.ts';
import { cleanText } from './clean-text.ts';
import { consentTo, type ExportLead, emailKey } from './export-lead.ts';
import { fileNameOf } from './file-name.ts';
import texts from './follow-up-texts.json' with { type: 'json' };
import {
  countPerson,
  type ExportSetting,
  type ExportTally,
  type LeadSource,
  startCounting,
} from './profile.ts';

/** The built-in text of a letter in one language. */
type OurWords = { readonly subject: string } & Readonly<
  Record<'hello' | 'thanks' | 'contents' | 'appointment' | 'call' | 'meeting' | 'end', string>
>;

/** A letter as it is written. `by`: the member of staff who signs it. Null means the stand. */
export type Letter = {
  readonly to: string;
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly by: string | null;
  readonly language: string;
  readonly appointment: boolean;
};

/**
 * Why there is no letter: no lead is hot; no hot lead has an address; no hot lead with an address agreed to e-mail,
 * or a person with that address refused.
 */
export type NoLetter = 'nobodyHot' | 'noAddress' | 'nobodyAgreed';

const LETTERS: Readonly<Record<string, OurWords>> = texts;

/** Whether the stand may write to this person now. */
export function mayBeWrittenTo(lead: ExportLead): boolean {
  return lead.hot && !lead.takenBack && addressOf(lead) !== null && consentTo(lead, 'email') !== null;
}

/** A draft for each permitted person, with the contents they collected, in their language. */
export function* followUpFiles(
  leads: LeadSource,
  setting: ExportSetting,
): Generator<{ readonly name: string; readonly bytes: Uint8Array }, ExportTally> {
  const counting = startCounting();
  for (const lead of lettersAmong(leads)) {
    countPerson(counting, lead);
    const number = String(counting.count).padStart(4, '0');
    yield { name: `${number} ${fileNameOf(lead)}.eml`, bytes: Buffer.from(draft(lead, setting), 'ascii') };
  }
  return counting;
}

/** The leads that get a letter, one for each address. */
export function* lettersAmong(leads: LeadSource): Generator<ExportLead> {
  // A refusal counts for every person with that address. A consent counts for one person only.
  const done = refusedAddresses(leads);
  for (const lead of leads.all()) {
    const key = emailKey(lead.email);
    if (key === null || done.has(key) || !mayBeWrittenTo(lead)) continue;
    done.add(key);
    yield lead;
  }
}

/** Why there is no letter: the first required condition that no lead meets. */
export function whyNoLetter(leads: LeadSource): NoLetter {
  const reasons = new Set([...leads.all()].map(missingFor));
  const [nearest] = (['nobodyAgreed', 'noAddress'] as const).filter((reason) => reasons.has(reason));
  return nearest ?? 'nobodyHot';
}

function missingFor(lead: ExportLead): NoLetter {
  if (!lead.hot || lead.takenBack) return 'nobodyHot';
  return addressOf(lead) === null ? 'noAddress' : 'nobodyAgreed';
}

function refusedAddresses(leads: LeadSource): Set<string> {
  const refused = new Set<string>();
  for (const { email, consents } of leads.all()) {
    const key = emailKey(email);
    if (key !== null && consents.some(({ channel, agreed }) => channel === 'email' && !agreed))
      refused.add(key);
  }
  return refused;
}

/** One draft in ASCII, with the appointment as a calendar file where there is one. */
export function draft(lead: ExportLead, setting: ExportSetting): string {
  const { to, name, subject, body, language } = letterTo(lead, setting);
  const calendar = appointmentOf(lead, setting, appointmentTitle(lead, setting, language));
  const head = [
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    name === '' ? `To: <${to}>` : `To: ${encodedWords(name)}\r\n <${to}>`,
    `Subject: ${encodedWords(subject)}`,
    `Content-Language: ${language}`,
  ];
  const text = part('text/plain; charset=utf-8', body);
  if (calendar === null) return [...head, ...text].join('\r\n');
  // Base64 has no hyphen, so no part can contain this line.
  const boundary = 'touchpoint--appointment';
  return [
    ...head,
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...text,
    `--${boundary}`,
    'Content-Disposition: attachment; filename="appointment.ics"',
    ...part('text/calendar; charset=utf-8; method=PUBLISH', calendar),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function part(type: string, text: string): readonly string[] {
  return [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text, 'utf8').toString('base64').replace(/.{76}/gu, '$&\r\n'),
    '',
  ];
}

/**
 * The letter to a lead: in the stand's own words if it has them, signed by the member who follows up or met the
 * person last.
 */
export function letterTo(lead: ExportLead, setting: ExportSetting): Letter {
  const { letter } = setting;
  const language = ownLanguage(letter.text ?? letter.subject, lead.language) ?? letterLanguage(lead.language);
  const ours = LETTERS[letterLanguage(language)] ?? texts.en;
  const by = lead.followUpBy ?? lead.staff.at(-1) ?? null;
  const appointment = appointmentWords(lead, setting, ours, language);
  const contents = contentsOf(lead, ours);
  const signature = signatureOf(by, setting);
  const values: Readonly<Record<(typeof LETTER_PLACES)[number], string>> = {
    name: oneLine(lead.name ?? ''),
    stand: oneLine(setting.stand),
    event: oneLine(setting.event),
    member: oneLine(by ?? setting.stand),
    contents,
    appointment: appointment ?? '',
    signature,
  };
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/gu, (whole, name: string) =>
      Object.hasOwn(values, name) ? values[name as keyof typeof values] : whole,
    );
  const own = letter.text?.[language];
  const standard = [
    filled(ours.hello),
    filled(ours.thanks),
    ...(contents === '' ? [] : [contents]),
    ...(appointment === null ? [] : [appointment]),
    ours.end,
    signature,
  ].join('\n\n');
  // If the stand's letter has no place for the signature, the signature is added at its end.
  const signed = own === undefined || own.includes('{signature}') ? '' : `\n\n${signature}`;
  // A placeholder without a value leaves no empty paragraph.
  const body =
    own === undefined
      ? standard
      : `${filled(cleanText(own))
          .replace(/\n{3,}/gu, '\n\n')
          .trim()}${signed}`;
  const subject = letter.subject?.[language];
  return {
    to: addressOf(lead) ?? '',
    name: values.name,
    subject: oneLine(filled(subject ?? ours.subject)),
    body: body.replace(/\r\n?|\n/gu, '\r\n'),
    by,
    language,
    appointment: appointment !== null,
  };
}

/**
 * The language of the stand's own text for a person: the person's language, otherwise English, otherwise the first
 * language of the text. Null without a text.
 */
function ownLanguage(own: Texts | null, language: string | null): string | null {
  const tags = Object.keys(own ?? {});
  const primary = primaryOf(language);
  const found = [language ?? '', primary, 'en'].find((tag) => tags.includes(tag));
  return found ?? tags.find((tag) => primaryOf(tag) === primary) ?? tags[0] ?? null;
}

function primaryOf(language: string | null): string {
  return (language ?? '').toLowerCase().split(/[-_]/u, 1)[0] ?? '';
}

function letterLanguage(language: string | null): string {
  const primary = primaryOf(language);
  return Object.hasOwn(LETTERS, primary) ? primary : 'en';
}

function contentsOf({ contents }: ExportLead, { contents: title }: OurWords): string {
  const lines = contents.map(({ name, link }) =>
    link === null ? `- ${oneLine(name)}` : `- ${oneLine(name)}\n  ${link}`,
  );
  return lines.length === 0 ? '' : [title, ...lines].join('\n');
}

/** The member's own signature, otherwise the member's name and the stand. */
function signatureOf(by: string | null, { letter, stand }: ExportSetting): string {
  const wanted = foldForSearch(by ?? '').trim();
  const own = letter.signatures.find(({ name }) => by !== null && foldForSearch(name).trim() === wanted);
  if (own !== undefined && own.text.trim() !== '') return cleanText(own.text).trim();
  return [by, stand].flatMap((line) => (line === null || line === '' ? [] : [oneLine(line)])).join('\n');
}

/** A call or a meeting with day and time, in words, including the time zone. Null if none was agreed. */
function appointmentWords(
  { followUpOn: day, followUpTime: time, followUpKind: kind }: ExportLead,
  { clock }: ExportSetting,
  ours: OurWords,
  language: string,
): string | null {
  if (day === null || !isDay(day) || time === null || kind === null) return null;
  const format = new Intl.DateTimeFormat(language, {
    ...{
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    },
    timeZone: clock.zone,
    timeZoneName: 'short',
  });
  return ours.appointment
    .replace('{kind}', () => ours[kind])
    .replace('{when}', () => format.format(clock.instant(day, time)));
}

function appointmentTitle({ followUpKind }: ExportLead, { stand }: ExportSetting, language: string): string {
  const ours = LETTERS[letterLanguage(language)] ?? texts.en;
  return [followUpKind === null ? '' : ours[followUpKind], oneLine(stand)].filter(Boolean).join(': ');
}

/** The address of a lead. Null if a header cannot hold it. */
function addressOf({ email }: ExportLead): string | null {
  const address = email?.trim() ?? '';
  return /^[^\s<>()[\]\\,;:"@\p{C}]+@[^\s<>()[\]\\,;:"@\p{C}]+$/u.test(address) &&
    /^[\u0020-\u007e]+$/u.test(address)
    ? address
    : null;
}

function oneLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\p{Cf}]+/gu, ' ')
    .trim();
}

/** A header text as encoded words of at most 75 characters, without splitting a character (RFC 2047, section 2). */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character, 'utf8') > 39) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((part) => `=?UTF-8?B?${Buffer.from(part, 'utf8').toString('base64')}?=`)
    .join('\r\n ');
}
