/**
 * The key with which this device signs receipts and proofs, and the form of a signed file
 * (docs/decisions/signed-receipts.md).
 *
 * Invariants:
 * - The key is `proof-key.pem` in the data folder, readable by its owner only. No backup, log or export contains it.
 * - The field `signature` covers the compact JSON of all fields before it.
 * - The first field, `format`, names the purpose, so a signature is valid for one kind of file.
 * - The field `signedBy` names the signer in words. If it names a hub, the last field is the hub's countersignature,
 *   which covers the hash of all fields before it.
 * - ECDSA P-256, because every browser with WebCrypto verifies it. Ed25519 is missing in older ones.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Countersignature, Signature } from '../../../contract/exports.ts';
import { TargetError, writeWhole } from './export-file.ts';

/** Content with its signatures. `signature` is null without a key. */
export type Signed<Content> = Content & {
  readonly signedBy: string;
  readonly signature: Signature | null;
  readonly countersignature?: Countersignature;
};

/**
 * The hub that countersigns: the fingerprint of its key, and its countersignature of a hash. Null if the hub does not
 * answer.
 */
export type Countersigner = {
  readonly fingerprint: string;
  readonly sign: (sha256: string) => Countersignature | null;
};

const DEVICE_ONLY = 'this device only';

function keyPath(folder: string): string {
  return join(folder, 'proof-key.pem');
}

/** Creates the key of a data folder if it is missing. If the disk refuses the file, receipts are unsigned. */
export function keepSigningKey(folder: string): void {
  const path = keyPath(folder);
  if (existsSync(path)) return;
  const pem = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  try {
    writeWhole(
      path,
      (function* () {
        yield Buffer.from(pem);
      })(),
    );
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
  }
}

/** The key of a data folder. Null when there is none or it cannot be used. */
export function readSigningKey(folder: string): KeyObject | null {
  try {
    const key = createPrivateKey(readFileSync(keyPath(folder), 'utf8'));
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    // The error is not logged, because it may contain a part of the key.
    return null;
  }
}

/** The fingerprint that users compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOfKey(key: KeyObject): string {
  const digits = createHash('sha256').update(publicHalf(key)).digest('hex').slice(0, 32).toUpperCase();
  return (digits.match(/.{4}/gu) ?? []).join(' ');
}

/** The content, signed by the device and also by the hub if the hub answers. Without a key it is unsigned. */
export function withSignatures<Content extends object>(
  content: Content,
  key: KeyObject | null,
  hub: Countersigner | null,
): Signed<Content> {
  if (key === null) return { ...content, signedBy: 'nobody', signature: null };
  if (hub !== null) {
    const signed = withSignature({ ...content, signedBy: `this device and the hub ${hub.fingerprint}` }, key);
    const countersignature = hub.sign(createHash('sha256').update(JSON.stringify(signed)).digest('hex'));
    if (countersignature !== null) return { ...signed, countersignature };
  }
  return withSignature({ ...content, signedBy: DEVICE_ONLY }, key);
}

/** Whether the key with this fingerprint signed exactly this countersignature over this hash. */
export function isCountersigned(
  { signature, ...content }: Countersignature,
  fingerprint: string,
  sha256: string,
): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(signature.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const value = Buffer.from(signature.value, 'base64');
    const text = Buffer.from(JSON.stringify(content), 'utf8');
    const isOwn = content.sha256 === sha256 && fingerprintOfKey(key) === fingerprint;
    return isOwn && verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, value);
  } catch {
    // Another hub may answer anything.
    return false;
  }
}

/** The content with a signature as its last field. */
export function withSignature<Content extends object>(
  content: Content,
  key: KeyObject,
): Content & { readonly signature: Signature } {
  const text = Buffer.from(JSON.stringify(content), 'utf8');
  const value = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const publicKey = publicHalf(key).toString('base64');
  const fingerprint = fingerprintOfKey(key);
  return { ...content, signature: { algorithm: 'ECDSA P-256 SHA-256', publicKey, fingerprint, value } };
}

function publicHalf(key: KeyObject): Buffer {
  const half = key.type === 'public' ? key : createPublicKey(key);
  return half.export({ type: 'spki', format: 'der' });
}
