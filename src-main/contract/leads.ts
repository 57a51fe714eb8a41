/**
 * Leads for the stand team: the list, one lead, edits, worklists, statistics.
 *
 * Invariants:
 * - Only leads of the current partner (docs/laws.md#law-14).
 * - Each count names its unit, because people, taps and facts are three numbers.
 * - An edit is a fact, so it has an id, is delivered and can be undone.
 * - Reasons and states are data. The screen has the texts.
 * - Times are Unix milliseconds, days are `YYYY-MM-DD` in the event's time zone.
 */
import { z } from 'zod';
import { ATTACHMENT_KINDS, FACT_KINDS } from './fact-kinds.ts';
import {
  byField,
  daySchema,
  formAnswerSchema,
  leadValuesSchema,
  PERSON_FIELDS,
  SHOWN_PERSON_FIELDS,
} from './lead-fields.ts';
import { answerSchema, formQuestionSchema, questionSchema } from './stand.ts';

const name = z.string().max(200);
const id = z.string().max(200);

/**
 * Delivery of a lead: the state of its least advanced fact, or `parked` if any fact is parked. `atHub`: at the hub,
 * which sends it on.
 */
const leadDeliverySchema = z.enum(['waiting', 'atHub', 'sent', 'confirmed', 'parked']);

/** A filter of the list. An absent condition matches everything. All given conditions must match. */
export const leadFilterSchema = z.object({
  /** Words that must all occur in name, company, position, place, e-mail, phone, note, answers or badge. */
  search: z.string().max(200).optional(),
  hot: z.boolean().optional(),
  /** `false`: rated. */
  unrated: z.boolean().optional(),
  ratingAtLeast: z.number().int().min(1).max(5).optional(),
  /** Visited on this day. */
  day: daySchema.optional(),
  /** Visited in this hour: `YYYY-MM-DD HH` in the event's time zone. */
  hour: z.string().max(13).optional(),
  /** The team's rating. */
  rating: z.number().int().min(1).max(5).optional(),
  /** Of this company in any spelling, or of any company that the team has put under it. */
  company: name.optional(),
  /** Met by this member of staff at a visit, or `NOBODY`. */
  met: name.optional(),
  /** Chose this option: a question and its option, joined by `ANSWER_SEPARATOR`. */
  answer: z.string().max(200).optional(),
  /** Visited more than once. */
  again: z.boolean().optional(),
  /** Has one of these labels. */
  labels: z.array(name).max(50).optional(),
  /** Agreed to this consent (id of its purpose). */
  consent: z.string().max(60).optional(),
  /** Collected this content. */
  content: id.optional(),
  /** Met or edited by this member of staff. */
  staff: name.optional(),
  /** The visitor of the badge is unknown, and the tap was not taken back. */
  unknown: z.boolean().optional(),
  /** A required question of the team's form is not answered. */
  incomplete: z.boolean().optional(),
  /** Undone by the visitor. */
  undone: z.boolean().optional(),
  /** Entered by the team, without a tap. */
  byHand: z.boolean().optional(),
  /** At least one of its facts has not reached the platform. */
  undelivered: z.boolean().optional(),
  /** At least one of its facts is parked. */
  parked: z.boolean().optional(),
  /** Follow-up on this day or earlier. */
  followUpBy: daySchema.optional(),
  /** Only these leads, for a selection. */
  ids: z.array(id).max(5_000).optional(),
});

/**
 * `latest`: last visit first. `hot`: hot leads first, then by rating, then latest. `name`, `company`: in alphabetical
 * order.
 */
export const leadSortSchema = z.enum(['latest', 'hot', 'name', 'company']);

/**
 * The reason why a lead is hot or not. `rating`: the team's rating. `answer`: the answer to a question of the stand.
 * `contents`, `visits`: their number. Null without a sign.
 */
const hotReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rating'), rating: z.number().int() }),
  z.object({ kind: z.literal('answer'), question: z.string(), option: z.string() }),
  z.object({ kind: z.literal('contents'), count: z.number().int() }),
  z.object({ kind: z.literal('visits'), count: z.number().int() }),
]);
const hotSchema = z.object({ is: z.boolean(), why: hotReasonSchema.nullable() });

/**
 * When a lead is hot. The first sign that applies decides: rating, answers, contents, visits. A sign that is null is
 * not used.
 */
