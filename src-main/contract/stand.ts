/**
 * What the stand offers around a tap: the notice, separate consents, questions, contents, the activity of a check-in,
 * and how the screen is set up.
 *
 * Invariants: texts are data in several languages, never HTML; nothing here is about a visitor; pictures are named
 * here and fetched one by one, so that this stays small.
 */
import { z } from 'zod';

/** A text by BCP 47 language, e.g. `{ "en": "Yes", "de": "Ja" }`; a screen takes the nearest one it has. */
export const textsSchema = z.record(z.string().max(35), z.string().max(2_000));

/** Who gets the data, why and for how long, in one language. */
export const noticeTextSchema = z.object({
  who: z.string().max(600),
  why: z.string().max(600),
  howLong: z.string().max(600),
});

/** Shown before a tap counts; `version` is kept with every answer. `link` leads to the whole text. */
export const noticeSchema = z.object({
  version: z.string().max(100),
  link: z.string().max(2_000).nullable(),
  texts: z.record(z.string().max(35), noticeTextSchema),
});

/** One thing a visitor may agree to, apart from the tap itself; never ticked beforehand. */
export const consentPurposeSchema = z.object({
  id: z.string().max(60),
  text: textsSchema,
  /** The way in which a yes allows to be reached; where it is not said, a yes allows no letter and no call by itself. */
  channel: z.enum(['email', 'phone', 'post']).optional(),
});

/** A question of the partner. `options` are there for `choice` and `several` only. A rating goes from 1 to 5. */
export const questionSchema = z.object({
  id: z.string().max(60),
  kind: z.enum(['choice', 'several', 'rating', 'yesNo', 'text']),
  text: textsSchema,
  options: z.array(z.object({ id: z.string().max(60), text: textsSchema })).max(8),
});

/** What a visitor answered: option ids for `choice` and `several`. */
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
  /** Names the picture in `offer.picture`; null where there is none. */
  picture: z.string().nullable(),
  /** Address behind the QR code for taking it along on a phone; null while the event has told none. */
  link: z.string().nullable(),
});

/** A picture as a data address, scaled for the screen. */
export const pictureSchema = z.object({
  address: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

/** What one may check in to here. Counts are of people who are in. */
export const activitySchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  /** Epoch milliseconds, or null. */
  start: z.number().nullable(),
  end: z.number().nullable(),
  location: z.string().nullable(),
  access: z.enum(['open', 'signup', 'restricted']),
  capacity: z.number().int().nullable(),
  count: z.number().int(),
});

/** How the screen is set up for the people in front of it. */
export const screenSetupSchema = z.object({
  /** `low`: every control in the lower third, for short people and wheelchairs. */
  reach: z.enum(['usual', 'low']),
  contrast: z.enum(['usual', 'high']),
  text: z.enum(['usual', 'large']),
  camera: z.boolean(),
});

/** Everything a screen needs to know of the stand; told anew when something in it changed. */
export const standSchema = z.object({
  /** What attract promises, in the exhibitor's words; null: ours. */
  headline: textsSchema.nullish(),
  notice: noticeSchema.nullable(),
  consents: z.array(consentPurposeSchema).max(5),
  questions: z.array(questionSchema).max(3),
  /** `here`: the one content this touchpoint gives, if it gives one. `count`: contents of the partner in all. */
  offer: z.object({
    count: z.number().int(),
    here: offerItemSchema.nullable(),
    /** One that stands for all of them, where there is any. */
    first: offerItemSchema.nullish(),
  }),
  /** Whether a visitor may ask for the confirmation e-mail again. */
  email: z.boolean(),
  activity: activitySchema.nullable(),
  /** `colour` as `#rrggbb`; screens darken or lighten it until it can be read. `logo` names a picture. */
  brand: z.object({ colour: z.string().max(9).nullable(), logo: z.string().nullable() }),
  /** Pictures and films of the attract loop, in order, by addresses of this app. */
  attract: z.array(z.object({ kind: z.enum(['picture', 'video']), address: z.string() })),
  screen: screenSetupSchema,
});

export type Texts = z.infer<typeof textsSchema>;
export type Notice = z.infer<typeof noticeSchema>;
export type ConsentPurpose = z.infer<typeof consentPurposeSchema>;
export type Question = z.infer<typeof questionSchema>;
export type Answer = z.infer<typeof answerSchema>;
export type OfferItem = z.infer<typeof offerItemSchema>;
export type Picture = z.infer<typeof pictureSchema>;
export type Activity = z.infer<typeof activitySchema>;
export type ScreenSetup = z.infer<typeof screenSetupSchema>;
export type Stand = z.infer<typeof standSchema>;
