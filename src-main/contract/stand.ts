/**
 * The stand's offer around a tap: the notice, separate consents, questions, contents, the activity of a check-in, and
 * the settings of the screen.
 *
 * Invariants:
 * - Texts are data in several languages, never HTML.
 * - The stand contains no data of a visitor.
 * - Pictures are referred to by name and fetched one by one, so that the message stays small.
 */
import { z } from 'zod';
import { purposeSchema } from './device.ts';

/** A text by BCP 47 language, e.g. `{ "en": "Yes", "de": "Ja" }`. A screen uses the nearest available language. */
export const textsSchema = z.record(z.string().max(35), z.string().max(2_000));

/** The recipient of the data, the purpose and the retention, in one language. */
export const noticeTextSchema = z.object({
  who: z.string().max(600),
  why: z.string().max(600),
  howLong: z.string().max(600),
});

/** The notice is shown before a tap is captured. Every answer stores `version`. `link` leads to the complete text. */
export const noticeSchema = z.object({
  version: z.string().max(100),
  link: z.string().max(2_000).nullable(),
  texts: z.record(z.string().max(35), noticeTextSchema),
});

/** A consent, separate from the tap itself and never preselected. */
export const consentPurposeSchema = z.object({
  id: z.string().max(60),
  text: textsSchema,
  /** The channel that a consent permits. A consent without a channel permits neither letters nor calls. */
  channel: z.enum(['email', 'phone', 'post']).optional(),
});

/** A question of the partner. Only `choice` and `several` have `options`. A rating is 1 to 5. */
export const questionSchema = z.object({
  id: z.string().max(60),
  kind: z.enum(['choice', 'several', 'rating', 'yesNo', 'text']),
  text: textsSchema,
  options: z.array(z.object({ id: z.string().max(60), text: textsSchema })).max(8),
});

/**
 * A question of the stand's form, which the team answers about a lead. Only `choice` and `several` have `options`. A
 * scale is 1 to 5. The question is shown for leads with a visit of one of these `purposes`. Without a purpose, it is
 * not asked any more, and is only the title of earlier answers.
 */
export const formQuestionSchema = z.object({
  id: z.string().max(60),
  kind: z.enum(['choice', 'several', 'scale', 'number', 'date', 'text']),
  text: textsSchema,
  options: z.array(z.object({ id: z.string().max(60), text: textsSchema })).max(8),
  required: z.boolean(),
  purposes: z.array(purposeSchema),
});

/** A visitor's answer: option ids for `choice` and `several`. */
export const answerSchema = z.union([
  z.array(z.string().max(60)).max(8),
  z.number().int().min(1).max(5),
  z.boolean(),
  z.string().max(500),
]);

/** A content of the partner, for a card on the screen. */
export const offerItemSchema = z.object({
  id: z.string(),
  kind: z.enum(['profile', 'product']),
  name: z.string(),
  summary: z.string().nullable(),
  description: z.string().nullable(),
  /** Name of the picture for `offer.picture`. Null if there is none. */
  picture: z.string().nullable(),
  /** Address in the QR code for a phone. Null if the event has none. */
  link: z.string().nullable(),
});

/** A picture as a data URL, scaled for the screen. */
export const pictureSchema = z.object({
  address: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

/** The activity of a check-in. Counts are people inside. */
const activitySchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  /** Unix milliseconds, or null. */
  start: z.number().nullable(),
  end: z.number().nullable(),
  location: z.string().nullable(),
  access: z.enum(['open', 'signup', 'restricted']),
  capacity: z.number().int().nullable(),
  count: z.number().int(),
});

/** Settings of the screen for the visitors in front of it. */
export const screenSetupSchema = z.object({
  /** `low`: every control in the lower third, for short people and wheelchair users. */
  reach: z.enum(['usual', 'low']),
  contrast: z.enum(['usual', 'high']),
  text: z.enum(['usual', 'large']),
  camera: z.boolean(),
});

/** The stand for a screen. Sent again after every change. */
export const standSchema = z.object({
  /** The headline of the attract loop in the exhibitor's words. Null means the default. */
  headline: textsSchema.nullish(),
  notice: noticeSchema.nullable(),
  consents: z.array(consentPurposeSchema).max(5),
  questions: z.array(questionSchema).max(3),
  /** `here`: the one content of this touchpoint, if any. `count`: the number of all contents of the partner. */
  offer: z.object({
    count: z.number().int(),
    here: offerItemSchema.nullable(),
    /** One content as an example of all, if there is one. */
    first: offerItemSchema.nullish(),
    /** Base URL of the pages with the contents taken with a tap: `{bag}/{factId}`. */
    bag: z.string().nullish(),
  }),
  /** Whether a visitor may request the confirmation e-mail again. */
  email: z.boolean(),
  activity: activitySchema.nullable(),
  /** `colour` as `#rrggbb`. Screens darken or lighten it until it is readable. `logo` names a picture. */
  brand: z.object({ colour: z.string().max(9).nullable(), logo: z.string().nullable() }),
  /** Pictures and films of the attract loop in order, by URLs of this app. */
  attract: z.array(z.object({ kind: z.enum(['picture', 'video']), address: z.string() })),
  screen: screenSetupSchema,
});

export type Texts = z.infer<typeof textsSchema>;
export type Notice = z.infer<typeof noticeSchema>;
export type ConsentPurpose = z.infer<typeof consentPurposeSchema>;
export type Question = z.infer<typeof questionSchema>;
export type FormQuestion = z.infer<typeof formQuestionSchema>;
export type Answer = z.infer<typeof answerSchema>;
export type OfferItem = z.infer<typeof offerItemSchema>;
export type Picture = z.infer<typeof pictureSchema>;
export type Activity = z.infer<typeof activitySchema>;
export type ScreenSetup = z.infer<typeof screenSetupSchema>;
export type Stand = z.infer<typeof standSchema>;
