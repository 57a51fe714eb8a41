/**
 * Purposes of a touchpoint: what each makes of this device.
 *
 * Invariants: one row a purpose, so that the compiler names every place that must know a new one (here, the plan of a tap
 * in `stand/visit/visits.ts`, the contract's `purposeSchema`); a purpose that is not in this table is never taken for one
 * that is.
 */
import { type Purpose, purposeSchema } from '../../../contract/device.ts';

export type PurposeRules = {
  /** Whether the touchpoint's content, activity and location count for this device. */
  readonly usesLinks: boolean;
  /** Whether one checks in to something here. */
  readonly checksIn: boolean;
  /** Whether such a touchpoint mostly belongs to the organiser, so that a partner's device may become one of another. */
  readonly isAnybodys: boolean;
  /** Whether a badge of the stand team opens the staff pages. */
  readonly staffBadgeOpens: boolean;
};

export const PURPOSES: Readonly<Record<Purpose, PurposeRules>> = {
  lead: { usesLinks: false, checksIn: false, isAnybodys: false, staffBadgeOpens: true },
  content: { usesLinks: true, checksIn: false, isAnybodys: false, staffBadgeOpens: true },
  checkin: { usesLinks: true, checksIn: true, isAnybodys: true, staffBadgeOpens: false },
};

/** The purpose in a field of a touchpoint; null when this version does not know it. A touchpoint that names none takes leads. */
export function readPurpose(value: unknown): Purpose | null {
  if (value === undefined || value === null || value === '') return 'lead';
  return purposeSchema.options.find((known) => known === value) ?? null;
}
