/**
 * Exports of leads, and their progress.
 *
 * Invariants:
 * - Every call is for staff only. Only the technician can export leads of another partner (docs/laws.md#law-14).
 * - Targets are named by ids, never by paths.
 * - A file is not visible before it is complete.
 * - Times are Unix milliseconds, sizes are bytes.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { leadFilterSchema } from './leads.ts';

/**
 * The format. `sheet-*`: for people. `salesforce`, `hubspot`: for the import of that CRM. `vcf`: cards for an address
 * book. `ics`: the next steps as a calendar. `jsonl`: the facts, for another Touchpoint. `follow-up`: drafts of
 * letters to hot leads who agreed to e-mail. `proof`: the signed proof of the count, without personal data.
 */
const exportKindSchema = z.enum([
  'sheet-csv',
  'sheet-xlsx',
  'salesforce',
  'hubspot',
  'vcf',
  'ics',
  'jsonl',
  'follow-up',
  'proof',
]);

/** A folder of this machine for files. `free` is null if unknown. */
const exportPlaceSchema = z.object({
  id: z.string().max(200),
  kind: z.enum(['stick', 'downloads', 'documents', 'desktop']),
  /** Name of the USB stick, or of the folder on this machine. */
  name: z.string(),
  free: z.number().nullable(),
});

/**
 * Why a file cannot be written to its target. `exists`: the name is taken. `link`: it is a link. `dataFolder`:
 * Touchpoint's own folder. `name`: some operating systems cannot open a file with this name. `gone`: the USB stick
 * was removed. `tooMany`: more rows than the receiver accepts. `sealed`: leads of another partner, which only the
 * technician may export. `noKey`: this device has no key to sign with. `broken`: the journal's chain does not hold,
 * so nothing is proven.
 */
const exportRefusalSchema = z.enum([
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
  'noKey',
  'broken',
]);

/** `publicKey`: SPKI in DER. `value`: r and s, 32 bytes each. Both in base64. */
const signatureSchema = z.object({
  algorithm: z.literal('ECDSA P-256 SHA-256'),
  publicKey: z.string().max(200),
  fingerprint: z.string().max(60),
  value: z.string().max(200),
});

/** What a hub signs: that it received this hash from this device, at this time by its clock. */
export const countersignatureSchema = z.object({
  format: z.literal('touchpoint-countersignature-1'),
  hub: z.string().max(80),
  /** The device's id at the hub. */
  device: z.string().max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601. */
  at: z.string().max(40),
  /** Signature over the compact JSON of all fields before it. */
  signature: signatureSchema,
});

export type Signature = z.infer<typeof signatureSchema>;
export type Countersignature = z.infer<typeof countersignatureSchema>;

/** The receipt beside the file, `NAME.receipt.json`, with its fields in the same order. */
const exportReceiptSchema = z.object({
  format: z.literal('touchpoint-receipt-2'),
  file: z.string(),
  profile: z.string(),
  event: z.string(),
  partner: z.string(),
  /** The filter. Null means everything. */
  filter: z.string().nullable(),
  /** ISO 8601. */
  exportedAt: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  chainHead: z.string(),
  /** Rows, cards, letters or facts in the file. */
  count: z.number().int(),
  withoutEmail: z.number().int(),
  withoutCompany: z.number().int(),
  /** Leads merged into another row with the same e-mail address. */
  merged: z.number().int(),
  /** Left out, because the visitor is unknown or undid the tap. */
  unknown: z.number().int(),
  takenBack: z.number().int(),
  /** Texts cut because the receiver takes no more. */
  cut: z.number().int(),
  /** Values left out because the receiver refuses them. The description of their row has them. */
  leftOut: z.number().int(),
  /** Photos and voice notes beside the sheet, and those that are not on this device or damaged. */
  files: z.number().int(),
  filesMissing: z.number().int(),
  /** Who signed, in words. */
  signedBy: z.string(),
  /** Signature of the device over the compact JSON of all fields before it. Null if the data folder has no key. */
  signature: signatureSchema.nullable(),
  /** Signature of the hub over the hash of all fields before it. Absent if the hub did not sign. */
  countersignature: countersignatureSchema.optional(),
});

