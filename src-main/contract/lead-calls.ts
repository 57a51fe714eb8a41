/**
 * The stand team's queries and edits of leads.
 *
 * Invariants:
 * - Every call is for staff only.
 * - An edit is on disk before its answer is sent.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { attachmentCalls } from './attachments.ts';
import { leadEditSchema } from './lead-fields.ts';
import {
  companiesMergedSchema,
  companySchema,
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
  targetSchema,
  worklistSchema,
} from './leads.ts';
import { contactCardSchema, contactSchema, personSchema } from './people.ts';
import { recognitionCalls } from './recognition.ts';

const lead = z.string().max(200);
const factId = z.string().max(64);

export const leadCalls = {
  /**
   * A number that changes with the leads, their facts or their delivery. A page repeats its queries after a
   * change.
   */
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
  /** Counts among the leads of the filter. Null if there are too many to count while the user types. */
  facets: oc.input(z.object({ filter: leadFilterSchema })).output(leadFacetsSchema.nullable()),
  words: oc.output(leadWordsSchema),
  numbers: oc.output(leadNumbersSchema),
  /** One lead. Null when the current partner has none with this id. */
  one: oc.input(z.object({ lead })).output(leadDetailSchema.nullable()),
  /** The lead of the latest tap that was not undone, or null. */
  last: oc.output(z.object({ lead: lead.nullable() })),
  /**
   * The next unrated lead after the lead `after`, latest visit first. If none follows, the latest unrated lead. `left`:
   * how many leads are unrated.
   */
  nextUnrated: oc
    .input(z.object({ after: lead.nullable().default(null) }))
    .output(z.object({ lead: lead.nullable(), left: z.number().int() })),
  edit: oc.input(z.object({ lead, change: leadEditSchema })).output(editedSchema),
  /** Corrects fields of the person. Null restores the platform's value. */
  correct: oc.input(z.object({ lead, change: correctionSchema })).output(editedSchema),
  /** Companies with the most people first. `search`: part of a name. */
  companies: oc
    .input(
      z.object({
        search: z.string().max(200).default(''),
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(100).default(50),
      }),
    )
    .output(z.object({ companies: z.array(companySchema), total: z.number().int() })),
  /** The company of a lead with all its people. Null if it has none. */
  company: oc.input(z.object({ lead })).output(companySchema.nullable()),
  /** Puts all people of these companies under the company name `into`, with one fact per person. */
  mergeCompanies: oc
    .input(
      z.object({ companies: z.array(z.string().max(200)).min(1).max(20), into: z.string().min(1).max(200) }),
    )
    .output(companiesMergedSchema),
  /** Undoes an edit, correction, attachment, merge or addition of any age. */
  undo: oc.input(z.object({ factId })).output(editedSchema),
  /** People of the event by name, company or e-mail, at most 20. */
  persons: oc.input(z.object({ search: z.string().max(200) })).output(z.array(personSchema)),
  /** Assigns the badge of the lead to the person `visitor`. */
  attach: oc.input(z.object({ lead, visitor: lead })).output(editedSchema),
  /** Merges two leads of one person: `lead` becomes part of `into`. */
  merge: oc.input(z.object({ lead, into: lead })).output(editedSchema),
  /** Adds a person without a badge, with a first note. */
  add: oc
    .input(z.object({ contact: contactSchema, note: z.string().max(200_000).nullable() }))
    .output(editedSchema),
  /** Reads a vCard or MECARD. Null if it is neither, or if it contains no person. */
  readContact: oc.input(z.object({ text: z.string().max(20_000) })).output(contactCardSchema.nullable()),
  attachments: attachmentCalls,
  recognition: recognitionCalls,
  /** Adds a visit of a person of the event whose badge could not be tapped. */
  addVisitor: oc.input(z.object({ visitor: lead })).output(editedSchema),
  worklist: oc.output(worklistSchema),
  /** Marks a refused code as settled, or as open again (`settled` false). */
  settle: oc.input(z.object({ id: lead, settled: z.boolean() })).output(z.object({ kept: z.boolean() })),
  /** Sets the team's daily target (people to meet) on this device. Null removes it. */
  changeTarget: oc
    .input(z.object({ target: targetSchema.nullable() }))
    .output(z.object({ kept: z.boolean() })),
  /** The rule for hot leads, and whether the stand team changed it on this device. */
  hotRule: oc.output(z.object({ rule: hotRuleSchema, changed: z.boolean() })),
  /** Changes the rule on this device. Null restores the rule of `stand.json`. */
  changeHotRule: oc
    .input(z.object({ rule: hotRuleSchema.nullable() }))
    .output(z.object({ kept: z.boolean() })),
};