export const hotRuleSchema = z.object({
  /** Minimum rating of the team. With a lower rating a lead is not hot, and no other sign counts. */
  rating: z.number().int().min(1).max(5),
  /**
   * One of these options was chosen, or the team answered its form with at least this number. A question of kind
   * `yesNo` has the options `yes` and `no`.
   */
  answers: z
    .array(
      z.object({
        question: z.string().max(60),
        options: z.array(z.string().max(60)).max(8),
        atLeast: z.number().optional(),
      }),
    )
    .max(20),
  /** Minimum number of collected contents. */
  contents: z.number().int().min(1).max(100).nullable(),
  /** Minimum number of visits. */
  visits: z.number().int().min(1).max(100).nullable(),
});

/** A setting on a device with one value per partner. Leaves out invalid values. */
function byPartner<Value>(schema: z.ZodType<Value>) {
  return z
    .record(z.string(), schema.nullable().catch(null))
    .transform(
      (all): Readonly<Record<string, Value>> =>
        Object.fromEntries(
          Object.entries(all).flatMap(([partner, value]) => (value === null ? [] : [[partner, value]])),
        ),
    );
}

/** The stand teams' rules on a device. */
export const hotRulesSchema = byPartner(hotRuleSchema);

const shownPersonFields = byField(SHOWN_PERSON_FIELDS, () => z.string().nullable());

/** One line of the list: the person with the team's corrections, the fields of the lead, and counts of the device. */
export const leadLineSchema = leadValuesSchema.extend({
  ...shownPersonFields,
  id,
  /** Null while the badge is unknown. */
  name: z.string().nullable(),
  place: z.string().nullable(),
  /** Last four characters of the badge code, which distinguish unknown badges. */
  badgeTail: z.string(),
  taps: z.number().int(),
  firstAt: z.number(),
  lastAt: z.number(),
  hot: hotSchema,
  /** The first 200 characters of the note. */
  note: z.string().nullable(),
  /** Number of collected contents. */
  contents: z.number().int(),
  /** Whether a consent was given. Null without an answer. */
  agreed: z.boolean().nullable(),
  /** Member of staff of the last visit. */
  staff: z.string().nullable(),
  unknown: z.boolean(),
  /** The visitor undid it. It remains stored and is shown as undone. */
  undone: z.boolean(),
  delivery: leadDeliverySchema,
});

/** Start of a page: after the line that another page's `next` identifies, or at an offset from 0. */
export const leadPageFromSchema = z.union([
  z.object({ after: z.string().max(2_000) }),
  z.object({ position: z.number().int().min(0) }),
]);

export const leadPageSchema = z.object({
  leads: z.array(leadLineSchema),
  /** Cursor after the last line. Null at the end. */
  next: z.string().nullable(),
  /** Totals of all matches: people (leads), taps that are not undone, facts. */
  counts: z.object({ people: z.number().int(), taps: z.number().int(), facts: z.number().int() }),
  /**
   * False while the index is being read after a start. Lines and counts then cover only what was read, latest first.
   */
  ready: z.boolean(),
});

const counted = z.object({ value: z.string(), people: z.number().int() });

/** The choices of each filter, with the number of people that match each. */
export const leadFacetsSchema = z.object({
  people: z.number().int(),
  hot: z.number().int(),
  unrated: z.number().int(),
  unknown: z.number().int(),
  incomplete: z.number().int(),
  undone: z.number().int(),
  undelivered: z.number().int(),
  parked: z.number().int(),
  /** Number of unsettled refused codes, without the filter. */
  refused: z.number().int(),
  /** Days with visits, latest first. */
  days: z.array(counted),
  labels: z.array(counted),
  consents: z.array(counted),
  contents: z.array(counted),
  staff: z.array(counted),
});

/** Names for ids in leads. */
export const leadWordsSchema = z.object({
  /** Labels of the platform. Any other label of a lead is its own text. */
  labels: z.array(z.object({ id, name: z.string(), colour: z.string().nullable() })),
  contents: z.array(z.object({ id, name: z.string() })),
  touchpoints: z.array(z.object({ id, name: z.string() })),
  questions: z.array(questionSchema),
  /** The team's own questions. Their ids differ from those of the visitor's questions. */
  form: z.array(formQuestionSchema),
  consents: z.array(z.object({ id: z.string(), text: z.record(z.string(), z.string()) })),
});

/** A field of a person: the platform's value and the team's correction. */
const correctableSchema = z.object({
  original: z.string().nullable(),
  corrected: z.string().nullable(),
});

/** Fields of a person that the team can correct. */
export const correctionSchema = z.object(byField(PERSON_FIELDS, () => name.nullable().optional()));

