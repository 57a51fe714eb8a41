/**
 * Everything that can be on the visitor's display. Types alone.
 *
 * Invariant: a view that a visitor set off ends by itself; one that is idle follows from link and device.
 */
import type { FaultCode } from '../../device/fault.ts';
import type { CapturedEvent, TapEventOf } from './outcome.ts';
import type { Session, TapKind } from './session.ts';

type TimeSpan = { readonly since: number; readonly until: number };

/** The step a session stands at. */
export type SessionView = TimeSpan & {
  readonly kind: 'consent' | 'question' | 'contentPicker' | 'goodbye';
  readonly session: Session;
};

/** What waits for a person, and asks whether somebody is still there before it gives up. */
export type PromptingView =
  | (SessionView & { readonly kind: 'consent' | 'question' | 'contentPicker' })
  | (TimeSpan & { readonly kind: 'choosing' })
  | (TimeSpan & { readonly kind: 'notice' });

/** What a visitor set off; always ends at `until`. Times are of the display's own clock. */
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
      /** What the one who took it back reads; null when that was not on the display. */
      readonly language: string | null;
      readonly tapKind: TapKind;
    })
  | SessionView
  | PromptingView
  /** "Are you still there?", over what was on the display. */
  | (TimeSpan & { readonly kind: 'idlePrompt'; readonly over: PromptingView });

/** What the display shows while nobody uses it; follows from link and device alone. */
export type IdleView =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'attract' }
  | { readonly kind: 'firstSync' }
  /** Nobody said whose stand this is, or the notice is another partner's. */
  | { readonly kind: 'standChoice' }
  | { readonly kind: 'outOfOrder'; readonly code: FaultCode }
  | { readonly kind: 'linkLost'; readonly code: FaultCode };

/** Exactly what is on the display. */
export type View = TimedView | IdleView;
