/**
 * The behaviour of the screens for each purpose of a touchpoint: the one table of purposes.
 *
 * Invariants:
 * - Every purpose of the contract has a row. Otherwise the compiler reports this file.
 * - A purpose without a row causes an error that names it, and is never treated as another one.
 */
import type { Purpose } from '../../../src-main/contract/device.ts';

export type PurposeScreens = {
  /** What the attract screen is about, if the stand has it: the partner, one content, one activity. */
  readonly attract: 'partner' | 'content' | 'activity';
  /** Whether the content picker is a step after each tap, opens on request, or is absent. */
  readonly contentPicker: 'step' | 'onRequest' | 'none';
};

const screens: Readonly<Record<Purpose, PurposeScreens>> = {
  lead: { attract: 'partner', contentPicker: 'onRequest' },
  content: { attract: 'content', contentPicker: 'step' },
  checkin: { attract: 'activity', contentPicker: 'none' },
};

/** All purposes, in the order in which they are offered. */
export const purposes = Object.keys(screens) as readonly Purpose[];

/**
 * The behaviour of the screens for `purpose`.
 * @throws {RangeError} with the name of a purpose that has no row
 */
export function screensFor(purpose: Purpose): PurposeScreens {
  if (!Object.hasOwn(screens, purpose))
    throw new RangeError(`There are no screens for the purpose "${purpose}"`);
  return screens[purpose];
}