/** Delivery of one fact. `elsewhere`: another device of the partner made it, and the platform reported it. */
const factDeliverySchema = z.enum([
  'waiting',
  'sending',
  'uncertain',
  'atHub',
  'sent',
  'confirmed',
  'parked',
  'elsewhere',
]);

/** One entry of a lead's timeline, oldest first. */
const leadEventSchema = z.object({
  /** The fact's id for `undo`. */
  factId: z.string(),
  kind: z.enum(FACT_KINDS),
  at: z.number(),
  touchpoint: z.string().nullable(),
  staff: z.string().nullable(),
  /** The fields of the fact, e.g. `{ "rating": 4 }`. For a consent, the given consents. */
  fields: z.record(z.string(), z.unknown()),
  content: z.string().nullable(),
  /** Entered by the team without a tap, so there is no badge. */
  byHand: z.boolean(),
  /**
   * For an attachment: the person of the badge, or the merged lead. `name` is null if unknown. `badgeTail` is that
   * of the attached badge.
   */
  attached: z
    .object({
      how: z.enum(['attached', 'merged']),
      name: z.string().nullable(),
      badgeTail: z.string(),
    })
    .nullable(),
  undone: z.boolean(),
  /** Whether `undo` is possible now. */
  undoable: z.boolean(),
  delivery: factDeliverySchema,
  /** The platform's reason for a refusal. */
  reason: z.string().nullable(),
  /** Name of the stand's laptop that captured it. Null for this laptop, or if unknown. */
  device: z.string().nullish(),
});

/** A lead that became part of another. */
const otherPersonSchema = z.object({
  ...shownPersonFields,
  lead: id,
  name: z.string().nullable(),
  badgeTail: z.string(),
});

/** A photo or a voice note of a lead. The fact can be undone, which removes the file. */
const attachmentSchema = z.object({
  factId: z.string(),
  kind: z.enum(ATTACHMENT_KINDS),
  at: z.number(),
  staff: z.string().nullable(),
  /** Length of a voice note in milliseconds. */
  ms: z.number().nullable(),
  /** The visitor speaks, and agreed to the recording. */
  ofVisitor: z.boolean(),
  /** Name in `attachments/`, and its SHA-256. */
  file: z.string(),
  sha256: z.string(),
  /** Recorded on another device, which has the file. */
  elsewhere: z.boolean(),
});

/** All data of one lead. */
export const leadDetailSchema = leadLineSchema.extend({
  visitor: z.string().nullable(),
  badges: z.array(z.string()),
  person: z.object({
    ...byField(PERSON_FIELDS, () => correctableSchema),
    name: z.string().nullable(),
    address: z.string().nullable(),
    country: z.string().nullable(),
    /** BCP 47. */
    language: z.string().nullable(),
  }),
  /** The complete note. */
  note: z.string().nullable(),
  consent: z
    .object({
      notice: z.string(),
      language: z.string(),
      agreed: z.record(z.string(), z.boolean()),
      at: z.number(),
    })
    .nullable(),
  /** The visitor's answers, then the team's. */
  answers: z.array(
    z.object({ question: z.string(), answer: z.union([answerSchema, formAnswerSchema]), at: z.number() }),
  ),
  contentsTaken: z.array(z.object({ content: z.string(), at: z.number() })),
  /** Oldest first. */
  attachments: z.array(attachmentSchema),
  /** Visits that are not undone, oldest first. */
  visits: z.array(
    z.object({
      at: z.number(),
      touchpoint: z.string().nullable(),
      staff: z.string().nullable(),
      /** Entered by the team, without a tap. */
      byHand: z.boolean(),
    }),
  ),
  /** Members of staff who met or edited the person. */
  team: z.array(z.string()),
  /** Number of captures on other devices of the partner, from the platform. Null if unknown. */
  elsewhere: z
    .object({ first: z.number().nullable(), last: z.number().nullable(), count: z.number().int() })
    .nullable(),
  facts: z.number().int(),
  /** Leads that were merged into this one, each with its own data. Only those with data of a person. */
  others: z.array(otherPersonSchema),
  timeline: z.array(leadEventSchema),
});

/** Result of an edit. `lead` is the current lead: two merged leads have one id. */
export const editedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), factId: z.string(), lead: id }),
  /** There is no such lead. */
  z.object({ kind: z.literal('unknown') }),
  /** The edit changes nothing. */
  z.object({ kind: z.literal('same') }),
  /** An answer is invalid for its question. Nothing was saved. */
  z.object({ kind: z.literal('invalid') }),
  /** The disk failed. Nothing was saved. */
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

