/**
 * Phones of the team: a second screen on the stand's own network, paired for a day by a code that works once.
 *
 * Invariants:
 * - The server for phones is off until staff switch it on. It switches off when the day ends.
 * - No answer contains a cookie. Only the answer of `pair` contains a code.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';

/** The kind of a phone, as its browser names it. */
export const phoneKindSchema = z.enum(['iphone', 'android', 'other']);

/**
 * A paired phone. `member`: name of the member who uses it. Times in Unix milliseconds; `seenAt` is null if it was
 * not seen since the start.
 */
const pairedPhoneSchema = z.object({
  id: z.string(),
  member: z.string(),
  kind: phoneKindSchema,
  pairedAt: z.number(),
  seenAt: z.number().nullable(),
});

/**
 * `addresses`: the addresses of this device, with port. `fingerprint`: SHA-256 of the certificate, as browsers show
 * it. `until`: end of the day.
 */
export const phonesStateSchema = z.object({
  open: z.object({ addresses: z.array(z.string()), fingerprint: z.string(), until: z.number() }).nullable(),
  /**
   * Why the server is not open although it was switched on: no network, or the machine refused. `notKept`: the disk
   * refused the last change, so a revoked phone may have access again after a restart.
   */
  fault: z.enum(['noNetwork', 'failed', 'notKept']).nullable(),
  phones: z.array(pairedPhoneSchema),
});

/** Calls of the stand team on the device's own pages. */
export const phoneCalls = {
  read: oc.output(phonesStateSchema),
  /** Opens the server for phones, or closes it and every connection. */
  turn: oc.input(z.object({ on: z.boolean() })).output(phonesStateSchema),
  /**
   * A code that pairs one phone of this member, as links: one per address of the device. It works once, for five
   * minutes, until the next one is made. Null if switched off, or for an unknown member.
   */
  pair: oc
    .input(z.object({ member: z.string().max(64) }))
    .output(z.object({ links: z.array(z.string()) }).nullable()),
  /** Ends the access of a phone at once. */
  revoke: oc.input(z.object({ phone: z.string().max(64) })).output(phonesStateSchema),
};

export type PhonesState = z.infer<typeof phonesStateSchema>;
export type PhoneKind = z.infer<typeof phoneKindSchema>;