/** Result of an export. */
const exportResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), receipt: exportReceiptSchema }),
  /** No lead matched, and no file was made. `why`: which condition for a letter no lead met. Null for other files. */
  z.object({
    kind: z.literal('nothing'),
    why: z.enum(['nobodyHot', 'noAddress', 'nobodyAgreed']).nullable(),
  }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('refused'), reason: exportRefusalSchema }),
  /** An error of the app, which is in the log. */
  z.object({ kind: z.literal('failed') }),
]);

/** State of an export. `done` and `of` count leads. */
const exportJobSchema = z.object({
  id: z.string(),
  done: z.number().int(),
  of: z.number().int(),
  /** Milliseconds left. Null while unknown. */
  left: z.number().nullable(),
  /** Null while it runs. */
  result: exportResultSchema.nullable(),
  /** File name for `download`. Null when there is no file to download. */
  download: z.string().nullable(),
});

/** A preview of a letter. `by`: the member of staff who signs. Null means the stand. */
const letterSchema = z.object({
  to: z.string(),
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  by: z.string().nullable(),
  /** BCP 47. */
  language: z.string(),
  /** Whether the letter has a calendar file with the appointment. */
  appointment: z.boolean(),
});

const jobId = z.string().max(100);

/** A partner with sealed leads on this device. Empty for leads without a partner. */
export const sealedPartnerSchema = z.string().max(200);

export const exportCalls = {
  /** Sticks first, then folders. They are read at every call, because sticks come and go. */
  places: oc.output(z.array(exportPlaceSchema)),
  /** Fingerprint of the key that signs receipts and proofs. Null if the disk refuses to keep a key. */
  signer: oc.output(
    z.object({
      fingerprint: z.string().nullable(),
      /** The hub of this device, which also signs. Null without such a hub. */
      hub: z.object({ name: z.string(), fingerprint: z.string() }).nullable(),
    }),
  ),
  /**
   * Starts an export of the leads that match `filter` (`{}`: all; `{ ids }`: a selection). Without a `place` it is for
   * `download`. `name`: file name without extension; null means partner and day. `oneEach`: one card per file in a
   * folder, or in a ZIP for `download`. Letters are always one per file. `busy`: another export runs.
   */
  start: oc
    .input(
      z.object({
        kind: exportKindSchema,
        filter: leadFilterSchema.default({}),
        place: z.string().max(200).nullable(),
        name: z.string().min(1).max(150).nullable().default(null),
        language: z.string().max(35),
        /** Separator of a CSV sheet. Null means the one that Excel expects in this language. */
        separator: z.enum([',', ';']).nullable().default(null),
        oneEach: z.boolean().default(false),
        /** With the photos and voice notes of the leads: a folder of files, or a ZIP for `download`. */
        withFiles: z.boolean().default(false),
        /** Another partner with sealed leads (`''`: without a partner). For the technician only. */
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
  /** The state of an export now and after every change, until it ends. An unknown export gives nothing. */
  watch: oc.input(z.object({ id: jobId })).output(eventIterator(exportJobSchema)),
  /** The first letters that `follow-up` would write now, and how many. `why`: as for an export without letters. */
  letters: oc.input(z.object({ filter: leadFilterSchema.default({}), language: z.string().max(35) })).output(
    z.object({
      letters: z.array(letterSchema).max(20),
      count: z.number().int(),
      why: z.enum(['nobodyHot', 'noAddress', 'nobodyAgreed']).nullable(),
    }),
  ),
  cancel: oc.input(z.object({ id: jobId })).output(z.object({ done: z.boolean() })),
  /** The file in base64 pieces, only once. Empty if there is none. */
  download: oc.input(z.object({ id: jobId })).output(eventIterator(z.object({ bytes: z.string() }))),
};

export type ExportPlace = z.infer<typeof exportPlaceSchema>;
export type ExportRefusal = z.infer<typeof exportRefusalSchema>;
export type ExportReceipt = z.infer<typeof exportReceiptSchema>;
export type ExportResult = z.infer<typeof exportResultSchema>;
export type ExportJobState = z.infer<typeof exportJobSchema>;
export type Letter = z.infer<typeof letterSchema>;
export type ExportKind = z.infer<typeof exportKindSchema>;
