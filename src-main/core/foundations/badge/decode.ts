/**
 * Decodes the reading of a card or a scanner to a badge, or to the reason why it is not a badge. Pure; never throws.
 *
 * Invariants:
 * - A card's UID is its first code, unless it changes at every tap.
 * - Nothing in a card's memory can turn a phone into a badge.
 * - Text longer than 2 KiB is not a badge.
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

/** Other QR contents by their prefix: mail, telephone, network, place, script, our own set-up. */
const otherContent =
  /^(?:mailto|tel|sms|smsto|mmsto|geo|wifi|javascript|data|file|otpauth|matmsg|bitcoin|touchpoint):/i;

function notABadge(reason: string): BadgeReading {
  return { kind: 'notABadge', reason };
}

/**
 * Judges a card: phones first, then the UID, then an id in its NDEF message. With a random UID, only the id in the
 * message counts.
 */
export function badgeOfCard(card: NfcCard, profile: BadgeProfile): BadgeReading {
  const meaning = meaningOfUid(card.uid, card.atr);
  if (meaning === 'phone') return { kind: meaning };
  if (meaning === 'strange') return notABadge('uid');
  const readings = card.ndef.state === 'read' ? readingsOfNdef(card.ndef.bytes, profile) : [];
  const codes = readings.flatMap((reading) => (reading.kind === 'badge' ? reading.codes : []));
  // A sticker with the address of a content page is not a badge, although it has a UID.
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

/** Decodes text from a camera, a keyboard scanner or the keyboard. */
export function badgeOfText(text: string, profile: BadgeProfile): BadgeReading {
  // A UTF-16 unit is at most three bytes, so this limits the work before encoding.
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

/** Removes control, invisible and broken characters, and spaces at the ends. */
function cleaned(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
}
