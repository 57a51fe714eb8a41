/**
 * How the stand team gets to the staff pages: a PIN, a badge of its own, and who is at work.
 *
 * Invariants: before the sign-in a page learns no name of the team; a PIN goes in and never comes out again, but for
 * that of the demo event.
 */
import { z } from 'zod';

/** Four to twelve digits. */
export const pinSchema = z.string().regex(/^\d{4,12}$/);

/** What the team calls somebody; stands in facts as who was at work. */
export const staffNameSchema = z.string().trim().min(1).max(60);

/** Whoever is signed in on this page. `member` is null while nobody said who it is. */
export const staffSessionSchema = z.object({
  member: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** May also do what destroys something. */
  technician: z.boolean(),
});

/** What the page at the entry needs to know. */
export const staffStateSchema = z.object({
  /** `unset`: the first start, which asks for one. `damaged`: the technician has to set it anew. */
  pin: z.enum(['unset', 'set', 'damaged']),
  /** The PINs of the demo event, which are no secret; null elsewhere. */
  demo: z.object({ pin: z.string(), technicianPin: z.string() }).nullable(),
  /** Milliseconds until the next try counts. */
  waitMs: z.number().int(),
  /** Whether a badge opens these pages on this device. */
  badge: z.boolean(),
  session: staffSessionSchema.nullable(),
});

/** What came of a PIN. `wait`: it was not looked at, because the last wrong one was too recent. */
export const signInSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('in') }),
  z.object({ kind: z.literal('wrong'), waitMs: z.number().int() }),
  z.object({ kind: z.literal('wait'), waitMs: z.number().int() }),
  z.object({ kind: z.literal('unset') }),
  z.object({ kind: z.literal('damaged') }),
]);

/** Somebody of the team, with the badges that open these pages. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  badges: z.array(z.object({ id: z.string(), tail: z.string(), addedAt: z.number() })),
});

export const teamSchema = z.object({
  members: z.array(memberSchema),
  /** Whose badge the next tap is; null when none is awaited. */
  awaits: z.string().nullable(),
});

export type StaffState = z.infer<typeof staffStateSchema>;
export type StaffSession = z.infer<typeof staffSessionSchema>;
export type SignIn = z.infer<typeof signInSchema>;
export type Member = z.infer<typeof memberSchema>;
export type Team = z.infer<typeof teamSchema>;
