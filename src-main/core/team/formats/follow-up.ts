/**
 * Letters to hot leads who agreed to e-mail: drafts that staff opens, edits and sends in any mail program. Format:
 * RFC 5322, RFC 2045, RFC 2047. `X-Unsent: 1` makes it a draft.
 *
 * Invariants:
 * - Only people who agreed to e-mail and did not refuse later get a letter.
 * - One person gets one letter.
 * - No address or name can add a header or a second receiver.
 * - Nothing is sent from here.
 */
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

type Letter = { readonly subject: string } & Readonly<
  Record<'hello' | 'thanks' | 'contents' | 'end', string>
>;

/** No lead is hot; no hot lead has an address; no hot lead with an address agreed to e-mail, or one refused it. */
export type NoLetter = 'nobodyHot' | 'noAddress' | 'nobodyAgreed';

const LETTERS: Readonly<Record<string, Letter>> = texts;

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
  // A refusal counts for every person with that address. A consent counts for one person only.
  const done = refusedAddresses(leads);
  for (const lead of leads.all()) {
    const key = emailKey(lead.email);
    if (key === null || done.has(key) || !mayBeWrittenTo(lead)) continue;
    done.add(key);
    countPerson(counting, lead);
    const number = String(counting.count).padStart(4, '0');
    yield { name: `${number} ${fileNameOf(lead)}.eml`, bytes: Buffer.from(draft(lead, setting), 'ascii') };
  }
  return counting;
}

/** Why there is no letter: the first of the required conditions that no lead meets. */
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

/** One draft in ASCII. */
export function draft(lead: ExportLead, setting: ExportSetting): string {
  const language = letterLanguage(lead.language);
  const { subject, body } = letterOf(lead, setting, language);
  const name = oneLine(lead.name ?? '');
  const address = addressOf(lead) ?? '';
  return [
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    name === '' ? `To: <${address}>` : `To: ${encodedWords(name)}\r\n <${address}>`,
    `Subject: ${encodedWords(subject)}`,
    `Content-Language: ${language}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body, 'utf8').toString('base64').replace(/.{76}/gu, '$&\r\n'),
    '',
  ].join('\r\n');
}

function letterLanguage(language: string | null): string {
  const primary = (language ?? '').toLowerCase().split(/[-_]/u, 1)[0] ?? '';
  return Object.hasOwn(LETTERS, primary) ? primary : 'en';
}

function letterOf(
  lead: ExportLead,
  setting: ExportSetting,
  language: string,
): { readonly subject: string; readonly body: string } {
  const letter = LETTERS[language] ?? texts.en;
  const values: Readonly<Record<string, string>> = {
    name: oneLine(lead.name ?? ''),
    stand: oneLine(setting.stand),
    event: oneLine(setting.event),
  };
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/gu, (_, name: string) => values[name] ?? '');
  const contents = lead.contents.map(({ name, link }) => {
    const title = oneLine(name);
    return link === null ? `- ${title}` : `- ${title}\n  ${link}`;
  });
  const paragraphs = [
    filled(letter.hello),
    filled(letter.thanks),
    ...(contents.length === 0 ? [] : [[letter.contents, ...contents].join('\n')]),
    letter.end,
    oneLine(setting.stand),
  ];
  return { subject: filled(letter.subject), body: paragraphs.join('\n\n').replaceAll('\n', '\r\n') };
}

/** The address of a lead. Null where a header cannot hold it. */
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
