/**
 * The settings of a stand: `stand.json` (docs/stand-settings.md).
 *
 * Invariants:
 * - Every setting may be left out. An unknown name is a fault.
 * - The visitor is asked for consents only if there is a notice that states their purpose.
 */
import { z } from 'zod';
import { LETTER_PLACES } from '../../../contract/letter-places.ts';
import {
  consentPurposeSchema,
  formQuestionSchema,
  noticeSchema,
  noticeTextSchema,
  questionSchema,
  textsSchema,
} from '../../../contract/stand.ts';
import { UNDO_MS } from '../../foundations/time/windows.ts';
import { faultOf, group, languageFault, wordsOf } from './settings-errors.ts';

/** Values by language: at least one, with valid language codes. */
function byLanguage<Value extends z.core.$ZodType>(value: Value) {
  return z
    .record(
      z.string().refine((code) => languageFault(code) === null),
      value,
    )
    .refine((texts) => Object.keys(texts).length > 0, 'it has no text in any language');
}

const someTexts = byLanguage(textsSchema.valueType);
const address = z.url({ protocol: /^https?$/ }).max(2_000);

/** A list of entries with unique ids. */
function distinct<Entry extends z.ZodType<{ readonly id: string }>>(entry: Entry, most: number) {
  return z
    .array(entry)
    .max(most)
    .superRefine((entries, context) => {
      const ids = entries.map(({ id }) => id);
      for (const [index, id] of ids.entries()) {
        const first = ids.indexOf(id);
        if (first === index) continue;
        const message = `${JSON.stringify(id)} is the id of number ${first + 1} already; each needs its own`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
    })
    .default([]);
}

/** A count: a whole number. */
function whole(least: number, most: number) {
  const error = `it must be a whole number from ${least} to ${most}`;
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

const id = questionSchema.shape.id.min(1);

/** A text in a letter. Unknown names in braces are faults, because they would appear in the letter. */
function letterText(most: number) {
  const known: readonly string[] = LETTER_PLACES;
  return z
    .string()
    .max(most)
    .superRefine((text, context) => {
      for (const [place, name = ''] of text.matchAll(/\{([^{}]*)\}/gu)) {
        if (known.includes(name)) continue;
        const message = `there is no ${place}; there are ${known.map((one) => `{${one}}`).join(', ')}`;
        context.addIssue({ code: 'custom', message });
      }
    });
}

const MOST_OPTIONS = 8;

const question = group({
  id,
  kind: questionSchema.shape.kind,
  text: someTexts,
  options: distinct(group({ id, text: someTexts }), MOST_OPTIONS),
}).superRefine(optionsFit);

/** A question of the form that the team fills in. */
const formQuestion = group({
  id,
  kind: formQuestionSchema.shape.kind,
  text: someTexts,
  options: distinct(group({ id, text: someTexts }), MOST_OPTIONS),
  required: z.boolean().default(false),
  purposes: z
    .array(formQuestionSchema.shape.purposes.element)
    .max(3)
    .default([...formQuestionSchema.shape.purposes.element.options]),
}).superRefine(optionsFit);

function optionsFit(
  { kind, options }: { readonly kind: string; readonly options: readonly unknown[] },
  context: z.RefinementCtx,
): void {
  const needsOptions = kind === 'choice' || kind === 'several';
  if (needsOptions ? options.length > 1 : options.length === 0) return;
  const message = needsOptions
    ? `a question of kind "${kind}" needs 2 to ${MOST_OPTIONS} options, and has ${options.length}`
    : `a question of kind "${kind}" has no options; only those of kind "choice" and "several" have`;
  context.addIssue({ code: 'custom', path: ['options'], message });
}

/** The schema of `stand.json`. */
export const standSettingsSchema = group({
  /** Touchpoint of this device. Null: staff choose it, or in the demo event it is the first lead touchpoint. */
  touchpoint: z.string().min(1).max(200).nullable().default(null),
  /** The headline of the idle screen in the exhibitor's words, in any language. Null means the default. */
  headline: byLanguage(z.string().max(80)).nullable().default(null),
  notice: group({
    version: noticeSchema.shape.version.min(1),
    link: address.nullable().default(null),
    texts: byLanguage(group(noticeTextSchema.shape)),
  })
    .nullable()
    .default(null),
  consents: distinct(
    group({
      id: consentPurposeSchema.shape.id.min(1),
      text: someTexts,
      channel: consentPurposeSchema.shape.channel,
    }),
    5,
  ),
  questions: distinct(question, 3),
  /** The team's own questions about a lead, which no visitor sees. */
  form: distinct(formQuestion, 12),
  brand: group({
    colour: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'it must look like "#1f4bd8": # and six of 0 to 9 and a to f')
      .nullable()
      .default(null),
    /** Address, or file beside `stand.json`. */
    logo: z.string().min(1).max(2_000).nullable().default(null),
  }).prefault({}),
  /** Folder of pictures and films for the attract loop, beside `stand.json`. */
  attract: z.string().min(1).max(2_000).nullable().default(null),
  screen: group({
    reach: z.enum(['usual', 'low']).default('usual'),
    contrast: z.enum(['usual', 'high']).default('usual'),
    text: z.enum(['usual', 'large']).default('usual'),
    camera: z.boolean().default(false),
  }).prefault({}),
  /** The stand's own letters to hot leads. Default: the built-in text. */
  letter: group({
    subject: byLanguage(letterText(200)).nullable().default(null),
    text: byLanguage(letterText(5_000)).nullable().default(null),
    /** The signatures, by the name of a member of the team. */
    signatures: z
      .array(group({ name: z.string().trim().min(1).max(200), text: z.string().max(1_000) }))
      .max(50)
      .default([]),
  }).prefault({}),
  /** When a lead is hot. The stand team can change it on the device. */
  hot: group({
    rating: whole(1, 5).default(4),
    answers: z
      .array(
        group({
          question: id,
          options: z.array(id).max(MOST_OPTIONS).default([]),
          /** For a number or a scale of the form. */
          atLeast: z.number().optional(),
        }).refine(({ options, atLeast }) => options.length > 0 || atLeast !== undefined, {
          path: ['options'],
          message: 'it names no option; a number or a scale of the form needs "atLeast"',
        }),
      )
      .max(20)
      .default([]),
    contents: whole(1, 100).nullable().default(3),
    visits: whole(1, 100).nullable().default(3),
  }).prefault({}),
  /** Number of days for which this device keeps a lead after its last fact. Null means until staff erase it. */
  retentionDays: whole(1, 3_650).nullable().default(null),
  /** Time during which an undo is offered, in seconds. */
  undoSeconds: whole(5, 60).default(UNDO_MS / 1_000),
  /** At a check-in the visit ends with the welcome, unless the organiser also wants consents and questions. */
  door: group({
    asks: z.boolean().default(false),
    /** The text of the notice at a check-in that asks nothing. Default: the normal notice. */
    notice: byLanguage(group(noticeTextSchema.shape)).optional(),
  }).prefault({}),
  /** Whether the public screen shows a visitor's company beside the name. */
  showCompany: z.boolean().default(false),
  /** Whether a visitor may ask for the confirmation e-mail again. */
  email: z.boolean().default(false),
})
  .refine(({ notice, consents }) => notice !== null || consents.length === 0, {
    path: ['notice'],
    message: 'it is missing; consents need a notice that says who gets the data and why',
  })
  .superRefine(({ questions, form }, context) => {
    for (const [index, { id: one }] of form.entries()) {
      const asked = questions.findIndex((question) => question.id === one);
      if (asked < 0) continue;
      const message = `${JSON.stringify(one)} is the id of question ${asked + 1} for visitors already; each needs its own`;
      context.addIssue({ code: 'custom', path: ['form', index, 'id'], message });
    }
  });

/** The settings of a stand with all defaults filled in. */
export type StandSettings = z.infer<typeof standSettingsSchema>;

/** The settings of an empty `stand.json`. */
export function plainSettings(): StandSettings {
  return standSettingsSchema.parse({});
}

/** Reads settings from any value. Returns them, or all faults as text: the place, the fault, and what is allowed. */
export function readSettings(
  value: unknown,
):
  | { readonly kind: 'settings'; readonly settings: StandSettings }
  | { readonly kind: 'faults'; readonly faults: readonly string[] } {
  const parsed = standSettingsSchema.safeParse(value, { error: wordsOf });
  if (parsed.success) return { kind: 'settings', settings: parsed.data };
  return { kind: 'faults', faults: parsed.error.issues.map(faultOf) };
}
