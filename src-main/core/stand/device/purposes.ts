/**
 * The purposes of a touchpoint and their effect on this device.
 *
 * Invariants:
 * - One row per purpose. For a new purpose the compiler reports every place that needs a row (here, the plan of a tap in
 *   `stand/visit/visits.ts`, the contract's `purposeSchema`).
 * - An unknown purpose is never treated as a known one.
 */
import { type Purpose, purposeSchema } from '../../../contract/device.ts';

type PurposeRules = {
  /** Whether the touchpoint's content, activity and location apply to this device. */
  readonly usesLinks: boolean;
  /** Whether it is a check-in. */
  readonly checksIn: boolean;
  /**
   * Whether such touchpoints mostly belong to the organiser, so a partner's device may use a touchpoint of another
   * owner.
   */
  readonly isAnybodys: boolean;
  /** Whether a badge of the stand team opens the staff pages. */
  readonly staffBadgeOpens: boolean;
};

export const PURPOSES: Readonly<Record<Purpose, PurposeRules>> = {
  lead: { usesLinks: false, checksIn: false, isAnybodys: false, staffBadgeOpens: true },
  content: { usesLinks: true, checksIn: false, isAnybodys: false, staffBadgeOpens: true },
  checkin: { usesLinks: true, checksIn: true, isAnybodys: true, staffBadgeOpens: false },
};

/**
 * The purpose in a field of a touchpoint. Null when this version does not know it. A touchpoint without a purpose is
 * a `lead` touchpoint.
 */
export function readPurpose(value: unknown): Purpose | null {
  if (value === undefined || value === null || value === '') return 'lead';
  return purposeSchema.options.find((known) => known === value) ?? null;
}
