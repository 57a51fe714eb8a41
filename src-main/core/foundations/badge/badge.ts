/**
 * What a card or a text turned out to be: a badge with its codes, or a reason why not. Pure.
 *
 * Invariants: UIDs are upper-case hex without separators; `codes` is never empty and holds no duplicates.
 */

/** How an NDEF message was lost. */
export type LostNdef = 'timeout' | 'failed';

/** Outcome of decoding. `codes`: most trusted first; the mirror is asked for each in turn. */
export type BadgeReading =
  | {
      readonly kind: 'badge';
      readonly codes: readonly [string, ...string[]];
      /** There may have been more to read: its NDEF message was not read in time, or not at all. */
      readonly lostNdef?: LostNdef;
    }
  | { readonly kind: 'phone' }
  /** A card that is no phone, but shows another UID at every tap. */
  | { readonly kind: 'randomUid' }
  | { readonly kind: 'notABadge'; readonly reason: string };
