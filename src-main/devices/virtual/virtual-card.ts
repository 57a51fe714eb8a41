/** Virtual cards as plain data, for tests, for other processes, and for demo badges. */
import { randomBytes } from 'node:crypto';
import {
  type CardModel,
  type Carries,
  createFadingCard,
  createGarbageCard,
  createMuteCard,
  createPhoneCard,
  createType2Card,
  createType4Card,
} from './card-model.ts';

/** A card for the virtual reader. `uid` and `ndef` (the NDEF message) in hex. `carries`: what the reader supports. */
export type VirtualCard =
  | { readonly kind: 'type2'; readonly uid: string; readonly ndef?: string; readonly carries?: Carries }
  | { readonly kind: 'type4'; readonly uid: string; readonly ndef?: string }
  | { readonly kind: 'phone' | 'fading'; readonly uid: string }
  | { readonly kind: 'mute' }
  | { readonly kind: 'garbage' };

/** The model of this card. */
export function modelOfCard(card: VirtualCard): CardModel {
  switch (card.kind) {
    case 'type2':
      return createType2Card(card.uid, messageOf(card.ndef), 872, card.carries);
    case 'type4':
      return createType4Card(card.uid, messageOf(card.ndef));
    case 'phone':
      return createPhoneCard(card.uid);
    case 'fading':
      return createFadingCard(card.uid);
    case 'mute':
      return createMuteCard();
    case 'garbage':
      return createGarbageCard((length) => new Uint8Array(randomBytes(length)));
  }
}

function messageOf(hex: string | undefined): Uint8Array | null {
  return hex === undefined ? null : new Uint8Array(Buffer.from(hex, 'hex'));
}
