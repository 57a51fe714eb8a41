/**
 * Whether this device can work at the stand now: one verdict, and its checks.
 *
 * Invariants:
 * - The verdict is that of the worst check.
 * - Contains no key, no personal data, and no address except the host of a hub.
 * - An unknown value is null. If leads depend on the value, null never counts as good.
 */
import { z } from 'zod';
import { cardServiceSchema, diskEncryptionSchema, pauseSchema, storageSchema } from './device.ts';

/** `attention`: works, but staff should check it. `noGo`: do not open the stand with it. */
export const verdictSchema = z.enum(['good', 'attention', 'noGo']);

const count = z.number().int().nonnegative();
const verdict = verdictSchema;

/**
 * Source of the platform key: given at start, of the demo, or stored here. `why`: why in a file and not in a
 * keychain. `missing`: why it cannot be read.
 */
const keyStateSchema = z.object({
  place: z.enum(['start', 'demo', 'keychain', 'file']),
  why: z.enum(['none', 'plainText', 'unreachable']).nullable(),
  missing: z.enum(['unreachable', 'lost']).nullable(),
});

/**
 * The hub to which this device delivers. `silent`: it has not answered since `since`. `away`: it answers, but has not
 * reached the platform since then. Null if unknown.
 */
const healthHubSchema = z.object({
  name: z.string(),
  host: z.string(),
  state: z.enum(['online', 'away', 'silent', 'unknown']),
  since: z.number().nullable(),
});

/** Every check with its result. Times in Unix milliseconds. */
const healthCheckSchema = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('reader'),
    verdict,
    service: cardServiceSchema,
    readers: count,
    lostNdef: count,
    /** The polling intervals of the readers when they were attached, and now. Absent in reports of earlier versions. */
    intervals: z.array(z.object({ reader: z.string(), foundMs: count, everyMs: count })).optional(),
  }),
  z.object({
    name: z.literal('touchpoint'),
    verdict,
    fault: z.enum(['missing', 'unknownPurpose', 'unchosen', 'otherPartner']).nullable(),
  }),
  z.object({
    name: z.literal('storage'),
    verdict,
    fault: storageSchema,
    freeBytes: count.nullable(),
    /** Photos and voice notes. Absent in reports of earlier versions. */
    attachmentBytes: count.optional(),
    /** Absent in reports of earlier versions. */
    encryption: diskEncryptionSchema.optional(),
  }),
  z.object({
    name: z.literal('backup'),
    verdict,
    newestAt: z.number().nullable(),
    facts: count,
    missing: count,
  }),
  /** When the mirror was last compared, and whether it is complete. */
  z.object({
    name: z.literal('mirror'),
    verdict,
    complete: z.boolean(),
    lastPassAt: z.number().nullable(),
    /** Resources that the key may not read. `lost`: it could read them before. */
    refused: z.array(z.object({ name: z.string(), lost: z.boolean() })).optional(),
  }),
  z.object({
    name: z.literal('delivery'),
    verdict,
    pause: pauseSchema.nullable(),
    waiting: count,
    parked: count,
    /** Share in [0, 1] of recent requests that the platform answered with 429. */
    busyShare: z.number(),
    hub: healthHubSchema.nullish(),
    /** Leads that wait for a CRM or a webhook that accepts none at present. Absent in reports of earlier versions. */
    elsewhere: count.optional(),
    /**
     * What staff must mend at CRMs and webhooks: leads that were refused, leads with a value to decide about, and
     * accesses that are broken. Absent in reports of earlier versions.
     */
    crm: z.object({ refused: count, undecided: count, broken: count }).optional(),
  }),
  keyStateSchema.extend({ name: z.literal('key'), verdict }),
  /** Platform time minus ours in milliseconds. Null while unmeasured. */
  z.object({
    name: z.literal('clock'),
    verdict,
    offsetMs: z.number().nullable(),
    /** Absent in reports of earlier versions. */
    platformDoubted: z.boolean().optional(),
  }),
  /** Charge in [0, 1]. Null without a battery, or if the machine does not report it. */
  z.object({
    name: z.literal('power'),
    verdict,
    charge: z.number().nullable(),
    plugged: z.boolean().nullable(),
  }),
  /**
   * `change`: how many of the previous version's `left` facts the first start of this version found. Null
   * without a previous version.
   */
  z.object({
    name: z.literal('version'),
    verdict,
    change: z.object({ from: z.string(), left: count, found: count }).nullable(),
  }),
  z.object({ name: z.literal('interactions'), verdict, captured: count, lastAt: z.number().nullable() }),
]);

export const healthSchema = z.object({
  verdict,
  /** Time of the check. */
  at: z.number(),
  version: z.string(),
  checks: z.array(healthCheckSchema),
});

export type KeyState = z.infer<typeof keyStateSchema>;
export type HealthHub = z.infer<typeof healthHubSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
export type HealthCheck = z.infer<typeof healthCheckSchema>;
export type Health = z.infer<typeof healthSchema>;
