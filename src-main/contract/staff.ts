/**
 * Access of the stand team to the staff pages: the PIN, staff badges, and the member on duty.
 *
 * Invariants:
 * - Before the sign-in a page receives no name of the team.
 * - A PIN is accepted and never returned, except the PIN of the demo event.
 */
import { z } from 'zod';

/** Four to twelve digits. */
export const pinSchema = z.string().regex(/^\d{4,12}$/);

/** Name of a member in the team. Facts record it as the name of the member on duty. */
export const staffNameSchema = z.string().trim().min(1).max(60);

/** The session of this page. `member` is null while unknown. */
const staffSessionSchema = z.object({
  member: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** This session may also use destructive functions. */
  technician: z.boolean(),
});

/** State of the entry page. */
export const staffStateSchema = z.object({
  /** `unset`: the first start, which requires one. `damaged`: the technician must set it again. */
  pin: z.enum(['unset', 'set', 'damaged']),
  /** The public PINs of the demo event. Null elsewhere. */
  demo: z.object({ pin: z.string(), technicianPin: z.string() }).nullable(),
  /** Milliseconds until the next attempt is possible. */
  waitMs: z.number().int(),
  /** Whether a badge opens these pages on this device. */
  badge: z.boolean(),
  session: staffSessionSchema.nullable(),
});

/** E-mail address of a member at the team's CRM. Empty: none. */
export const memberEmailSchema = z.union([z.literal(''), z.email().max(254)]);

/** Result of a PIN attempt. `wait`: the PIN was not checked, because the last wrong one was too recent. */
export const signInSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('in') }),
  z.object({ kind: z.literal('wrong'), waitMs: z.number().int() }),
  z.object({ kind: z.literal('wait'), waitMs: z.number().int() }),
  z.object({ kind: z.literal('unset') }),
  z.object({ kind: z.literal('damaged') }),
]);

/** Why a choice of the team was refused: it needs the PIN, or the PIN was wrong. */
export const pinRefusalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('needed') }),
  ...signInSchema.options,
]);

/** A member of the team and their badges. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** E-mail address of the user who owns this member's leads in a CRM. Empty: none. */
  email: z.string(),
  badges: z.array(z.object({ id: z.string(), tail: z.string(), addedAt: z.number() })),
});

export const teamSchema = z.object({
  members: z.array(memberSchema),
  /** The member to whom the next tapped badge is assigned, or null. */
  awaits: z.string().nullable(),
});

export type StaffState = z.infer<typeof staffStateSchema>;
export type StaffSession = z.infer<typeof staffSessionSchema>;
export type SignIn = z.infer<typeof signInSchema>;
export type PinRefusal = z.infer<typeof pinRefusalSchema>;
export type Member = z.infer<typeof memberSchema>;
export type Team = z.infer<typeof teamSchema>;
