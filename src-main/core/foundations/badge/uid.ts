/**
 * UIDs of contactless cards: distinguishes badges from phones. Pure.
 *
 * Invariants:
 * - A UID is upper-case hex without separators.
 * - A UID that may change between two taps of the same card is never a badge.
 */

/** ISO/IEC 14443-3, 6.5.4: single, double and triple size, in hex digits. */
const uidDigits: readonly number[] = [8, 14, 20];

/**
 * ATR of an ISO/IEC 14443-4 type A card without historical bytes (PC/SC part 3, 3.1.3.2.3.1), which is also the ATR
 * of a phone's card emulation. Such cards have a double-size UID, phones never do.
 */
const emulatedAtr = '3B80800101';

/**
 * ATRs of cards that can be configured for a random UID and are not phones: MIFARE DESFire and NTAG 424 (historical
 * byte 80), MIFARE Plus (`C1 05 2F 2F 01 BC D6`). NXP AN10927, 3 and AN10833, 3.
 */
const randomUidCards: readonly string[] = ['3B8180018080', '3B878001C1052F2F01BCD6A9'];

/** Kind of a UID: of a badge, of a phone, random, or of a length that no badge has. */
type UidMeaning = 'badge' | 'phone' | 'randomUid' | 'strange';

/**
 * Judges a UID read from a card.
 *
 * - No UID from a contactless card, or a single-size UID beside the ATR of card emulation: a phone.
 * - Single size beginning `08`: random, new at every tap (ISO/IEC 14443-3, 6.5.4, RID). Phones use these, and so do
 *   cards with this setting, which are recognised by their ATR.
 * - `01020304`: a fixed UID that several phones share.
 * - All `00` or all `FF`: not a UID, and treated like a phone.
 */
export function meaningOfUid(uid: string, atr: string): UidMeaning {
  if (uid === '') return isContactlessAtr(atr) ? 'phone' : 'strange';
  if (/^(?:00)+$/.test(uid) || /^(?:FF)+$/.test(uid)) return 'phone';
  if (!uidDigits.includes(uid.length) || !/^[0-9A-F]+$/.test(uid)) return 'strange';
  if (uid.length === 8 && uid.startsWith('08') && randomUidCards.includes(atr)) return 'randomUid';
  if (uid.length === 8 && (uid.startsWith('08') || uid === '01020304' || atr === emulatedAtr)) return 'phone';
  return 'badge';
}

/** PC/SC part 3, 3.1.3.2.3: contactless cards announce themselves as `3B 8n 80 01 …`. */
function isContactlessAtr(atr: string): boolean {
  return /^3B8[0-9A-F]8001/.test(atr);
}

/**
 * A typed or scanned UID (`04:a1:b2:c3:d4:e5:f6`, `04a1 b2c3 d4e5 f6`) in our form. Null when the text is not a UID
 * of 4, 7 or 10 bytes. Spaces, colons and hyphens are ignored.
 */
export function uidOfText(text: string): string | null {
  // Called for each code of an event. Most already have no separators and are upper case.
  const hex = /[\s:-]/.test(text) ? text.replaceAll(/[\s:-]/g, '') : text;
  return uidDigits.includes(hex.length) && /^[0-9a-f]+$/i.test(hex) ? hex.toUpperCase() : null;
}
