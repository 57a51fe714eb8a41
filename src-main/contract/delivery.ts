/**
 * What the platform refused and what this device refused: seen, explained, mended and sent again.
 *
 * Invariants: every call is for staff only; of a lead of another partner nothing is told but that it is there
 * (docs/laws.md#law-14); causes are data, the screen has the words; the recorded fact never changes, only what is sent.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { notAdmittedReasonSchema } from './tap.ts';

/**
 * Why a fact is set aside. `touchpoint`, `partner`, `content`, `activity`, `label`: the platform has it no longer. `person`: it
 * does not take this visitor or badge. `field`: something that was typed. `undone`: it does not know what this takes back.
 * `conflict`: it has something else under this id. `fromFile`: it came from a file, and nobody said that it be sent from
 * here. `erased`: the person was forgotten. `damaged`: it cannot be read here any more. `other`: in the platform's words only.
 */
export const parkedCauseSchema = z.enum([
  ...(['touchpoint', 'partner', 'content', 'activity', 'label', 'person', 'field'] as const),
  ...(['undone', 'conflict', 'fromFile', 'erased', 'damaged', 'other'] as const),
]);

/** How a parked fact can be sent otherwise: as one of this device's touchpoint, or without the labels that are gone. */
export const parkedMendSchema = z.enum(['thisStand', 'withoutLabels']);

/** A fact that is set aside: kept, shown, and sent again when somebody says so. */
export const deadLetterSchema = z.object({
  factId: z.string(),
  kind: z.string(),
  at: z.number(),
  /** Id of the lead; null when it is not the present partner's, or is erased. */
  lead: z.string().nullable(),
  /** A lead of another partner: what it says is told to nobody here. */
  sealed: z.boolean(),
  /** Name on the lead, or null. */
  name: z.string().nullable(),
  badgeTail: z.string(),
  cause: parkedCauseSchema,
  /** What is gone, by its id: a touchpoint, partner, content or label; null where there is nothing to name. */
  about: z.string().nullable(),
  /** In the platform's words. */
  reason: z.string(),
  mend: parkedMendSchema.nullable(),
  /** Whether sending it again can make sense (an erased one cannot). */
  retryable: z.boolean(),
});

/** Who was turned away at a door of this device. */
export const turnedAwaySchema = z.object({
  factId: z.string(),
  at: z.number(),
  reason: notAdmittedReasonSchema,
  /** Name as the mirror had it, or null. */
  name: z.string().nullable(),
  badgeTail: z.string(),
  staff: z.string().nullable(),
});

export const deliveryCalls = {
  /** Facts that are set aside, latest first; at most 200. */
  deadLetters: oc.output(z.array(deadLetterSchema)),
  /** Sends them again, all or one; `mended`: otherwise where `mend` says how. `retried` counts them. */
  retry: oc
    .input(z.object({ factId: z.string().max(64).optional(), mended: z.boolean().default(false) }))
    .output(z.object({ retried: z.number().int() })),
  /** Who was turned away for the present partner, latest first, at most 100; `total` counts all. */
  turnedAway: oc.output(z.object({ entries: z.array(turnedAwaySchema), total: z.number().int() })),
  /** What a removal that `asks` tells of takes with it here: records of the mirror, and leads that are erased. */
  removal: oc
    .input(z.object({ resource: z.string().max(40) }))
    .output(z.object({ records: z.number().int(), leads: z.number().int() })),
};

export type DeadLetter = z.infer<typeof deadLetterSchema>;
export type ParkedCause = z.infer<typeof parkedCauseSchema>;
export type ParkedMend = z.infer<typeof parkedMendSchema>;
export type TurnedAway = z.infer<typeof turnedAwaySchema>;
