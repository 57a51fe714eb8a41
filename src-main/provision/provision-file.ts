/**
 * The signed file by which a hub sets devices up, with one entry per device. Pure.
 *
 * Invariants:
 * - a file is refused as a whole if it is truncated, altered, from a newer version, from a hub other than the
 *   device's own, not valid yet, or expired;
 * - the content is used only after its signature was verified.
 *
 * The signer of a device's first file cannot be verified: the user compares its fingerprint with the one that the hub
 * shows.
 */
import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { purposeSchema } from '../contract/device.ts';
import { fingerprintOf, publicKeyOf, signerOf, signText } from './signed-text.ts';

const FORMAT = 'touchpoint-provision';
/**
 * A file has the oldest version that can express it. 2: with a pin of the hub, or several addresses; 3: with a set-up
 * that the hub distributes.
 */
const VERSIONS = [1, 2, 3] as const;
/** Permitted difference between the clocks of hub and device. */
const CLOCK_LEEWAY_MS = 60 * 60_000;

const id = z.string().regex(/^[\w.-]{1,64}$/);

const deviceSchema = z.strictObject({
  id,
  name: z.string().min(1).max(80),
  /** A key for one enrolment, which gives the device its own credential. */
  key: z.string().min(16).max(200),
  touchpoint: z.string().min(1).max(200),
  partner: z.string().max(200).nullable(),
  purpose: purposeSchema,
  /** Further content of `stand.json` (docs/stand-settings.md). */
  settings: z.record(z.string(), z.unknown()).optional(),
});

/** SHA-256 of the public key of a certificate, as base64. */
export const pinSchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

const addressSchema = z.url({ protocol: /^https?$/ }).max(2_000);

const contentSchema = z.strictObject({
  expo: z.string().regex(/^[\w-]{1,64}$/),
  /** The hub's address, which devices use as the address of the platform. */
  address: addressSchema,
  /** Further addresses, in this order: those of a standby. */
  others: z.array(addressSchema).min(1).max(3).optional(),
  /**
   * Pin of the hub's https key (`core/foundations/api/server-key.ts`); absent for plain http, or a certificate of an
   * authority.
   */
  pin: pinSchema.optional(),
  /** The hub's name. */
  hub: z.string().min(1).max(80),
  /** SHA-256 in hex of the set-up that the hub distributes (stand, texts, pictures); absent if it distributes none. */
  stand: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  devices: z
    .array(deviceSchema)
    .min(1)
    .max(2_000)
    .refine((devices) => new Set(devices.map((device) => device.id)).size === devices.length),
});

const envelope = { format: z.literal(FORMAT), version: z.literal(VERSIONS) };

/** The content of a file. */
export type Provision = z.infer<typeof contentSchema>;
/** One device of a file. */
export type ProvisionedDevice = z.infer<typeof deviceSchema>;

/**
 * Why a file is refused. `cut`: its end is missing; `altered`: it differs from the signed text; `otherHub`: another
 * hub than the known one signed it; `early`: it was signed in the future, so a clock is wrong.
 */
export type ProvisionRefusal = 'notOurs' | 'cut' | 'newer' | 'altered' | 'otherHub' | 'early' | 'expired';

export type ReadProvision =
  | { readonly kind: 'provision'; readonly content: Provision; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly reason: ProvisionRefusal };

/** The signing key of a hub. `privateKey` is PEM and never leaves the hub. */
export type SigningKey = { readonly privateKey: string; readonly fingerprint: string };

/** A new key (Ed25519, RFC 8032) to sign with. */
export function makeSigningKey(): SigningKey {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKey: pem, fingerprint: fingerprintOfKey(pem) };
}

/** The fingerprint that users compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOfKey(privateKey: string): string {
  return fingerprintOf(publicKeyOf(privateKey));
}

/** The signed text of a file. @throws when `content` is invalid or the key cannot sign */
export function writeProvision(content: Provision, privateKey: string): string {
  const body = {
    format: FORMAT,
    version: versionOf(content),
    ...contentSchema.parse(content),
    publicKey: publicKeyOf(privateKey).toString('base64'),
  };
  const { signature } = signText(JSON.stringify(body), privateKey);
  return `${JSON.stringify({ ...body, signature }, null, 2)}\n`;
}

function versionOf({ stand, pin, others }: Provision): (typeof VERSIONS)[number] {
  if (stand !== undefined) return 3;
  return pin === undefined && others === undefined ? 1 : 2;
}

/** Whether a text claims to be such a file, valid or not. */
export function looksLikeProvision(text: string): boolean {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}

/**
 * Reads the text of such a file.
 *
 * @param now epoch milliseconds
 * @param known fingerprint of the hub this device belongs to, or null
 */
export function readProvision(text: string, now: number, known: string | null): ReadProvision {
  const value = parse(text);
  if (value === undefined) return refused(looksLikeProvision(text) ? 'cut' : 'notOurs');
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT)
    return refused('notOurs');
  const { signature, ...signed } = value as Readonly<Record<string, unknown>>;
  const { version, publicKey } = signed;
  if (typeof version === 'number' && version > 3) return refused('newer');
  if (typeof publicKey !== 'string' || typeof signature !== 'string') return refused('altered');
  const fingerprint = signerOf({ text: JSON.stringify(signed), publicKey, signature });
  if (fingerprint === null) return refused('altered');
  const { publicKey: _publicKey, ...said } = signed;
  const body = contentSchema.extend(envelope).safeParse(said);
  if (!body.success) return refused('notOurs');
  if (known !== null && known !== fingerprint) return refused('otherHub');
  const { format: _format, version: _version, ...content } = body.data;
  if (now < Date.parse(content.issuedAt) - CLOCK_LEEWAY_MS) return refused('early');
  if (now >= Date.parse(content.expiresAt)) return refused('expired');
  return { kind: 'provision', content, fingerprint };
}

function refused(reason: ProvisionRefusal): ReadProvision {
  return { kind: 'refused', reason };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
