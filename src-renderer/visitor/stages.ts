/**
 * The vocabulary of the visitor's display: what can be on it, what it hears, what it knows of its device.
 *
 * Invariant: types and constants only; every duration of the display stands here, in milliseconds.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Stand } from '../../src-main/contract/stand.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import type { LinkState } from '../link-state.ts';

export type CapturedEvent = Extract<TapEvent, { kind: 'captured' }>;
export type NotReadEvent = Extract<TapEvent, { kind: 'notRead' }>;
export type RefusedEvent = Extract<TapEvent, { kind: 'refused' }>;
export type FailedEvent = Extract<TapEvent, { kind: 'failed' }>;
export type UndoneEvent = Extract<TapEvent, { kind: 'undone' }>;

/** What a tap came to; each one is owed a glance. */
export type Outcome = CapturedEvent | NotReadEvent | RefusedEvent | FailedEvent | UndoneEvent;

/** Where "take it back" stands: on offer, asked of the device, its time over, asked too late, not possible. */
export type Undo = 'offered' | 'asked' | 'over' | 'late' | 'failed';

/** What a visitor set off; always ends at `until`. Times are of the display's own clock. */
export type Showing =
  | { readonly kind: 'typing'; readonly since: number; readonly until: number }
  | { readonly kind: 'reading'; readonly since: number; readonly until: number; readonly typed: boolean }
  | {
      readonly kind: 'captured';
      readonly since: number;
      readonly until: number;
      readonly event: CapturedEvent;
      readonly undo: Undo;
      readonly undoUntil: number;
    }
  | { readonly kind: 'notRead'; readonly since: number; readonly until: number; readonly event: NotReadEvent }
  | { readonly kind: 'refused'; readonly since: number; readonly until: number; readonly event: RefusedEvent }
  | { readonly kind: 'failed'; readonly since: number; readonly until: number; readonly event: FailedEvent }
  | { readonly kind: 'undone'; readonly since: number; readonly until: number; readonly event: UndoneEvent };

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
  | { readonly kind: 'tick' };

export const times = {
  /** No outcome after this long: the reading came to nothing. */
  reading: 5_000,
  notRead: 5_000,
  refused: 7_000,
  failed: 12_000,
  undone: 5_000,
  /** After the badge left the reader a visitor's data stays at most this long (or as long as undo is offered). */
  afterRemoval: 6_000,
  /** Undo is never offered longer than this, whatever the device says. */
  undoMost: 15_000,
  /** How long an undo may take, and how long its refusal is shown. */
  undoAnswer: 11_000,
  undoRefused: 5_000,
  typing: 30_000,
  language: 45_000,
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
