/**
 * Leads as the stand team works them: the list, one lead, edits, worklists, numbers.
 *
 * Invariants: only leads of the present partner (docs/laws.md#law-14); counts say what they count, because people, taps
 * and facts are three numbers; an edit is a fact, so that it has an id, is delivered and can be taken back; reasons and
 * states are data, the screen has the words; times in epoch milliseconds, days as `YYYY-MM-DD` in the event's time zone.
 */
import { z } from 'zod';
import { FACT_KINDS } from './fact-kinds.ts';
import { byField, daySchema, leadValuesSchema, PERSON_FIELDS, SHOWN_PERSON_FIELDS } from './lead-fields.ts';
import { answerSchema, questionSchema } from './stand.ts';

const name = z.string().max(200);
const id = z.string().max(200);

/**
 * Where a lead's facts are. The least advanced fact counts, `parked` above all. `atHub`: at the hub in the hall, which
 * sends them on to the platform.
 */
export const leadDeliverySchema = z.enum(['waiting', 'atHub', 'sent', 'confirmed', 'parked']);

/** What narrows the list. What is absent narrows nothing; everything that is there must hold. */
export const leadFilterSchema = z.object({
  /** Words that must all be found in name, company, position, place, e-mail, phone, note, answers or badge. */
  search: z.string().max(200).optional(),
  hot: z.boolean().optional(),
  /** `false`: rated. */
  unrated: z.boolean().optional(),
  ratingAtLeast: z.number().int().min(1).max(5).optional(),
  /** Visited on this day. */
  day: daySchema.optional(),
  /** Has one of these labels. */
  labels: z.array(name).max(50).optional(),
  /** Agreed to this consent (id of its purpose). */
  consent: z.string().max(60).optional(),
  /** Took this content along. */
  content: id.optional(),
  /** Met, or edited by, this member of staff. */
  staff: name.optional(),
  /** The badge names nobody yet. */
  unknown: z.boolean().optional(),
  /** Taken back by the visitor. */
  undone: z.boolean().optional(),
  /** Written down by the team, and nobody has tapped for it. */
  byHand: z.boolean().optional(),
  /** Something of it has not reached the platform. */
  undelivered: z.boolean().optional(),
  /** Something of it is set aside. */
  parked: z.boolean().optional(),
  /** To be followed up on this day or before. */
  followUpBy: daySchema.optional(),
  /** Only these; for what a person selected. */
  ids: z.array(id).max(5_000).optional(),
});

/** `latest`: last visit first. `hot`: hot ones first, then by rating, then latest. Names and companies from A. */
export const leadSortSchema = z.enum(['latest', 'hot', 'name', 'company']);

/**
 * Why a lead is hot or not: the one thing that decided. `rating`: the team's. `answer`: to a question of the stand.
 * `contents`, `visits`: how many. Null: nothing says anything yet.
 */
export const hotReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rating'), rating: z.number().int() }),
  z.object({ kind: z.literal('answer'), question: z.string(), option: z.string() }),
  z.object({ kind: z.literal('contents'), count: z.number().int() }),
  z.object({ kind: z.literal('visits'), count: z.number().int() }),
]);
export const hotSchema = z.object({ is: z.boolean(), why: hotReasonSchema.nullable() });

/** From where on a lead is hot. The first that says something decides: rating, answers, contents, visits; null: never by this. */
export const hotRuleSchema = z.object({
  /** The team's rating is at least this; a lower one makes a lead not hot, whatever else it did. */
  rating: z.number().int().min(1).max(5),
  /** One of these options was chosen; a question of kind `yesNo` has the options `yes` and `no`. */
  answers: z
    .array(z.object({ question: z.string().max(60), options: z.array(z.string().max(60)).max(8) }))
    .max(10),
  /** Took along at least so many contents. */
  contents: z.number().int().min(1).max(100).nullable(),
  /** Came at least so many times. */
  visits: z.number().int().min(1).max(100).nullable(),
});

/** Rules that stand teams set on a device, by partner. */
export const hotRulesSchema = z.record(z.string(), hotRuleSchema);

const shownPersonFields = byField(SHOWN_PERSON_FIELDS, () => z.string().nullable());

