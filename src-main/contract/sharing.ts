/**
 * Several laptops of one stand share their leads: one laptop starts the sharing, and the others join it with a code.
 *
 * Invariant: only users who may change the set-up (`setup.ts`) may change the sharing.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';

/**
 * Why nothing changed. Because of the code: `mistyped`, `wrongCode`, `usedCode`, `expiredCode`. Because of the
 * laptops: `otherEvent`, `otherPartner`, `noTouchpoint` (this laptop has none, or the event lacks it), `hubOlder` and
 * `newer` (another version), `noKey` (no platform key here), `startSays` (the start options name the event),
 * `noProgram` (an installation without a hub). The other reasons are the same as for a hub's file.
 */
const sharingRefusalSchema = z.enum([
  ...(['mistyped', 'wrongCode', 'usedCode', 'expiredCode', 'otherEvent', 'otherPartner'] as const),
  ...(['noTouchpoint', 'hubOlder', 'newer', 'noKey', 'startSays', 'noProgram', 'disk'] as const),
  ...(['noAnswer', 'wrongHub', 'noHub', 'early', 'expired', 'unsound', 'insecure', 'used'] as const),
  ...(['revoked', 'noStand', 'notOurs', 'cut', 'altered', 'otherHub', 'noDevice'] as const),
]);

/** The laptop `alone` delivers directly, `sharing` runs the hub of the others, `member` uses another machine's hub. */
const sharingStateSchema = z.object({
  mode: z.enum(['alone', 'sharing', 'member']),
  /** Whether the hub of this laptop serves. After its first start it waits for the platform. */
  isReady: z.boolean(),
  /** Why that hub does not serve. `fault`: in English, for a technician. */
  failed: z.object({ reason: z.enum(['portTaken', 'hub']), fault: z.string() }).nullable(),
  /** The code for the next laptop, to type and as the content of a QR code; `until`: epoch milliseconds. */
  invitation: z.object({ code: z.string(), qr: z.string(), until: z.number() }).nullable(),
  /** Names of the laptops at the hub, including this one. */
  laptops: z.array(z.string()),
  /** Whether this laptop has a platform key, so that it can share or deliver directly. */
  hasKey: z.boolean(),
  /** Addresses of this laptop in its networks. */
  addresses: z.array(z.string()),
});

/** Null if it was done, otherwise the reason why not. */
const changed = z.object({ refused: sharingRefusalSchema.nullable() });

export const sharingCalls = {
  state: oc.output(sharingStateSchema),
  /** Starts the hub of this laptop. The laptop becomes its first device and restarts its pages. */
  share: oc.output(changed),
  /** Requests a code; `address`: of this laptop, in the network of the others. */
  invite: oc.input(z.object({ address: z.ipv4() })).output(z.object({})),
  join: oc.input(z.object({ code: z.string().max(200) })).output(changed),
  /** Returns to direct delivery. Ends the hub of this laptop, if any. */
  leave: oc.output(changed),
};

export type SharingState = z.infer<typeof sharingStateSchema>;
export type SharingRefusal = z.infer<typeof sharingRefusalSchema>;
