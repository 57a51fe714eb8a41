/**
 * What a card or a text turned out to be: a badge with its codes, or a reason why not. Pure.
 *
 * Invariants: UIDs are upper-case hex without separators; `codes` is never empty and holds no duplicates.
 */

/** Outcome of decoding. `codes`: most trusted first; the mirror is asked for each in turn. */
export type BadgeReading =
  | { readonly kind: 'badge'; readonly codes: readonly [string, ...string[]] }
  | { readonly kind: 'phone' }
  | { readonly kind: 'notABadge'; readonly reason: string };
