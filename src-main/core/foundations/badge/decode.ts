/**
 * From the reading of a card or a scanner to a badge, or to the reason why it is none. Pure; never throws.
 *
 * Invariants: a card's UID is its first code, unless it is another one at every tap; nothing found in a card's memory
 * can turn a phone into a badge; text longer than 2 KiB is nothing.
 */
import type { BadgeReading, CardReading } from '../ports.ts';
import { isWebAddress, readAddress } from './address.ts';
import { idOfContactCard, isContactCard } from './contact-card.ts';
import { parseNdefMessage } from './ndef-message.ts';
import { contentsOfRecords, type NdefContent } from './ndef-text.ts';
import type { NfcCard } from './nfc-card.ts';
import type { BadgeProfile } from './profile.ts';
import { meaningOfUid, uidOfText } from './uid.ts';

/** Longest text that is decoded, in UTF-8 bytes. */
const mostTextBytes = 2048;

/** QR contents that are something else by their first letters: mail, telephone, network, place, script, a set-up of ours. */
const otherContent =
  /^(?:mailto|tel|sms|smsto|mmsto|geo|wifi|javascript|data|file|otpauth|matmsg|bitcoin|touchpoint):/i;

function notABadge(reason: string): BadgeReading {
  return { kind: 'notABadge', reason };
}

/** Judges a card: phones first, then the UID, then an id in its NDEF message, which alone counts where the UID is random. */
export function badgeOfCard(card: NfcCard, profile: BadgeProfile): BadgeReading {
  const meaning = meaningOfUid(card.uid, card.atr);
  if (meaning === 'phone') return { kind: meaning };
  if (meaning === 'strange') return notABadge('uid');
  const readings = card.ndef.state === 'read' ? readingsOfNdef(card.ndef.bytes, profile) : [];
  const codes = readings.flatMap((reading) => (reading.kind === 'badge' ? reading.codes : []));
  // A sticker that leads to a content page is no badge, although it has a UID like one.
  if (
    codes.length === 0 &&
    readings.some((reading) => reading.kind === 'notABadge' && reading.reason === 'content')
  )
    return notABadge('content');
  const { state } = card.ndef;
  const isLost = state === 'timeout' || state === 'failed';
  if (meaning === 'randomUid') {
    const [first, ...more] = codes;
    if (first !== undefined) return badge(first, ...more);
    return isLost ? { kind: meaning, lostNdef: state } : { kind: meaning };
  }
  const read = badge(card.uid, ...codes);
  return isLost ? { ...read, lostNdef: state } : read;
}

/** A card as the core receives it. */
export function readingOfCard(card: NfcCard, profile: BadgeProfile): CardReading {
  return { uid: card.uid, badge: badgeOfCard(card, profile) };
}

/** Judges text from a camera, a keyboard scanner or fingers. */
export function badgeOfText(text: string, profile: BadgeProfile): BadgeReading {
  // Characters are at most three bytes per UTF-16 unit, so this bounds the work before anything is encoded.
  if (text.length > mostTextBytes || new TextEncoder().encode(text).length > mostTextBytes)
    return notABadge('tooLong');
  if (isContactCard(text)) return badgeOfContact(text);
  const clean = cleaned(text);
  if (clean === '') return notABadge('empty');
  if (isWebAddress(clean)) return badgeOfAddress(clean, profile);
  return otherContent.test(clean) ? notABadge('otherContent') : badge(uidOfText(clean) ?? clean);
}

function badgeOfAddress(address: string, profile: BadgeProfile): BadgeReading {
  const reading = readAddress(address, profile);
  if (reading.kind === 'content') return notABadge('content');
  return reading.kind === 'refused' ? notABadge(reading.reason) : badgeOfId(reading.id);
}

function badgeOfContact(text: string): BadgeReading {
  const id = idOfContactCard(text);
  return id === null ? notABadge('contactWithoutId') : badgeOfId(id);
}

function badgeOfId(id: string): BadgeReading {
  const clean = cleaned(id);
  return clean === '' ? notABadge('noId') : badge(uidOfText(clean) ?? clean);
}

function readingsOfNdef(bytes: Uint8Array, profile: BadgeProfile): readonly BadgeReading[] {
  const message = parseNdefMessage(bytes);
  if (message.kind === 'malformed') return [];
  return contentsOfRecords(message.records).map((content) => readingOfContent(content, profile));
}

function readingOfContent(content: NdefContent, profile: BadgeProfile): BadgeReading {
  switch (content.kind) {
    case 'uri':
      return badgeOfAddress(cleaned(content.uri), profile);
    case 'text':
      return badgeOfText(content.text, profile);
    case 'contact':
      return badgeOfContact(content.text);
  }
}

function badge(first: string, ...more: readonly string[]): Extract<BadgeReading, { kind: 'badge' }> {
  return {
    kind: 'badge',
    codes: [first, ...new Set(more.filter((code) => code !== first))],
  };
}

/** Without control, invisible and broken characters and without blanks at the ends; everything else exact. */
function cleaned(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
}
