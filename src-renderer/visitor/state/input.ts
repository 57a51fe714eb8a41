/** Every input of the visitor's display. Types only. */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Answer, OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { LinkState } from '../../link/link-state.ts';
import type { Acknowledgement } from './session.ts';

/** One input, from which the reducer derives the next display. */
export type DisplayInput =
  | { readonly kind: 'tap'; readonly event: TapEvent }
  | { readonly kind: 'device'; readonly device: DeviceState }
  | { readonly kind: 'stand'; readonly stand: Stand }
  | { readonly kind: 'link'; readonly state: LinkState }
  | { readonly kind: 'undo' }
  | { readonly kind: 'undoAnswer'; readonly factId: string; readonly answer: 'done' | 'late' | 'failed' }
  | { readonly kind: 'dismiss' }
  /** The team wants to open its pages. */
  | { readonly kind: 'staff' }
  | { readonly kind: 'language'; readonly language: string }
  | { readonly kind: 'typeCode' }
  | { readonly kind: 'typedKey' }
  | { readonly kind: 'codeSent' }
  | { readonly kind: 'codeNotTaken' }
  /** Whether the person uses comfort settings, which extend the undo window. */
  | { readonly kind: 'comfort'; readonly on: boolean }
  /** The display is being read aloud, for at most `ms` milliseconds more. */
  | { readonly kind: 'speaking'; readonly ms: number }
  /** A touch or a key anywhere, which counts as activity. */
  | { readonly kind: 'touch' }
  /** The answer to "are you still there?" */
  | { readonly kind: 'stay' }
  /** Opens the page of the notice, or the content picker before a tap. */
  | { readonly kind: 'readNotice' }
  | { readonly kind: 'choose' }
  /** Goes from the outcome or the goodbye to the open consents and questions. */
  | { readonly kind: 'answerPrompts' }
  /** Goes to the next step without an answer, to the goodbye, or one step back. */
  | { readonly kind: 'next' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'back' }
  /** Goes from the outcome or the goodbye to the content picker. */
  | { readonly kind: 'openContentPicker' }
  /** A switch of the consents that is not shared yet. */
  | { readonly kind: 'setConsent'; readonly id: string; readonly agrees: boolean }
  /** Shares the switches as they are, or "no" to all. `language`: that of the notice on the screen. */
  | { readonly kind: 'submitConsents'; readonly language: string; readonly none: boolean }
  /** An answer in progress, not submitted yet. */
  | { readonly kind: 'draft'; readonly answer: Answer }
  | { readonly kind: 'answer'; readonly language: string; readonly answer: Answer }
  /** Takes a content or returns it: in a session, or for the next tap. */
  | { readonly kind: 'take'; readonly item: OfferItem }
  | { readonly kind: 'email' }
  /** The contents that the content picker shows now. Empty when it closes. */
  | { readonly kind: 'shownItems'; readonly items: readonly OfferItem[] }
  /** The device's answer to command `number` of a session. */
  | {
      readonly kind: 'acknowledged';
      readonly factId: string;
      readonly number: number;
      readonly answer: Acknowledgement;
    }
  | { readonly kind: 'tick' };
