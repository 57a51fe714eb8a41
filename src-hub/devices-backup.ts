/**
 * The devices of a hub as one signed text, for another machine to go on with when the hub is gone for good. Pure.
 *
 * Invariants: of a key there is its SHA-256 alone, as in the store; what was altered, or is of another hub, is none.
 */
import { z } from 'zod';
import { signerOf, signText } from '../../src-main/provision/signed-text.ts';
import type { KeptDevice } from '../../src-platform/keys/devices.ts';

const deviceSchema = z.strictObject({
  ...{ id: z.string(), expo_id: z.string(), name: z.string() },
  ...{ touchpoint_id: z.string(), partner_id: z.string().nullable() },
  ...{ enrol_hash: z.string(), enrol_until: z.string(), key_hash: z.string().nullable() },
  ...{ created: z.string(), enrolled: z.string().nullable(), revoked: z.string().nullable() },
}) satisfies z.ZodType<KeptDevice>;

const contentSchema = z.strictObject({
  format: z.literal('touchpoint-devices'),
  version: z.literal(1),
  expo: z.string(),
  /** What the hub served, because its devices know it by that. */
  scheme: z.enum(['http', 'https']),
  devices: z.array(deviceSchema),
});

const signedSchema = z.strictObject({ text: z.string(), publicKey: z.string(), signature: z.string() });

/** What another machine has to know of a hub's devices. */
export type DevicesBackup = Pick<z.infer<typeof contentSchema>, 'expo' | 'scheme' | 'devices'>;

/** The signed text. */
export function writeDevicesBackup(backup: DevicesBackup, privateKey: string): string {
  const content = contentSchema.parse({ format: 'touchpoint-devices', version: 1, ...backup });
  return `${JSON.stringify(signText(JSON.stringify(content), privateKey))}\n`;
}

/** What a text says that the hub of this fingerprint signed; why not, else. */
export function readDevicesBackup(text: string, fingerprint: string): DevicesBackup | 'altered' | 'otherHub' {
  const signed = signedSchema.safeParse(parse(text));
  const signer = signed.success ? signerOf(signed.data) : null;
  if (!signed.success || signer === null) return 'altered';
  if (signer !== fingerprint) return 'otherHub';
  const content = contentSchema.safeParse(parse(signed.data.text));
  return content.success ? content.data : 'altered';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
