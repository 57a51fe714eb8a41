/**
 * The rehearsal: a guided drill on the real device, and the sheet it ends in.
 *
 * Invariants: no step is passed by somebody's word; a step that was left out says why; what a rehearsal tapped is taken back
 * and is nobody's lead; no code, name or key in here.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { healthSchema, verdictSchema } from './health.ts';
import { rehearsalStepNames } from './rehearsal-steps.ts';

/** Why a tap was not what the step waits for, or what keeps it. */
export const rehearsalHintSchema = z.enum([
  ...(['knownBadge', 'unknownBadge', 'notRead', 'refused', 'endedInOrder', 'offline'] as const),
]);

/** Why the machine says that the device failed, or that it cannot tell. */
export const rehearsalWhySchema = z.enum([
  ...(['notSaved', 'toldAsSaved', 'factsLost', 'notNoticed', 'noPeople', 'noReader'] as const),
]);

export const rehearsalStepSchema = z.object({
  name: z.enum(rehearsalStepNames),
  state: z.enum(['waiting', 'passed', 'failed', 'skipped', 'impossible']),
  /** The fault is made by the drill at the device's own port, not by a person. */
  simulated: z.boolean(),
  /** How many phases were seen. */
  seen: z.number().int(),
  /** When the latest of them was, or when it ended; epoch milliseconds. */
  at: z.number().nullable(),
  why: rehearsalWhySchema.nullable(),
  /** Why somebody left it out, in their words. */
  reason: z.string().max(200).nullable(),
  /** How long the fault lasted, where that was seen. */
  tookMs: z.number().nullable(),
});

export const rehearsalSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  version: z.string(),
  steps: z.array(rehearsalStepSchema),
});

/** A rehearsal that has ended. `leftOver`: samples that could not be taken back. */
export const rehearsalSheetSchema = rehearsalSchema.extend({
  endedAt: z.number(),
  verdict: verdictSchema,
  device: z.string(),
  partner: z.string().nullable(),
  event: z.string().nullable(),
  leftOver: z.number().int(),
  health: healthSchema,
});

export const rehearsalStateSchema = z.object({
  /** Null: none is under way. */
  drill: rehearsalSchema.nullable(),
  hint: rehearsalHintSchema.nullable(),
  /** Those that ended, the latest first. */
  sheets: z.array(
    z.object({ id: z.string(), endedAt: z.number(), verdict: verdictSchema, version: z.string() }),
  ),
});

export const rehearsalCalls = {
  /** `samples`: while this is watched and a rehearsal is under way, every tap is a sample, and faults are made. */
  watch: oc.input(z.object({ samples: z.boolean() })).output(eventIterator(rehearsalStateSchema)),
  /** Begins one; the one under way goes on where there is one. */
  begin: oc.output(z.object({ begun: z.boolean() })),
  /** Leaves the present step out. */
  skip: oc
    .input(z.object({ step: z.enum(rehearsalStepNames), reason: z.string().trim().min(3).max(200) }))
    .output(z.object({ skipped: z.boolean() })),
  /** Ends the one under way without a sheet. */
  drop: oc.output(z.object({ dropped: z.boolean() })),
  sheet: oc.input(z.object({ id: z.string().max(40) })).output(rehearsalSheetSchema.nullable()),
};

export type RehearsalStep = z.infer<typeof rehearsalStepSchema>;
export type RehearsalStepName = RehearsalStep['name'];
export type RehearsalHint = z.infer<typeof rehearsalHintSchema>;
export type Rehearsal = z.infer<typeof rehearsalSchema>;
export type RehearsalSheet = z.infer<typeof rehearsalSheetSchema>;
export type RehearsalState = z.infer<typeof rehearsalStateSchema>;
