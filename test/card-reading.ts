/**
 * Cards as drivers report them, for tests that tap cards without a reader.
 */
import { readingOfCard } from '../src-main/core/foundations/badge/decode.ts';
import type { NdefReading } from '../src-main/core/foundations/badge/nfc-card.ts';
import { openProfile } from '../src-main/core/foundations/badge/profile.ts';
import type { CardReading } from '../src-main/core/foundations/ports.ts';

/** A card with this UID and message. */
export function cardReading(uid: string, ndef: NdefReading = { state: 'none' }): CardReading {
  return readingOfCard({ uid, atr: '', ndef }, openProfile);
}
