/**
 * Forgetting: one person who asks for it, and everybody at the end of the fair.
 *
 * Invariants: every call is for staff only; only leads of the present partner; a protocol says what was done and never
 * whom it was about; times in epoch milliseconds.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { sealedPartnerSchema } from './exports.ts';

const lead = z.string().max(200);

/** What is held of somebody, before it is erased. */
export const forgetPreviewSchema = z.object({
  lead,
  name: z.string().nullable(),
  company: z.string().nullable(),
  /** Facts by kind, e.g. `{ "tap": 2, "consent": 1 }`. */
  facts: z.record(z.string(), z.number().int()),
  /** Facts the platform has, and facts it would never get to know. */
  delivered: z.number().int(),
  undelivered: z.number().int(),
  /** Copies on this machine that hold them, too. */
  copies: z.number().int(),
  /** Whether the event's own register names them; what stands there is the event's to erase. */
  registered: z.boolean(),
});

/** One place that held personal data, and what became of it. `left`: it could not be reached; `why` says what to do. */
export const erasedPlaceSchema = z.object({
  /** Name of a file or folder in the data folder. */
  place: z.string(),
  state: z.enum(['erased', 'nothing', 'removed', 'left']),
  why: z.enum(['open-quarantine', 'unreadable']).nullable(),
});

/** The protocol of an erasure; it holds nobody's name. */
export const erasureProtocolSchema = z.object({
  /** Names this erasure on paper. */
  id: z.string(),
  kind: z.enum(['person', 'fair']),
  at: z.number(),
  event: z.string(),
  partner: z.string(),
  /** Member of staff, or null. */
  by: z.string().nullable(),
  people: z.number().int(),
  facts: z.number().int(),
  /** Facts that had not reached the platform and never will. */
  undelivered: z.number().int(),
  places: z.array(erasedPlaceSchema),
  /** Whether the platform is asked to forget what this partner told of the person, too. */
  platformAsked: z.boolean(),
  /** `told`: the hub and the other laptops of the stand are told; `heard`: another laptop was asked. */
  team: z.enum(['told', 'heard']).optional(),
  /** Hash of the last fact of the chain, which stays whole. */
  chainHead: z.string(),
});

export const erasedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('erased'), protocol: erasureProtocolSchema }),
  z.object({ kind: z.literal('unknown') }),
  /** Something has not reached the platform; `force` is for the technician. */
  z.object({ kind: z.literal('pending'), undelivered: z.number().int() }),
  /** Leads of another partner, of which there is no export that holds them all. */
  z.object({ kind: z.literal('notExported') }),
  /** The technician alone may do this. */
  z.object({ kind: z.literal('technician') }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

/** Whether everything is done before a device is emptied. */
export const fairCheckSchema = z.object({
  people: z.number().int(),
  facts: z.number().int(),
  undelivered: z.number().int(),
  parked: z.number().int(),
  /** The last export of all facts of this partner that was made here, if it holds all there is now. */
  exportedAll: z.object({ at: z.number(), file: z.string() }).nullable(),
  /** When the data is to be erased at the latest by `retentionDays` of `stand.json`; null: not set. */
  eraseBy: z.number().nullable(),
});

export const erasureCalls = {
  /** What is held of the person of a lead; null when there is no such lead. */
  preview: oc.input(z.object({ lead })).output(forgetPreviewSchema.nullable()),
  /** Erases a person here and in the copies, and asks the platform to. */
  forget: oc.input(z.object({ lead })).output(erasedSchema),
  /** `of`: for leads of another partner that lie sealed here. */
  check: oc.input(z.object({ of: sealedPartnerSchema.optional() }).default({})).output(fairCheckSchema),
  /**
   * Erases everybody of this partner, or (`of`, the technician alone) of another one whose leads lie sealed here and were
   * exported. Refused while something is undelivered, unless `force` is said.
   */
  wipe: oc
    .input(z.object({ force: z.boolean().default(false), of: sealedPartnerSchema.optional() }))
    .output(erasedSchema),
  /** Leads of another partner stay sealed here: not asked again. */
  keepSealed: oc.input(z.object({ of: sealedPartnerSchema })).output(z.object({ kept: z.boolean() })),
  /** Protocols of this device, latest first; at most 100. */
  protocols: oc.output(z.array(erasureProtocolSchema)),
};

export type ForgetPreview = z.infer<typeof forgetPreviewSchema>;
export type ErasureProtocol = z.infer<typeof erasureProtocolSchema>;
export type ErasedPlace = z.infer<typeof erasedPlaceSchema>;
export type Erased = z.infer<typeof erasedSchema>;
export type FairCheck = z.infer<typeof fairCheckSchema>;
