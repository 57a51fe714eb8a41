/**
 * Messages between the app and its sharing hub, and the request of a joining laptop to the hub.
 *
 * Invariants:
 * - app and hub have the same version; a laptop that joins may have another version, so its request states its format;
 * - the platform key is sent by message, never by arguments or environment.
 */
import { z } from 'zod';

/** The format of a request to join. A request in another format is refused. */
export const JOIN_FORMAT = 1;

/** Why a sharing hub refuses a laptop. `hubOlder`: update the sharing laptop; `newer`: update the laptop that joins. */
const joinRefusalSchema = z.enum([
  'wrongCode',
  'usedCode',
  'expiredCode',
  'otherEvent',
  'otherPartner',
  'noTouchpoint',
  'hubOlder',
  'newer',
]);

export type JoinRefusal = z.infer<typeof joinRefusalSchema>;

/** A request to join. `expo` and `touchpoint` are null for a laptop that is not set up yet. */
export const joinRequestSchema = z.object({
  format: z.number().int(),
  secret: z.string().max(20),
  expo: z.string().max(64).nullable(),
  touchpoint: z.string().max(200).nullable(),
  laptop: z.string().min(1).max(60),
});

/** `file`: the signed file of one device. */
export const joinAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), text: z.string().max(20_000) }),
  z.object({ kind: z.literal('refused'), reason: joinRefusalSchema }),
]);

/** To the hub. */
export const toHubSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    upstream: z.object({ url: z.string(), key: z.string(), privateHttp: z.boolean() }),
    expo: z.string(),
    /** The touchpoint of the sharing laptop, whose partner may join. */
    touchpoint: z.string(),
    /** Name of the sharing laptop. */
    laptop: z.string(),
    folder: z.string(),
    port: z.number().int(),
    /** Whether devices already know this port. If not, another free port may be used. */
    isPortKnown: z.boolean(),
    /** The set-up for laptops that have none yet. */
    setup: z.string(),
    /** Whether the sharing laptop itself needs a file. */
    needsFile: z.boolean(),
  }),
  z.object({ kind: z.literal('invite'), address: z.string() }),
]);
export type ToHub = z.infer<typeof toHubSchema>;

/** From the hub. `fault`: in English, for a technician. */
export const fromHubSchema = z.discriminatedUnion('kind', [
  /** The hub serves. `file`: the signed file of the sharing laptop. */
  z.object({ kind: z.literal('ready'), port: z.number().int(), file: z.string().nullable() }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['portTaken', 'hub']), fault: z.string() }),
  z.object({ kind: z.literal('invitation'), code: z.string(), until: z.number() }),
  /** Names of the laptops, after each change; `isInvitationUsed`: the current code is used up. */
  z.object({ kind: z.literal('laptops'), names: z.array(z.string()), isInvitationUsed: z.boolean() }),
]);
export type FromHub = z.infer<typeof fromHubSchema>;
