/**
 * Erasure: one person on request, and everybody at the end of the fair.
 *
 * Invariants:
 * - Every call is for staff only. Only the technician can erase leads of another partner.
 * - A protocol records each step of the erasure and never the person.
 * - Times are Unix milliseconds.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { sealedPartnerSchema } from './exports.ts';

const lead = z.string().max(200);

/** The data about a person before the erasure. */
const forgetPreviewSchema = z.object({
  lead,
  name: z.string().nullable(),
  company: z.string().nullable(),
  /** Facts by kind, e.g. `{ "tap": 2, "consent": 1 }`. */
  facts: z.record(z.string(), z.number().int()),
  /** Facts that the platform has, and facts that it will never receive. */
  delivered: z.number().int(),
  undelivered: z.number().int(),
  /** Other files on this machine that contain these facts. */
  copies: z.number().int(),
  /** Whether the person is in the event's register. Only the event can erase that record. */
  registered: z.boolean(),
});

/** One place with personal data and the result there. `left`: it could not be reached; `why` is the reason. */
const erasedPlaceSchema = z.object({
  /** Name of a file or folder in the data folder. */
  place: z.string(),
  state: z.enum(['erased', 'nothing', 'removed', 'left']),
  why: z.enum(['open-quarantine', 'unreadable']).nullable(),
});

/** The protocol of an erasure. Contains no name. */
const erasureProtocolSchema = z.object({
  /** The number that identifies this erasure on paper. */
  id: z.string(),
  kind: z.enum(['person', 'fair']),
  at: z.number(),
  event: z.string(),
  partner: z.string(),
  /** Member of staff, or null. */
  by: z.string().nullable(),
  people: z.number().int(),
  facts: z.number().int(),
  /** Facts that had not reached the platform and now never will. */
  undelivered: z.number().int(),
  places: z.array(erasedPlaceSchema),
  /** Whether the platform is asked to erase its data about the person for this partner. */
  platformAsked: z.boolean(),
  /**
   * How many facts this device asked the platform to undo, and the answers so far. Absent if there are none, or if
   * the hub asks the platform. This device cannot check how much the platform keeps of an undone fact.
   */
  platform: z
    .object({
      asked: z.number().int(),
      taken: z.number().int(),
      refused: z.number().int(),
      waiting: z.number().int(),
    })
    .optional(),
  /**
   * The state of the erasure at each destination. `due`: not requested yet; `asked`: it accepted; `gone`: a lookup
   * found nothing; `left`: the record existed before this stand wrote to it, so it is erased there by hand; `forgotten`:
   * staff forgot the destination before it was asked. Absent without destinations.
   */
  destinations: z
    .array(z.object({ name: z.string(), state: z.enum(['due', 'asked', 'gone', 'left', 'forgotten']) }))
    .optional(),
  /** `told`: the hub and the other laptops of the stand are notified. `heard`: another laptop made the request. */
  team: z.enum(['told', 'heard']).optional(),
  /** Hash of the last fact. The chain stays complete. */
  chainHead: z.string(),
});

const erasedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('erased'), protocol: erasureProtocolSchema }),
  z.object({ kind: z.literal('unknown') }),
  /** Some facts have not reached the platform. `force` is for the technician. */
  z.object({ kind: z.literal('pending'), undelivered: z.number().int() }),
  /** There are leads of another partner without a complete export. */
  z.object({ kind: z.literal('notExported') }),
  /** Only the technician may do this. */
  z.object({ kind: z.literal('technician') }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

/** Whether everything is ready for emptying this device. */
const fairCheckSchema = z.object({
  people: z.number().int(),
  facts: z.number().int(),
  undelivered: z.number().int(),
  parked: z.number().int(),
  /** The last export of all facts of this partner on this device, if it is still complete. */
  exportedAll: z.object({ at: z.number(), file: z.string() }).nullable(),
  /** Time by which the leads are erased according to `retentionDays` of `stand.json`. Null if it is not set. */
  eraseBy: z.number().nullable(),
  /** Whether emptying this device also ends the hub that serves the other laptops of the stand. */
  endsSharing: z.boolean(),
});

export const erasureCalls = {
  /** The data of the person of a lead. Null when there is no such lead. */
  preview: oc.input(z.object({ lead })).output(forgetPreviewSchema.nullable()),
  /** Erases a person here and in the backups, and asks the platform to do so. */
  forget: oc.input(z.object({ lead })).output(erasedSchema),
  /** `of`, for the technician only: another partner whose sealed leads are to be erased. */
  check: oc.input(z.object({ of: sealedPartnerSchema.optional() }).default({})).output(fairCheckSchema),
  /**
   * Erases everybody of this partner. `of`, for the technician only, selects another partner whose sealed leads were
   * exported. Refused while facts are undelivered, unless `force` is set.
   */
  wipe: oc
    .input(z.object({ force: z.boolean().default(false), of: sealedPartnerSchema.optional() }))
    .output(erasedSchema),
  /** Keeps another partner's leads sealed. Staff are not asked again. */
  keepSealed: oc.input(z.object({ of: sealedPartnerSchema })).output(z.object({ kept: z.boolean() })),
  /** Protocols of this device, latest first, at most 100. */
  protocols: oc.output(z.array(erasureProtocolSchema)),
};

export type ForgetPreview = z.infer<typeof forgetPreviewSchema>;
export type ErasureProtocol = z.infer<typeof erasureProtocolSchema>;
export type ErasedPlace = z.infer<typeof erasedPlaceSchema>;
export type Erased = z.infer<typeof erasedSchema>;
export type FairCheck = z.infer<typeof fairCheckSchema>;
