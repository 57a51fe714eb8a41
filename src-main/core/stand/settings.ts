/**
 * The settings of a stand: `stand.json` (docs/stand-settings.md), as whoever sets it up writes it.
 *
 * Invariants: everything may be left out; what is there is exactly what is meant, so an unknown name is a fault;
 * consents are asked for only where a notice says what for.
 */
import { z } from 'zod';
import { consentPurposeSchema, noticeSchema, questionSchema, textsSchema } from '../../contract/stand.ts';

const someTexts = textsSchema.refine((texts) => Object.keys(texts).length > 0, 'it has no text');
const address = z.url({ protocol: /^https?$/ }).max(2_000);

const optionSchema = z.strictObject({ id: z.string().min(1).max(60), text: someTexts });

const question = z
  .strictObject({
    id: z.string().min(1).max(60),
    kind: questionSchema.shape.kind,
    text: someTexts,
    options: z.array(optionSchema).max(8).default([]),
  })
  .superRefine(({ kind, options }, context) => {
    const needsOptions = kind === 'choice' || kind === 'several';
    if (needsOptions === options.length > 1) return;
    if (!needsOptions && options.length === 0) return;
    const message = needsOptions
      ? 'it needs two options or more'
      : `a question of kind ${kind} has no options`;
    context.addIssue({ code: 'custom', path: ['options'], message });
  })
  .refine(({ options }) => areDifferent(options), { path: ['options'], message: 'two have the same id' });

const areDifferent = (entries: readonly { readonly id: string }[]): boolean =>
  new Set(entries.map(({ id }) => id)).size === entries.length;

/** The schema of `stand.json`. */
export const standSettingsSchema = z
  .strictObject({
    /** Which touchpoint this device is; null: the first lead touchpoint of the event. */
    touchpoint: z.string().min(1).max(200).nullable().default(null),
    notice: z
      .strictObject({
        version: z.string().min(1).max(100),
        link: address.nullable().default(null),
        texts: noticeSchema.shape.texts.refine((texts) => Object.keys(texts).length > 0, 'it has no text'),
      })
      .nullable()
      .default(null),
    consents: z
      .array(z.strictObject({ id: consentPurposeSchema.shape.id.min(1), text: someTexts }))
      .max(5)
      .refine(areDifferent, 'two have the same id')
      .default([]),
    questions: z.array(question).max(3).refine(areDifferent, 'two have the same id').default([]),
    brand: z
      .strictObject({
        colour: z
          .string()
          .regex(/^#[0-9a-fA-F]{6}$/, 'it must look like #rrggbb')
          .nullable()
          .default(null),
        /** Address, or file beside `stand.json`. */
        logo: z.string().min(1).max(2_000).nullable().default(null),
      })
      .prefault({}),
    /** Folder of pictures and films for the attract loop, beside `stand.json`. */
    attract: z.string().min(1).max(2_000).nullable().default(null),
    screen: z
      .strictObject({
        reach: z.enum(['usual', 'low']).default('usual'),
        contrast: z.enum(['usual', 'high']).default('usual'),
        text: z.enum(['usual', 'large']).default('usual'),
        camera: z.boolean().default(false),
      })
      .prefault({}),
    /** Whether the public screen shows a visitor's company beside the name. */
    showCompany: z.boolean().default(false),
    /** Whether a visitor may ask for the confirmation e-mail again. */
    email: z.boolean().default(false),
  })
  .refine(({ notice, consents }) => notice !== null || consents.length === 0, {
    path: ['notice'],
    message: 'consents need a notice that says what for',
  });

/** The settings of a stand, complete. */
export type StandSettings = z.infer<typeof standSettingsSchema>;

/** The settings of a stand that says nothing. */
export const plainSettings = (): StandSettings => standSettingsSchema.parse({});

/** Settings from any value, or the first fault in words: the name of the field, and what is wrong with it. */
export const readSettings = (
  value: unknown,
):
  | { readonly kind: 'settings'; readonly settings: StandSettings }
  | { readonly kind: 'fault'; readonly fault: string } => {
  const parsed = standSettingsSchema.safeParse(value);
  if (parsed.success) return { kind: 'settings', settings: parsed.data };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  if (issue?.code === 'unrecognized_keys') {
    return { kind: 'fault', fault: `there is no setting ${[...path, issue.keys[0]].join('.')}` };
  }
  return {
    kind: 'fault',
    fault: `${path.join('.') || 'its content'} is not as expected (${issue?.message ?? ''})`,
  };
};
