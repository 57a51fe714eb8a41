/**
 * The rehearsal: guided steps on the real device, and the resulting sheet.
 *
 * Invariants:
 * - No step passes just because staff say so.
 * - Every skipped step has a reason.
 * - Taps of a rehearsal are undone and are not leads.
 * - A sheet contains no badge code, no name of a person and no key.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { healthSchema, verdictSchema } from './health.ts';
import { rehearsalStepNames } from './rehearsal-steps.ts';

/** Why a tap did not match the step, or why the step is blocked. */
const rehearsalHintSchema = z.enum([
  ...(['knownBadge', 'unknownBadge', 'notRead', 'refused', 'endedInOrder', 'offline'] as const),
]);

/** Why the app reports a failure of the device, or cannot decide. */
const rehearsalWhySchema = z.enum([
  ...(['notSaved', 'toldAsSaved', 'factsLost', 'notNoticed', 'noPeople', 'noReader'] as const),
]);

const rehearsalStepSchema = z.object({
  name: z.enum(rehearsalStepNames),
  state: z.enum(['waiting', 'passed', 'failed', 'skipped', 'impossible']),
  /** Whether the device simulates the fault of this step. */
  simulated: z.boolean(),
  /** Number of phases that passed. */
  seen: z.number().int(),
  /** When the latest phase passed, or when the step ended, in Unix milliseconds. */
  at: z.number().nullable(),
  why: rehearsalWhySchema.nullable(),
  /** The staff's reason for skipping it. */
  reason: z.string().max(200).nullable(),
  /** Duration of the fault, if known. */
  tookMs: z.number().nullable(),
});

export const rehearsalSchema = z.object({
  id: z.string(),
  startedAt: z.number(),
  version: z.string(),
  steps: z.array(rehearsalStepSchema),
});

/** A finished rehearsal. `leftOver`: sample taps that could not be undone. */
export const rehearsalSheetSchema = rehearsalSchema.extend({
  endedAt: z.number(),
  verdict: verdictSchema,
  device: z.string(),
  partner: z.string().nullable(),
  event: z.string().nullable(),
  leftOver: z.number().int(),
  health: healthSchema,
});

const rehearsalStateSchema = z.object({
  /** Null while no rehearsal runs. */
  drill: rehearsalSchema.nullable(),
  hint: rehearsalHintSchema.nullable(),
  /** Finished rehearsals, latest first. */
  sheets: z.array(
    z.object({ id: z.string(), endedAt: z.number(), verdict: verdictSchema, version: z.string() }),
  ),
});

export const rehearsalCalls = {
  /** With `samples`, every tap is a sample and faults are simulated while this stream is read and a rehearsal runs. */
  watch: oc.input(z.object({ samples: z.boolean() })).output(eventIterator(rehearsalStateSchema)),
  /** Starts a rehearsal. `begun` is false if one is running already. */
  begin: oc.output(z.object({ begun: z.boolean() })),
  /** Skips the current step. */
  skip: oc
    .input(z.object({ step: z.enum(rehearsalStepNames), reason: z.string().trim().min(3).max(200) }))
    .output(z.object({ skipped: z.boolean() })),
  /** Ends the running rehearsal without a sheet. */
  drop: oc.output(z.object({ dropped: z.boolean() })),
  sheet: oc.input(z.object({ id: z.string().max(40) })).output(rehearsalSheetSchema.nullable()),
};

export type RehearsalStep = z.infer<typeof rehearsalStepSchema>;
export type RehearsalStepName = RehearsalStep['name'];
export type RehearsalHint = z.infer<typeof rehearsalHintSchema>;
export type Rehearsal = z.infer<typeof rehearsalSchema>;
export type RehearsalSheet = z.infer<typeof rehearsalSheetSchema>;
export type RehearsalState = z.infer<typeof rehearsalStateSchema>;
