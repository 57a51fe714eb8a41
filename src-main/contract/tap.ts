/**
 * What the visitor's screen is sent of taps, and how text from a keyboard scanner comes in.
 *
 * Invariants: `captured` is sent only after the commit returned (docs/laws.md#law-1); a public screen gets a first
 * name and an initial, never a full record; texts are data, never HTML.
 */
import { z } from 'zod';
import { offerItemSchema } from './stand.ts';

/** How a badge reached us. */
export const tapSourceSchema = z.enum(['nfc', 'qr', 'wedge', 'manual']);

/** The little a public screen may show of a visitor. */
export const publicProfileSchema = z.object({
  /** First name and initial of the last name, e.g. `Amélie B.`; may be one long word. */
  name: z.string(),
  company: z.string().nullable(),
  /** BCP 47 language of the visitor, if the event knows it. */
  language: z.string().nullable(),
});

/** Why a badge was not read: all mean "hold a little longer" to the visitor. */
export const notReadReasonSchema = z.enum(['pulled', 'missed', 'mute', 'busy']);

/**
 * Why something was refused although it was read. `randomUid`: a card that is no phone, but shows another number at every
 * tap. `clash`: the badge names two people. It is kept as it was read, so that the stand team can settle it, but nobody
 * is told as captured. `impossibleCode` (typed) and `garbledScan`: no badge of this event looks like it; kept likewise.
 */
export const refusedReasonSchema = z.enum([
  'phone',
  'randomUid',
  'notABadge',
  'clash',
  'impossibleCode',
  'garbledScan',
]);

/** Why nobody was let in; the same words for a stranger and for somebody who is not registered. */
export const notAdmittedReasonSchema = z.enum(['notRegistered', 'full', 'restricted']);

/** How a check-in went. `since`: epoch milliseconds of the entry. `count`: people in, this one among them. */
export const checkinSchema = z.object({
  result: z.enum(['welcome', 'again']),
  since: z.number(),
  count: z.number().int(),
});

/** Why a tap could not be made safe. The screen must say that nothing was saved. */
export const failedReasonSchema = z.enum(['full', 'readOnly', 'failing']);

const at = z.number();

/** Events of one device in the order they happened. `at` is epoch milliseconds. */
export const tapEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reading'), at }),
  z.object({
    kind: z.literal('captured'),
    at,
    /** Fact id; names the tap in `undo`. */
    factId: z.string(),
    leadId: z.string(),
    /** Null: the badge is not known yet; the name follows when the mirror learns it (docs/laws.md#law-8). */
    visitor: publicProfileSchema.nullable(),
    /** Null on the first tap; otherwise which tap this is and when the first one was. */
    repeat: z.object({ count: z.number().int(), since: z.number() }).nullable(),
    /** Epoch milliseconds until which "take it back" is offered. */
    undoUntil: z.number(),
    /** The content this touchpoint gave with the tap, or null. */
    collected: offerItemSchema.nullable(),
    /** At a check-in: how it went; null elsewhere. */
    checkin: checkinSchema.nullable(),
    /** Whether this visitor has not answered the present notice yet. */
    asksConsent: z.boolean(),
    /** Ids of the questions this visitor has neither answered nor skipped. */
    openQuestions: z.array(z.string()),
  }),
  /** A check-in that was not granted. The tap is kept; nobody counts as in. */
  z.object({ kind: z.literal('notAdmitted'), at, reason: notAdmittedReasonSchema }),
  z.object({ kind: z.literal('notRead'), at, reason: notReadReasonSchema }),
  z.object({
    kind: z.literal('refused'),
    at,
    reason: refusedReasonSchema,
    /** The captured tap that this corrects: more of its badge was read since. That tap was taken back. */
    factId: z.string().optional(),
  }),
  /** `notChosen`: nobody said whose stand this is, so that nothing was recorded. */
  z.object({
    kind: z.literal('failed'),
    at,
    reason: z.enum([...failedReasonSchema.options, 'notChosen']),
  }),
  z.object({ kind: z.literal('undone'), at, factId: z.string() }),
  /**
   * A badge of the stand team; no lead. The first page that redeems `ticket` is signed in; null: it was added to the
   * badges of a member.
   */
  z.object({ kind: z.literal('staff'), at, ticket: z.string().nullable() }),
  /** The badge left the reader. */
  z.object({ kind: z.literal('removed'), at }),
]);

/** A demo badge of the tray. */
export const demoBadgeSchema = z.object({
  code: z.string(),
  alias: z.string(),
  name: z.string(),
  kind: z.enum(['visitor', 'unknown', 'phone', 'unreadable']),
});

export type TapEvent = z.infer<typeof tapEventSchema>;
export type TapSource = z.infer<typeof tapSourceSchema>;
export type PublicProfile = z.infer<typeof publicProfileSchema>;
export type NotReadReason = z.infer<typeof notReadReasonSchema>;
export type RefusedReason = z.infer<typeof refusedReasonSchema>;
export type NotAdmittedReason = z.infer<typeof notAdmittedReasonSchema>;
export type FailedReason = z.infer<typeof failedReasonSchema>;
export type DemoBadge = z.infer<typeof demoBadgeSchema>;
