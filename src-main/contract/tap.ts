/**
 * Tap events for the visitor's screen, and the demo badges of its tray.
 *
 * Invariants:
 * - `captured` is sent only after the commit returned (docs/laws.md#law-1).
 * - A public screen gets a first name and an initial, never a complete record.
 * - Texts are data, never HTML.
 */
import { z } from 'zod';
import { offerItemSchema } from './stand.ts';

/** How the badge was read. */
const tapSourceSchema = z.enum(['nfc', 'qr', 'wedge', 'manual']);

/** The data of a visitor that a public screen may show. */
const publicProfileSchema = z.object({
  /** First name and initial of the last name, e.g. `Amélie B.`. It may be one long word. */
  name: z.string(),
  company: z.string().nullable(),
  /** BCP 47 language of the visitor, if known. */
  language: z.string().nullable(),
});

/** Why a badge was not read. For all of these reasons the visitor sees "hold a little longer". */
const notReadReasonSchema = z.enum(['pulled', 'missed', 'mute', 'busy']);

/**
 * Why a reading was refused. `randomUid`: a card that is not a phone but has a different number at every tap.
 * `clash`: the badge matches two people. It is stored so that the stand team can settle it, but it does not count as
 * captured. `impossibleCode` (typed) and `garbledScan`: no badge of this event has such a code. Both are stored.
 */
const refusedReasonSchema = z.enum([
  'phone',
  'randomUid',
  'notABadge',
  'clash',
  'impossibleCode',
  'garbledScan',
]);

/** Why a visitor was not admitted. The same text applies to unknown and to unregistered visitors. */
export const notAdmittedReasonSchema = z.enum(['notRegistered', 'full', 'restricted']);

/** Result of a check-in. `since`: time of entry in Unix milliseconds. `count`: people inside, including this one. */
const checkinSchema = z.object({
  result: z.enum(['welcome', 'again']),
  since: z.number(),
  count: z.number().int(),
});

/** Why a tap could not be stored. The screen must say that nothing was saved. */
const failedReasonSchema = z.enum(['full', 'readOnly', 'failing']);

const at = z.number();

/** Events of one device in order. `at` is Unix milliseconds. */
export const tapEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reading'), at }),
  z.object({
    kind: z.literal('captured'),
    at,
    /** Fact id, used by `undo`. */
    factId: z.string(),
    leadId: z.string(),
    /** Null if the visitor is unknown. The name is added later, when the mirror receives it (docs/laws.md#law-8). */
    visitor: publicProfileSchema.nullable(),
    /** Null on the first tap. Otherwise the number of this tap and the time of the first one. */
    repeat: z.object({ count: z.number().int(), since: z.number() }).nullable(),
    /** Until when the undo is offered, in Unix milliseconds. */
    undoUntil: z.number(),
    /** The content collected with the tap, or null. */
    collected: offerItemSchema.nullable(),
    /** Result of a check-in. Null at other touchpoints. */
    checkin: checkinSchema.nullable(),
    /** Whether this visitor has not answered the current notice. */
    asksConsent: z.boolean(),
    /** Ids of the questions that this visitor has neither answered nor skipped. */
    openQuestions: z.array(z.string()),
  }),
  /** A refused check-in. The tap is stored. The visitor is not counted as inside. */
  z.object({ kind: z.literal('notAdmitted'), at, reason: notAdmittedReasonSchema }),
  z.object({ kind: z.literal('notRead'), at, reason: notReadReasonSchema }),
  z.object({
    kind: z.literal('refused'),
    at,
    reason: refusedReasonSchema,
    /** Fact id of a tap that was captured from the UID, and undone because the complete badge was refused. */
    factId: z.string().optional(),
  }),
  /** `notChosen`: no touchpoint is assigned, so nothing was recorded. */
  z.object({
    kind: z.literal('failed'),
    at,
    reason: z.enum([...failedReasonSchema.options, 'notChosen']),
  }),
  z.object({ kind: z.literal('undone'), at, factId: z.string() }),
  /**
   * A staff badge, not a lead. `ticket`: the first page that redeems it is signed in. Null if this tap assigned the
   * badge to a member.
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
export type NotAdmittedReason = z.infer<typeof notAdmittedReasonSchema>;
export type FailedReason = z.infer<typeof failedReasonSchema>;
export type DemoBadge = z.infer<typeof demoBadgeSchema>;
