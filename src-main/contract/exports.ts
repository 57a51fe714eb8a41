/**
 * Leads handed over: exports, and what they are told of while they run.
 *
 * Invariants: every call is for staff only; only leads of the present partner (docs/laws.md#law-14); places are named by
 * ids, never by paths; nothing of a file is told before it is whole; times in epoch milliseconds, sizes in bytes.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { leadFilterSchema } from './leads.ts';

/**
 * What is made. `sheet-*`: for people. `salesforce`, `hubspot`: for the import of that CRM. `vcf`: cards for an address book.
 * `jsonl`: the facts, for another Touchpoint. `follow-up`: drafts of letters to the hot ones who agreed to e-mail.
 */
export const exportKindSchema = z.enum([
  'sheet-csv',
  'sheet-xlsx',
  'salesforce',
  'hubspot',
  'vcf',
  'jsonl',
  'follow-up',
]);

/** A folder of this machine that files can be put into. `free` is null where nobody knows. */
export const exportPlaceSchema = z.object({
  id: z.string().max(200),
  kind: z.enum(['stick', 'downloads', 'documents', 'desktop']),
  /** Name of the stick; for a folder, the name it has on this machine. */
  name: z.string(),
  free: z.number().nullable(),
});

/**
 * Why a file cannot lie where it should. `exists`: something of that name is there. `link`: it is a link. `dataFolder`: Touchpoint's
 * own folder. `name`: some system cannot open it. `gone`: the stick was pulled. `tooMany`: more rows than the receiver takes.
 * `sealed`: leads of another partner, which the technician alone may hand over.
 */
export const exportRefusalSchema = z.enum([
  'exists',
  'link',
  'dataFolder',
  'name',
  'noFolder',
  'readOnly',
  'full',
  'gone',
  'failing',
  'noJournal',
  'tooMany',
  'sealed',
]);

/** The receipt that lies beside the file, as `NAME.receipt.json`, with its fields in the order they have there. */
export const exportReceiptSchema = z.object({
  file: z.string(),
  profile: z.string(),
  event: z.string(),
  partner: z.string(),
  /** What narrowed it; null: everything. */
  filter: z.string().nullable(),
  /** ISO 8601. */
  exportedAt: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  chainHead: z.string(),
  /** Rows, cards, letters or facts in it. */
  count: z.number().int(),
  withoutEmail: z.number().int(),
  withoutCompany: z.number().int(),
  /** Leads that became part of another row, because they share its e-mail address. */
  merged: z.number().int(),
  /** Left out: nobody knows who it was; the visitor took it back. */
  unknown: z.number().int(),
  takenBack: z.number().int(),
  /** Texts cut because the receiver takes no more. */
  cut: z.number().int(),
  /** Values left out because the receiver refuses them; the description of the row holds them. */
  leftOut: z.number().int(),
});

/** How an export ended. */
export const exportResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), receipt: exportReceiptSchema }),
  /** Nothing matched; no file was made. `why`: what no lead had that a letter needs; null for other files. */
  z.object({
    kind: z.literal('nothing'),
    why: z.enum(['nobodyHot', 'noAddress', 'nobodyAgreed']).nullable(),
  }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('refused'), reason: exportRefusalSchema }),
  /** A fault of the app; it stands in the log. */
  z.object({ kind: z.literal('failed') }),
]);

/** An export as it stands; `done` and `of` count leads. */
export const exportJobSchema = z.object({
  id: z.string(),
  done: z.number().int(),
  of: z.number().int(),
  /** Milliseconds to go; null while nobody can tell. */
  left: z.number().nullable(),
  /** Null while it runs. */
  result: exportResultSchema.nullable(),
  /** The name under which `download` gives it; null when there is nothing to fetch. */
  download: z.string().nullable(),
});

const jobId = z.string().max(100);

/** A partner whose leads lie sealed on this device; empty for leads that are nobody's. */
export const sealedPartnerSchema = z.string().max(200);

export const exportCalls = {
  /** Sticks first, then folders; asked anew each time, because sticks come and go. */
  places: oc.output(z.array(exportPlaceSchema)),
  /**
   * Begins an export of the leads that `filter` leaves (`{}`: all; `{ ids }`: those selected). `place` null: for `download`.
   * `name`: what the file is to be called, without its ending; null: by stand and time. `oneEach`: cards one a file, in a
   * folder, in a ZIP for `download`; letters always are. `busy`: another one runs.
   */
  start: oc
    .input(
      z.object({
        kind: exportKindSchema,
        filter: leadFilterSchema.default({}),
        place: z.string().max(200).nullable(),
        name: z.string().min(1).max(150).nullable().default(null),
        language: z.string().max(35),
        /** Of a CSV sheet; null: what Excel expects in this language. */
        separator: z.enum([',', ';']).nullable().default(null),
        oneEach: z.boolean().default(false),
        /** Whose leads, where they are another partner's that lie sealed here (`''`: nobody's); the technician's alone. */
        of: sealedPartnerSchema.optional(),
      }),
    )
    .output(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('started'), job: exportJobSchema }),
        z.object({ kind: z.literal('busy') }),
        z.object({ kind: z.literal('refused'), reason: exportRefusalSchema }),
      ]),
    ),
  /** An export now and after every change, until it ended; nothing for one that is not known. */
  watch: oc.input(z.object({ id: jobId })).output(eventIterator(exportJobSchema)),
  cancel: oc.input(z.object({ id: jobId })).output(z.object({ done: z.boolean() })),
  /** The file piece by piece, in base64; once. Nothing when there is none. */
  download: oc.input(z.object({ id: jobId })).output(eventIterator(z.object({ bytes: z.string() }))),
};

export type ExportPlace = z.infer<typeof exportPlaceSchema>;
export type ExportRefusal = z.infer<typeof exportRefusalSchema>;
export type ExportReceipt = z.infer<typeof exportReceiptSchema>;
export type ExportResult = z.infer<typeof exportResultSchema>;
export type ExportJobState = z.infer<typeof exportJobSchema>;
export type ExportKind = z.infer<typeof exportKindSchema>;
