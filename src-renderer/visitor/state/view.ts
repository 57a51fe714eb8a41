/**
 * The vocabulary of the visitor's display: what can be on it, what it hears, what it knows of its device.
 *
 * Invariant: types and constants only; every duration of the display stands here, in milliseconds.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Answer, OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { LinkState } from '../../link/link-state.ts';
import type { AskAnswer, Visit } from './session.ts';

type Heard<Kind extends TapEvent['kind']> = Extract<TapEvent, { kind: Kind }>;
type Span = { readonly since: number; readonly until: number };

export type CapturedEvent = Heard<'captured'>;

/** What a tap came to; each one is owed a glance. */
export type Outcome =
  | CapturedEvent
  | Heard<'notAdmitted'>
  | Heard<'notRead'>
  | Heard<'refused'>
  | Heard<'failed'>
  | Heard<'undone'>;

/** A step of the visit on show; nothing in it says who the visitor is. */
export type StepShowing = Span & {
  readonly kind: 'consent' | 'question' | 'shelf' | 'goodbye';
  readonly visit: Visit;
};

/** What waits for a person, and warns before it gives up waiting. */
export type Patient =
  | (StepShowing & { readonly kind: 'consent' | 'question' | 'shelf' })
  | (Span & { readonly kind: 'choosing' })
  | (Span & { readonly kind: 'notice' });

/** What a visitor set off; always ends at `until`. Times are of the display's own clock. */
export type Showing =
  | (Span & { readonly kind: 'typing' })
  | (Span & { readonly kind: 'reading'; readonly typed: boolean })
  | (Span & { readonly kind: 'captured'; readonly event: CapturedEvent; readonly visit: Visit })
  | (Span & { readonly kind: 'notAdmitted'; readonly event: Heard<'notAdmitted'> })
  | (Span & { readonly kind: 'notRead'; readonly event: Heard<'notRead'> })
  | (Span & { readonly kind: 'refused'; readonly event: Heard<'refused'> })
  | (Span & { readonly kind: 'failed'; readonly event: Heard<'failed'> })
  | (Span & {
      readonly kind: 'undone';
      readonly event: Heard<'undone'>;
      /** What the one who took it back reads; null when that was not on the display. */
      readonly language: string | null;
    })
  | StepShowing
  | Patient
  /** "Are you still there?", over what was on the display. */
  | (Span & { readonly kind: 'still'; readonly over: Patient });

/**
 * Short codes staff can read out to a technician.
 * E-11 no card service, E-12 card service fails, E-13 no reader, E-21 disk full, E-22 disk read-only,
 * E-23 disk fails, E-31 this screen lost its device.
 */
export type FaultCode = 'E-11' | 'E-12' | 'E-13' | 'E-21' | 'E-22' | 'E-23' | 'E-31';

/** Where the display rests when nobody taps; follows from the device alone. */
export type Rest =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'attract' }
  | { readonly kind: 'firstSync' }
  | { readonly kind: 'outOfOrder'; readonly code: FaultCode }
  | { readonly kind: 'linkLost'; readonly code: FaultCode };

/** Exactly what is on the display. */
export type Stage = Showing | Rest;

/** Whatever can happen to the display. */
export type Input =
  | { readonly kind: 'tap'; readonly event: TapEvent }
  | { readonly kind: 'device'; readonly device: DeviceState }
  | { readonly kind: 'stand'; readonly stand: Stand }
  | { readonly kind: 'link'; readonly state: LinkState }
  | { readonly kind: 'undo' }
  | { readonly kind: 'undoAnswer'; readonly factId: string; readonly answer: 'done' | 'late' | 'failed' }
  | { readonly kind: 'dismiss' }
  | { readonly kind: 'language'; readonly language: string }
  | { readonly kind: 'typeCode' }
  | { readonly kind: 'typedKey' }
  | { readonly kind: 'codeSent' }
  | { readonly kind: 'codeNotTaken' }
  /** A finger or a key anywhere: somebody is there. */
  | { readonly kind: 'touch' }
  /** The answer to "are you still there?" */
  | { readonly kind: 'stay' }
  /** Opens the page of the notice, or the shelf before a tap. */
  | { readonly kind: 'readNotice' }
  | { readonly kind: 'choose' }
  /** To the next step without an answer, or one back. */
  | { readonly kind: 'onward' }
  | { readonly kind: 'back' }
  /** From the outcome or the goodbye to the shelf. */
  | { readonly kind: 'openShelf' }
  /** A switch of the consents, not shared yet. */
  | { readonly kind: 'agree'; readonly id: string; readonly agrees: boolean }
  /** Shares the switches as they stand, or a no to all of them; `language` is that of the notice as shown. */
  | { readonly kind: 'share'; readonly language: string; readonly none: boolean }
  /** An answer in the making, not given yet. */
  | { readonly kind: 'draft'; readonly answer: Answer }
  | { readonly kind: 'answer'; readonly language: string; readonly answer: Answer }
  /** Takes a content along or puts it back: with a visit, or for the tap to come. */
  | { readonly kind: 'take'; readonly item: OfferItem }
  | { readonly kind: 'email' }
  /** What the device said to ask `number` of a visit. */
  | { readonly kind: 'told'; readonly factId: string; readonly number: number; readonly answer: AskAnswer }
  | { readonly kind: 'tick' };

export const times = {
  /** No outcome after this long: the reading came to nothing. */
  reading: 5_000,
  notAdmitted: 9_000,
  notRead: 5_000,
  refused: 7_000,
  failed: 12_000,
  undone: 5_000,
  /** Just after one visitor's screen replaced another's, a press may still have been meant for the one before. */
  undoGuard: 400,
  /** An outcome that leads on to steps goes on by itself after this long. */
  captured: 3_500,
  /** After the badge left the reader a visitor's data stays at most this long (or as long as undo is offered). */
  afterRemoval: 6_000,
  /** Undo is never offered longer than this, whatever the device says. */
  undoMost: 15_000,
  /** How long an undo may take, and how long its refusal is shown. */
  undoAnswer: 11_000,
  undoRefused: 5_000,
  typing: 30_000,
  language: 45_000,
  /** A step nobody touches for this long asks whether somebody is still there... */
  patience: 25_000,
  /** ...and waits this long for a yes (WCAG 2.2.1: at least 20 seconds). */
  still: 20_000,
  goodbye: 8_000,
  /** What the device did not answer within this time counts as not kept. */
  ask: 6_000,
  /** An outcome stays at least this long before the next one in line replaces it... */
  glance: 900,
  /** ...and this long when the line is long. */
  shortGlance: 350,
  /** A link that comes back within this time was never gone to the visitor. */
  linkGrace: 1_000,
  /** A device that does not answer for this long after the start is lost. */
  firstConnection: 8_000,
} as const;

/** From this many waiting outcomes on, glances get short. */
export const longLine = 4;

/** Contents one may choose before a tap. */
export const mostChosen = 50;
