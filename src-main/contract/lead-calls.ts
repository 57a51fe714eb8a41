/**
 * What the stand team may ask of leads and do to them.
 *
 * Invariants: every call is for staff only; what is kept is on disk when the answer comes.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { leadEditSchema } from './lead-fields.ts';
import {
  correctionSchema,
  editedSchema,
  hotRuleSchema,
  leadDetailSchema,
  leadFacetsSchema,
  leadFilterSchema,
  leadNumbersSchema,
  leadPageFromSchema,
  leadPageSchema,
  leadSortSchema,
  leadWordsSchema,
  worklistSchema,
} from './leads.ts';
import { contactCardSchema, contactSchema, personSchema } from './people.ts';

const lead = z.string().max(200);
const factId = z.string().max(64);

export const leadCalls = {
  /** A number that moves whenever leads, their facts or where those are have changed: ask again what is shown. */
  watch: oc.output(eventIterator(z.object({ version: z.number().int(), ready: z.boolean() }))),
  page: oc
    .input(
      z.object({
        filter: leadFilterSchema.default({}),
        sort: leadSortSchema.default('latest'),
        from: leadPageFromSchema.default({ position: 0 }),
        limit: z.number().int().min(1).max(200).default(100),
      }),
    )
    .output(leadPageSchema),
  /** Counted among what the filter leaves; null where these are too many to count while somebody types. */
  facets: oc.input(z.object({ filter: leadFilterSchema })).output(leadFacetsSchema.nullable()),
  words: oc.output(leadWordsSchema),
  numbers: oc.output(leadNumbersSchema),
  /** One lead; null when there is none of this id for the present partner. */
  one: oc.input(z.object({ lead })).output(leadDetailSchema.nullable()),
  /** The lead of the latest tap that was not taken back, or null. */
  last: oc.output(z.object({ lead: lead.nullable() })),
  /** The latest unrated lead that was here before `after` (or the latest of all), and how many there are. */
  nextUnrated: oc
    .input(z.object({ after: lead.nullable().default(null) }))
    .output(z.object({ lead: lead.nullable(), left: z.number().int() })),
  edit: oc.input(z.object({ lead, change: leadEditSchema })).output(editedSchema),
  /** Corrects fields of the person; null goes back to what the platform has. */
  correct: oc.input(z.object({ lead, change: correctionSchema })).output(editedSchema),
  /** Takes back an edit, correction, attachment, merge or addition, whenever it was made. */
  undo: oc.input(z.object({ factId })).output(editedSchema),
  /** People of the event by name, company or e-mail; at most 20. */
  persons: oc.input(z.object({ search: z.string().max(200) })).output(z.array(personSchema)),
  /** This badge is that person's. */
  attach: oc.input(z.object({ lead, visitor: lead })).output(editedSchema),
  /** Two leads are one person: `lead` becomes part of `into`. */
  merge: oc.input(z.object({ lead, into: lead })).output(editedSchema),
  /** Somebody without a badge, with a first note. */
  add: oc
    .input(z.object({ contact: contactSchema, note: z.string().max(200_000).nullable() }))
    .output(editedSchema),
  /** A vCard or MECARD as text, read; null when it is neither or says nothing of a person. */
  readContact: oc.input(z.object({ text: z.string().max(20_000) })).output(contactCardSchema.nullable()),
  worklist: oc.output(worklistSchema),
  /** Somebody looked at a refused code (or did not: `settled` false). */
  settle: oc.input(z.object({ id: lead, settled: z.boolean() })).output(z.object({ kept: z.boolean() })),
  /** The rule by which a lead is hot, and whether the stand team changed it here. */
  hotRule: oc.output(z.object({ rule: hotRuleSchema, changed: z.boolean() })),
  /** Changes the rule on this device; null goes back to `stand.json`. */
  changeHotRule: oc
    .input(z.object({ rule: hotRuleSchema.nullable() }))
    .output(z.object({ kept: z.boolean() })),
};
