/**
 * The file by which a hub in the hall sets devices up: one line of every device, signed by the hub as a whole.
 *
 * Invariants: pure; a file that was cut, altered, written by a newer version or by another hub than the one a device
 * belongs to is refused as a whole, and so is one that is not valid yet or no longer; what is read is exactly what was
 * signed. A first file can only be believed: the fingerprint it carries is to be compared with the one the hub shows.
 */
import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { purposeSchema } from '../contract/device.ts';
import { fingerprintOf, publicKeyOf, signerOf, signText } from './signed-text.ts';

const FORMAT = 'touchpoint-provision';
/**
 * The oldest version that says all a file has to say; 2: with the pin of the hub, or more than one address; 3: with a set-up
 * that the hub hands out.
 */
const VERSIONS = [1, 2, 3] as const;
/** So much may the clocks of hub and device differ. */
const CLOCK_LEEWAY_MS = 60 * 60_000;

const id = z.string().regex(/^[\w.-]{1,64}$/);

const deviceSchema = z.strictObject({
  id,
  name: z.string().min(1).max(80),
  /** Good for one enrolment; the device's own credential comes of it. */
  key: z.string().min(16).max(200),
  touchpoint: z.string().min(1).max(200),
  partner: z.string().max(200).nullable(),
  purpose: purposeSchema,
  /** What `stand.json` is to say beside the touchpoint (docs/stand-settings.md). */
  settings: z.record(z.string(), z.unknown()).optional(),
});

/** SHA-256 of the public key of a certificate, as base64. */
export const pinSchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

const addressSchema = z.url({ protocol: /^https?$/ }).max(2_000);

const contentSchema = z.strictObject({
  expo: z.string().regex(/^[\w-]{1,64}$/),
  /** Where devices reach the hub: what they take for the address of the platform. */
  address: addressSchema,
  /** Where else it may be found, in this order: the addresses of a standby. */
  others: z.array(addressSchema).min(1).max(3).optional(),
  /** Of the key it proves to hold under https (`core/foundations/api/server-key.ts`); absent: it serves plain http, or an authority vouches. */
  pin: pinSchema.optional(),
  /** What the hub is called. */
  hub: z.string().min(1).max(80),
  /** SHA-256 of the set-up that the hub hands out (stand, texts, pictures), in hex; absent: none. */
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

/** What a hub says to its devices. */
export type Provision = z.infer<typeof contentSchema>;
/** One device of it. */
export type ProvisionedDevice = z.infer<typeof deviceSchema>;

/**
 * Why a file sets nothing up. `cut`: its end is missing; `altered`: it is not what the hub signed; `otherHub`: signed by
 * another hub than the one that is known; `early`: signed later than it is here, so a clock is wrong.
 */
export type ProvisionRefusal = 'notOurs' | 'cut' | 'newer' | 'altered' | 'otherHub' | 'early' | 'expired';

export type ReadProvision =
  | { readonly kind: 'provision'; readonly content: Provision; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly reason: ProvisionRefusal };

/** The key by which a hub signs; `privateKey` is PEM and never leaves the hub. */
export type SigningKey = { readonly privateKey: string; readonly fingerprint: string };

/** A new key (Ed25519, RFC 8032) to sign with. */
export function makeSigningKey(): SigningKey {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKey: pem, fingerprint: fingerprintOfKey(pem) };
}

/** What people compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOfKey(privateKey: string): string {
  return fingerprintOf(publicKeyOf(privateKey));
}

/** The text of a file that holds `content`, signed. @throws where `content` is none or the key cannot sign */
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

/** Whether a text claims to be such a file, sound or not. */
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