/** One line of the list: the person as the team corrected it, the fields of the lead, and what the device counts. */
export const leadLineSchema = leadValuesSchema.extend({
  ...shownPersonFields,
  id,
  /** Null while the badge is unknown. */
  name: z.string().nullable(),
  place: z.string().nullable(),
  /** Last four characters of the badge code, for telling unknown badges apart. */
  badgeTail: z.string(),
  taps: z.number().int(),
  firstAt: z.number(),
  lastAt: z.number(),
  hot: hotSchema,
  /** The beginning of the note, at most 200 characters. */
  note: z.string().nullable(),
  /** How many contents were taken along. */
  contents: z.number().int(),
  /** Whether something was agreed to; null while nothing was answered. */
  agreed: z.boolean().nullable(),
  /** Who of the team met them last. */
  staff: z.string().nullable(),
  unknown: z.boolean(),
  /** The visitor took it back; kept and shown as such. */
  undone: z.boolean(),
  delivery: leadDeliverySchema,
});

/** Where a page begins: after the line that `next` of another page named, or at a place counted from 0. */
export const leadPageFromSchema = z.union([
  z.object({ after: z.string().max(2_000) }),
  z.object({ position: z.number().int().min(0) }),
]);

export const leadPageSchema = z.object({
  leads: z.array(leadLineSchema),
  /** Names the place after the last line; null at the end. */
  next: z.string().nullable(),
  /** All that match: people (leads), their taps that count, their facts. */
  counts: z.object({ people: z.number().int(), taps: z.number().int(), facts: z.number().int() }),
  /** False while the index is being read after a start: lines and counts are of what was read so far, latest first. */
  ready: z.boolean(),
});

const counted = z.object({ value: z.string(), people: z.number().int() });

/** What the list can be narrowed to, with how many people each leaves. */
export const leadFacetsSchema = z.object({
  people: z.number().int(),
  hot: z.number().int(),
  unrated: z.number().int(),
  unknown: z.number().int(),
  undone: z.number().int(),
  undelivered: z.number().int(),
  parked: z.number().int(),
  /** Codes that were refused and nobody has settled; the filter narrows them not. */
  refused: z.number().int(),
  /** Days with visits, latest first. */
  days: z.array(counted),
  labels: z.array(counted),
  consents: z.array(counted),
  contents: z.array(counted),
  staff: z.array(counted),
});

/** Words for ids that stand in leads. */
export const leadWordsSchema = z.object({
  /** Labels of the platform; what a lead has beyond them is its own word. */
  labels: z.array(z.object({ id, name: z.string(), colour: z.string().nullable() })),
  contents: z.array(z.object({ id, name: z.string() })),
  touchpoints: z.array(z.object({ id, name: z.string() })),
  questions: z.array(questionSchema),
  consents: z.array(z.object({ id: z.string(), text: z.record(z.string(), z.string()) })),
});

/** What a field of a person says: as the platform has it, and as the team corrected it. */
export const correctableSchema = z.object({
  original: z.string().nullable(),
  corrected: z.string().nullable(),
});

/** Fields of a person that the team can correct. */
export const correctionSchema = z.object(byField(PERSON_FIELDS, () => name.nullable().optional()));

/** Where one fact is. `elsewhere`: another device of the partner made it, and the platform told it. */
export const factDeliverySchema = z.enum([
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
export const leadEventSchema = z.object({
  /** Names the fact in `undo`. */
  factId: z.string(),
  kind: z.enum(FACT_KINDS),
  at: z.number(),
  touchpoint: z.string().nullable(),
  staff: z.string().nullable(),
  /** Fields it set, as it set them, e.g. `{ "rating": 4 }`; of a consent, what was agreed to. */
  fields: z.record(z.string(), z.unknown()),
  content: z.string().nullable(),
  /** Written down by the team, without a badge: no tap. */
  byHand: z.boolean(),
  /**
   * Of an attachment: the person a badge was attached to, or the lead that was merged with this one. `name` null: nobody
   * knows it; `badgeTail` is of the badge that was attached.
   */
  attached: z
    .object({
      how: z.enum(['attached', 'merged']),
      name: z.string().nullable(),
      badgeTail: z.string(),
    })
    .nullable(),
  undone: z.boolean(),
  /** Whether `undo` can take it back now. */
  undoable: z.boolean(),
  delivery: factDeliverySchema,
  /** Why the platform refused it, in its words. */
  reason: z.string().nullable(),
  /** Name of another laptop of the stand that captured it; null: this one, or nobody knows. */
  device: z.string().nullish(),
});

/** A lead that became part of another. */
export const otherPersonSchema = z.object({
  ...shownPersonFields,
  lead: id,
  name: z.string().nullable(),
  badgeTail: z.string(),
});

/** Everything known of one lead. */
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
  /** The whole note. */
  note: z.string().nullable(),
  consent: z
    .object({
      notice: z.string(),
      language: z.string(),
      agreed: z.record(z.string(), z.boolean()),
      at: z.number(),
    })
    .nullable(),
  answers: z.array(z.object({ question: z.string(), answer: answerSchema, at: z.number() })),
  contentsTaken: z.array(z.object({ content: z.string(), at: z.number() })),
  /** Visits that count, oldest first. */
  visits: z.array(
    z.object({
      at: z.number(),
      touchpoint: z.string().nullable(),
      staff: z.string().nullable(),
      /** The team wrote them down, without a tap. */
      byHand: z.boolean(),
    }),
  ),
  /** Who of the team met or edited them. */
  team: z.array(z.string()),
  /** What other devices of the partner captured of them, as the platform sums it up; null: nothing is known. */
  elsewhere: z
    .object({ first: z.number().nullable(), last: z.number().nullable(), count: z.number().int() })
    .nullable(),
  facts: z.number().int(),
  /** Leads that were made part of this one, each as it would stand alone; only those that say something of a person. */
  others: z.array(otherPersonSchema),
  timeline: z.array(leadEventSchema),
});

