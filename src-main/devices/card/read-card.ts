/**
 * Reads any card: its UID, then the NDEF message for its type of tag.
 *
 * Invariant: the ATR determines the type of tag. No command is tried on a card to find it out.
 */
import { getUid, hexOf, parseResponse, type StatusMeaning } from './apdu.ts';
import type { Exchange, MessageReading, ReadStrategy } from './exchange.ts';
import { readType2 } from './type2-tag.ts';
import { readType4 } from './type4-tag.ts';

/** Maximum length of a UID in bytes. Longer answers are garbage (ISO/IEC 14443-3: 10; FeliCa and ISO/IEC 15693: 8). */
const maxUidBytes = 16;

/** The UID (empty when the card has none), or why the card could not be read. */
type UidReading =
  | { readonly kind: 'uid'; readonly uid: string }
  | { readonly kind: 'failed'; readonly why: StatusMeaning };

/** Reads the UID, with the same command for every type of card. */
export function* readUid(): Exchange<UidReading> {
  const response = parseResponse(yield getUid());
  if (response.kind === 'ok') {
    return response.data.length > maxUidBytes
      ? { kind: 'failed', why: 'garbage' }
      : { kind: 'uid', uid: hexOf(response.data) };
  }
  return response.why === 'unsupported' || response.why === 'missing'
    ? { kind: 'uid', uid: '' }
    : { kind: 'failed', why: response.why };
}

/** Reads the NDEF message for the type of tag in the ATR, with the given strategy. */
export function* readMessage(atr: string, strategy: ReadStrategy): Exchange<MessageReading> {
  switch (tagTypeOfAtr(atr)) {
    case 'type2':
      return yield* readType2(strategy);
    case 'type4':
      return yield* readType4(strategy);
    case 'other':
      return { ndef: { state: 'none' }, bulk: 'fine' };
  }
}

/** Types of tags whose NDEF message is read. MIFARE Classic needs keys and is not read. */
export type TagType = 'type2' | 'type4' | 'other';

/**
 * PC/SC part 3, 3.1.3.2.3: the ATR of storage cards contains `4F 0C A0 00 00 03 06`, then the standard (03: ISO/IEC
 * 14443-3 A) and the card's name (part 3 supplemental: 0003 Ultralight and NTAG, 003A Ultralight C, 003D Ultralight
 * EV1). Any other ATR that starts with `3B 8n 80 01` is an ISO/IEC 14443-4 card.
 */
export function tagTypeOfAtr(atr: string): TagType {
  const storage = /^3B8F8001804F0CA000000306(..)(....)/.exec(atr);
  if (storage !== null) {
    return storage[1] === '03' && /^00(?:03|3A|3D)$/.test(storage[2] ?? '') ? 'type2' : 'other';
  }
  return /^3B8[0-9A-F]8001/.test(atr) ? 'type4' : 'other';
}
