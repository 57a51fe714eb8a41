/**
 * Every view of the visitor's display. Types only.
 *
 * Invariant: a view that a visitor caused always ends. An idle view is derived from link and device.
 */
import type { FaultCode } from '../../device/fault.ts';
import type { CapturedEvent, TapEventOf } from './outcome.ts';
import type { Session, TapKind } from './session.ts';

type TimeSpan = { readonly since: number; readonly until: number };

/** The current step of a session. */
export type SessionView = TimeSpan & {
  readonly kind: 'consent' | 'question' | 'contentPicker' | 'goodbye';
  readonly session: Session;
};

/** Views that wait for input and ask before they end. */
export type PromptingView =
  | (SessionView & { readonly kind: 'consent' | 'question' | 'contentPicker' })
  | (TimeSpan & { readonly kind: 'choosing' })
  | (TimeSpan & { readonly kind: 'notice' });

/** Views that visitors cause. They always end at `until`. Times are those of the display's own clock. */
export type TimedView =
  | (TimeSpan & { readonly kind: 'typing' })
  | (TimeSpan & { readonly kind: 'reading'; readonly typed: boolean })
  | (TimeSpan & { readonly kind: 'captured'; readonly event: CapturedEvent; readonly session: Session })
  | (TimeSpan & { readonly kind: 'notAdmitted'; readonly event: TapEventOf<'notAdmitted'> })
  | (TimeSpan & { readonly kind: 'notRead'; readonly event: TapEventOf<'notRead'> })
  | (TimeSpan & { readonly kind: 'refused'; readonly event: TapEventOf<'refused'> })
  | (TimeSpan & { readonly kind: 'failed'; readonly event: TapEventOf<'failed'> })
  | (TimeSpan & {
      readonly kind: 'undone';
      readonly event: TapEventOf<'undone'>;
      /** The language of the visitor whose tap was undone. Null if unknown, or if the session was not displayed. */
      readonly language: string | null;
      readonly tapKind: TapKind;
    })
  | SessionView
  | PromptingView
  /** "Are you still there?", shown over the previous view. */
  | (TimeSpan & { readonly kind: 'idlePrompt'; readonly over: PromptingView });

/** Views of an idle display, derived from link and device. */
export type IdleView =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'attract' }
  | { readonly kind: 'firstSync' }
  /** No touchpoint was assigned yet, or the notice belongs to another partner. */
  | { readonly kind: 'standChoice' }
  | { readonly kind: 'outOfOrder'; readonly code: FaultCode }
  | { readonly kind: 'linkLost'; readonly code: FaultCode };

/** The complete view. */
export type View = TimedView | IdleView;
