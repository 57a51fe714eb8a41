/**
 * Shape and colour role of every view. Pure.
 *
 * Invariant: every view has a shape. By default, the shape has the name of the view's kind.
 */
import type { View } from '../state/view.ts';

/** Every shape of the ring. */
export type Shape =
  | 'attract'
  | 'sync'
  | 'typing'
  | 'reading'
  | 'captured'
  | 'unknown'
  | 'again'
  | 'welcome'
  | 'inAlready'
  | 'notRegistered'
  | 'full'
  | 'restricted'
  | 'longer'
  | 'phone'
  | 'notABadge'
  | 'clash'
  | 'failed'
  | 'undone'
  | 'step'
  | 'choosing'
  | 'notice'
  | 'idlePrompt'
  | 'goodbye'
  | 'outOfOrder'
  | 'linkLost'
  | 'connecting';

/** The colour role of a shape. */
export type Tone = 'brand' | 'captured' | 'again' | 'wait' | 'stop' | 'ink';

/** The shape of a view. */
export function shapeOf(view: View): Shape {
  switch (view.kind) {
    case 'captured':
      if (view.event.checkin) return view.event.checkin.result === 'again' ? 'inAlready' : 'welcome';
      if (view.event.repeat && !view.event.collected) return 'again';
      return view.event.visitor?.name.trim() ? 'captured' : 'unknown';
    case 'refused':
      // A card that hides its number has the shape of any card. The words explain the difference.
      if (view.event.reason === 'randomUid') return 'notABadge';
      return view.event.reason === 'garbledScan' || view.event.reason === 'impossibleCode'
        ? 'longer'
        : view.event.reason;
    case 'notAdmitted':
      return view.event.reason;
    case 'consent':
    case 'question':
    case 'contentPicker':
      return 'step';
    case 'notRead':
      return 'longer';
    case 'firstSync':
      return 'sync';
    case 'standChoice':
      return 'typing';
    default:
      return view.kind;
  }
}

/** The colour role of a shape. */
export function toneOf(shape: Shape): Tone {
  switch (shape) {
    case 'captured':
    case 'unknown':
    case 'welcome':
    case 'goodbye':
      return 'captured';
    case 'again':
    case 'inAlready':
      return 'again';
    case 'longer':
    case 'clash':
    case 'notRegistered':
    case 'full':
    case 'restricted':
      return 'wait';
    case 'phone':
    case 'notABadge':
    case 'failed':
      return 'stop';
    case 'undone':
    case 'outOfOrder':
    case 'linkLost':
    case 'connecting':
      return 'ink';
    default:
      return 'brand';
  }
}