/** A code that was refused at the stand and is stored for review. */
const refusedEntrySchema = z.object({
  id,
  at: z.number(),
  source: z.enum(['nfc', 'qr', 'wedge', 'manual']),
  /** The text, truncated to 300 characters. */
  text: z.string(),
  reason: z.string(),
  settled: z.boolean(),
});

/** Entries that staff should review. */
export const worklistSchema = z.object({
  /** Leads with an unknown visitor, latest first, at most 500. */
  unknown: z.array(leadLineSchema),
  /** Unsettled refused codes, latest first, at most 500. */
  refused: z.array(refusedEntrySchema),
});

/** People of a day. */
export const targetSchema = z.number().int().min(1).max(100_000);

/** The stand teams' targets on a device. */
export const targetsSchema = byPartner(targetSchema);

const amount = z.object({ people: z.number().int(), taps: z.number().int() });
/** `hot`: how many of the people are hot. */
const worthAmount = amount.extend({ hot: z.number().int() });

/** The people of one company. `company`: its name, as in the filter. */
export const companySchema = z.object({
  company: z.string(),
  people: z.number().int(),
  hot: z.number().int(),
  /** Last visit of any of them. */
  lastAt: z.number(),
  /** The names under which they are registered, the most frequent first, at most 20. */
  spellings: z.array(z.string()),
});

/** `people`: how many were filed under another company. `tooMany`: more people than one call can change. */
export const companiesMergedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), people: z.number().int() }),
  z.object({ kind: z.literal('same') }),
  z.object({ kind: z.literal('tooMany') }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

/** Statistics of the leads. */
export const leadNumbersSchema = z.object({
  people: z.number().int(),
  taps: z.number().int(),
  facts: z.number().int(),
  /** People who were entered by the team and have no tap. */
  byHand: z.number().int(),
  /** Visits by hour, oldest first. `hour` is 0 to 23 in the event's time zone. Hours without visits are left out. */
  hours: z.array(worthAmount.extend({ day: daySchema, hour: z.number().int() })),
  days: z.array(worthAmount.extend({ day: daySchema })),
  /** People by the team's rating. Null means unrated. */
  ratings: z.array(z.object({ rating: z.number().int().nullable(), people: z.number().int() })),
  /** Number of people met by each member of staff. Null means that no member was signed in. */
  staff: z.array(worthAmount.extend({ staff: z.string().nullable() })),
  /** The companies with the most people. */
  companies: z.array(companySchema),
  contents: z.array(z.object({ content: z.string(), people: z.number().int() })),
  /** People by number of visits. */
  repeats: z.object({ once: z.number().int(), again: z.number().int() }),
  /** People who answered, by question and option. For a number, a scale or a day the option is its value. */
  answers: z.array(
    z.object({
      question: z.string(),
      people: z.number().int(),
      options: z.array(z.object({ option: z.string(), people: z.number().int() })),
    }),
  ),
  hot: z.number().int(),
  agreed: z.number().int(),
  /** People the team wants to meet in a day. Null without a target. */
  target: targetSchema.nullable(),
});

export type LeadFilter = z.infer<typeof leadFilterSchema>;
export type LeadSort = z.infer<typeof leadSortSchema>;
export type Hot = z.infer<typeof hotSchema>;
export type HotRule = z.infer<typeof hotRuleSchema>;
export type LeadDelivery = z.infer<typeof leadDeliverySchema>;
export type LeadLine = z.infer<typeof leadLineSchema>;
export type LeadPageFrom = z.infer<typeof leadPageFromSchema>;
export type LeadListPage = z.infer<typeof leadPageSchema>;
export type CompaniesMerged = z.infer<typeof companiesMergedSchema>;
export type Company = z.infer<typeof companySchema>;
export type LeadFacets = z.infer<typeof leadFacetsSchema>;
export type LeadWords = z.infer<typeof leadWordsSchema>;
export type LeadDetail = z.infer<typeof leadDetailSchema>;
export type LeadAttachment = z.infer<typeof attachmentSchema>;
export type LeadEvent = z.infer<typeof leadEventSchema>;
export type FactDelivery = z.infer<typeof factDeliverySchema>;
export type Correction = z.infer<typeof correctionSchema>;
export type Edited = z.infer<typeof editedSchema>;
export type RefusedEntry = z.infer<typeof refusedEntrySchema>;
export type Worklist = z.infer<typeof worklistSchema>;
export type LeadNumbers = z.infer<typeof leadNumbersSchema>;
