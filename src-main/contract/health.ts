/**
 * Whether this device can work at the stand now: one verdict, and the checks it is made of.
 *
 * Invariants: the verdict is that of the worst check; no key, no personal data and no address in here but the host of a hub in
 * the hall; what is not known is null and never counted as good where a lead hangs on it.
 */
import { z } from 'zod';
import { cardServiceSchema, pauseSchema, storageSchema } from './device.ts';

/** `attention`: works, and somebody should look. `noGo`: do not open the stand with it. */
export const verdictSchema = z.enum(['good', 'attention', 'noGo']);

const count = z.number().int().nonnegative();
const verdict = verdictSchema;

/**
 * Where the key to the platform is: said at the start of the app, that of the demo, or kept here. `why`: why in a file and not in
 * a keychain. `missing`: why it cannot be read.
 */
export const keyStateSchema = z.object({
  place: z.enum(['start', 'demo', 'keychain', 'file']),
  why: z.enum(['none', 'plainText', 'unreachable']).nullable(),
  missing: z.enum(['unreachable', 'lost']).nullable(),
});

/**
 * The hub in the hall that a device delivers to. `silent`: it does not answer, and `since` when it last did; `away`: it answers
 * and has not reached the platform since then. Null: not known.
 */
export const healthHubSchema = z.object({
  name: z.string(),
  host: z.string(),
  state: z.enum(['online', 'away', 'silent', 'unknown']),
  since: z.number().nullable(),
});

/** Every check with what was found. Times in epoch milliseconds. */
export const healthCheckSchema = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('reader'),
    verdict,
    service: cardServiceSchema,
    readers: count,
    lostNdef: count,
    /** How often readers look for a card: as found, and as it is now. Absent in reports of earlier versions. */
    intervals: z.array(z.object({ reader: z.string(), foundMs: count, everyMs: count })).optional(),
  }),
  z.object({
    name: z.literal('touchpoint'),
    verdict,
    fault: z.enum(['missing', 'unknownPurpose', 'unchosen', 'otherPartner']).nullable(),
  }),
  z.object({ name: z.literal('storage'), verdict, fault: storageSchema, freeBytes: count.nullable() }),
  z.object({
    name: z.literal('backup'),
    verdict,
    newestAt: z.number().nullable(),
    facts: count,
    missing: count,
  }),
  /** When the copy of the event was last brought up to date, and whether it is whole. */
  z.object({
    name: z.literal('mirror'),
    verdict,
    complete: z.boolean(),
    lastPassAt: z.number().nullable(),
    /** Resources that the key may not read; `lost`: it could before. */
    refused: z.array(z.object({ name: z.string(), lost: z.boolean() })).optional(),
  }),
  z.object({
    name: z.literal('delivery'),
    verdict,
    pause: pauseSchema.nullable(),
    waiting: count,
    parked: count,
    /** Share in [0, 1] of the latest requests that the platform answered with "too many" (429). */
    busyShare: z.number(),
    hub: healthHubSchema.nullish(),
  }),
  keyStateSchema.extend({ name: z.literal('key'), verdict }),
  /** Platform time minus ours in milliseconds; null while it was never measured. */
  z.object({ name: z.literal('clock'), verdict, offsetMs: z.number().nullable() }),
  /** Charge in [0, 1]; null where the machine has no battery or does not tell. */
  z.object({
    name: z.literal('power'),
    verdict,
    charge: z.number().nullable(),
    plugged: z.boolean().nullable(),
  }),
  /** `change`: what this version found at its first start after another one, which had left `left` interactions; null: none before. */
  z.object({
    name: z.literal('version'),
    verdict,
    change: z.object({ from: z.string(), left: count, found: count }).nullable(),
  }),
  z.object({ name: z.literal('interactions'), verdict, captured: count, lastAt: z.number().nullable() }),
]);

export const healthSchema = z.object({
  verdict,
  /** When it was looked. */
  at: z.number(),
  version: z.string(),
  checks: z.array(healthCheckSchema),
});

export type KeyState = z.infer<typeof keyStateSchema>;
export type HealthHub = z.infer<typeof healthHubSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
export type HealthCheck = z.infer<typeof healthCheckSchema>;
export type Health = z.infer<typeof healthSchema>;
