/**
 * Facts that the platform refused and readings that this device refused: listed, explained, corrected and sent again.
 *
 * Invariants:
 * - Every call is for staff only.
 * - Only the existence of another partner's lead is visible (docs/laws.md#law-14).
 * - Causes are data. The screen has the texts.
 * - The recorded fact never changes. A correction changes only the sent text.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { notAdmittedReasonSchema } from './tap.ts';

/**
 * Why a fact is parked. `touchpoint`, `partner`, `content`, `activity`, `label`: the platform no longer has it.
 * `person`: the platform refuses this visitor or badge. `field`: a typed value. `undone`: the platform does not have
 * the undone fact. `conflict`: it has other content under this id. `fromFile`: an imported fact that staff have not
 * released. `erased`: the person was erased. `damaged`: the fact cannot be read any more. `other`: only the
 * platform's reason is known.
 */
const parkedCauseSchema = z.enum([
  ...(['touchpoint', 'partner', 'content', 'activity', 'label', 'person', 'field'] as const),
  ...(['undone', 'conflict', 'fromFile', 'erased', 'damaged', 'other'] as const),
]);

/** How a parked fact can be corrected: assigned to this device's touchpoint, or sent without the missing labels. */
const parkedMendSchema = z.enum(['thisStand', 'withoutLabels']);

/** A parked fact: stored, shown, and sent again when staff request it. */
const deadLetterSchema = z.object({
  factId: z.string(),
  kind: z.string(),
  at: z.number(),
  /** Id of the lead. Null when it belongs to another partner or is erased. */
  lead: z.string().nullable(),
  /** A lead of another partner: its content is not shown. */
  sealed: z.boolean(),
  /** Name on the lead, or null. */
  name: z.string().nullable(),
  badgeTail: z.string(),
  cause: parkedCauseSchema,
  /** Id of the missing touchpoint, partner, content or label. Null if nothing is missing. */
  about: z.string().nullable(),
  /** The reason in the platform's words. */
  reason: z.string(),
  mend: parkedMendSchema.nullable(),
  /** Whether it can be sent again (an erased one cannot). */
  retryable: z.boolean(),
});

/** A visitor who was turned away at a door of this device. */
export const turnedAwaySchema = z.object({
  factId: z.string(),
  at: z.number(),
  reason: notAdmittedReasonSchema,
  /** Name in the mirror, or null. */
  name: z.string().nullable(),
  badgeTail: z.string(),
  staff: z.string().nullable(),
});

export const deliveryCalls = {
  /** Parked facts, latest first, at most 200. */
  deadLetters: oc.output(z.array(deadLetterSchema)),
  /**
   * Sends all parked facts or one of them again. `mended`: corrected as in `mend`, where possible. `retried` counts
   * them.
   */
  retry: oc
    .input(z.object({ factId: z.string().max(64).optional(), mended: z.boolean().default(false) }))
    .output(z.object({ retried: z.number().int() })),
  /**
   * Visitors who were turned away for the current partner, latest first, at most 100. `total` is the number of all.
   */
  turnedAway: oc.output(z.object({ entries: z.array(turnedAwaySchema), total: z.number().int() })),
  /** What a removal that waits for approval would delete: records of the mirror. `leads`: the leads it concerns. */
  removal: oc
    .input(z.object({ resource: z.string().max(40) }))
    .output(z.object({ records: z.number().int(), leads: z.number().int() })),
};

export type DeadLetter = z.infer<typeof deadLetterSchema>;
export type ParkedCause = z.infer<typeof parkedCauseSchema>;
export type ParkedMend = z.infer<typeof parkedMendSchema>;
export type TurnedAway = z.infer<typeof turnedAwaySchema>;