/** How an edit ended. `lead` is the lead it belongs to now: two that became one have one id. */
export const editedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), factId: z.string(), lead: id }),
  /** There is no such lead (any more). */
  z.object({ kind: z.literal('unknown') }),
  /** Nothing would change. */
  z.object({ kind: z.literal('same') }),
  /** The disk refuses; nothing was saved. */
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

/** A code that was refused in front of the stand, and is kept to be looked at. */
export const refusedEntrySchema = z.object({
  id,
  at: z.number(),
  source: z.enum(['nfc', 'qr', 'wedge', 'manual']),
  /** What was read, cut at 300 characters. */
  text: z.string(),
  reason: z.string(),
  settled: z.boolean(),
});

/** What a person has to look at. */
export const worklistSchema = z.object({
  /** Leads whose badge names nobody, latest first; at most 500. */
  unknown: z.array(leadLineSchema),
  /** Refused codes that nobody has settled, latest first; at most 500. */
  refused: z.array(refusedEntrySchema),
});

const amount = z.object({ people: z.number().int(), taps: z.number().int() });

/** The leads in numbers. */
export const leadNumbersSchema = z.object({
  people: z.number().int(),
  taps: z.number().int(),
  facts: z.number().int(),
  /** People who are here without a tap of theirs: the team wrote them down. */
  byHand: z.number().int(),
  /** Visits by hour, oldest first; `hour` in 0 to 23 of the event's time zone. Hours without visits are left out. */
  hours: z.array(amount.extend({ day: daySchema, hour: z.number().int() })),
  days: z.array(amount.extend({ day: daySchema })),
  /** People by the team's rating; null: unrated. */
  ratings: z.array(z.object({ rating: z.number().int().nullable(), people: z.number().int() })),
  staff: z.array(amount.extend({ staff: z.string().nullable() })),
  contents: z.array(z.object({ content: z.string(), people: z.number().int() })),
  /** People by how often they came. */
  repeats: z.object({ once: z.number().int(), again: z.number().int() }),
  /** People who answered, by question and option; of a rating of the stand the option is its number. */
  answers: z.array(
    z.object({
      question: z.string(),
      people: z.number().int(),
      options: z.array(z.object({ option: z.string(), people: z.number().int() })),
    }),
  ),
  hot: z.number().int(),
  agreed: z.number().int(),
});

export type LeadFilter = z.infer<typeof leadFilterSchema>;
export type LeadSort = z.infer<typeof leadSortSchema>;
export type HotReason = z.infer<typeof hotReasonSchema>;
export type Hot = z.infer<typeof hotSchema>;
export type HotRule = z.infer<typeof hotRuleSchema>;
export type LeadDelivery = z.infer<typeof leadDeliverySchema>;
export type LeadLine = z.infer<typeof leadLineSchema>;
export type LeadPageFrom = z.infer<typeof leadPageFromSchema>;
export type LeadListPage = z.infer<typeof leadPageSchema>;
export type LeadFacets = z.infer<typeof leadFacetsSchema>;
export type LeadWords = z.infer<typeof leadWordsSchema>;
export type LeadDetail = z.infer<typeof leadDetailSchema>;
export type LeadEvent = z.infer<typeof leadEventSchema>;
export type FactDelivery = z.infer<typeof factDeliverySchema>;
export type Correction = z.infer<typeof correctionSchema>;
export type Edited = z.infer<typeof editedSchema>;
export type RefusedEntry = z.infer<typeof refusedEntrySchema>;
export type Worklist = z.infer<typeof worklistSchema>;
export type LeadNumbers = z.infer<typeof leadNumbersSchema>;
