/**
 * The key with which this device signs receipts and proofs, and the form of a signed file
 * (docs/decisions/signed-receipts.md).
 *
 * Invariants:
 * - The key is `proof-key.pem` in the data folder, readable by its owner only. It is in no backup, log or export.
 * - A signed file has the signature as its last field. The signature covers the compact JSON of all other fields.
 * - The first field, `format`, names the purpose, so a signature is valid for one kind of file.
 * - ECDSA P-256, because every browser with WebCrypto verifies it. Ed25519 is missing in older ones.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TargetError, writeWhole } from './export-file.ts';

/** `publicKey`: SPKI in DER. `value`: r and s, 32 bytes each. Both in base64. */
export type Signature = {
  readonly algorithm: 'ECDSA P-256 SHA-256';
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly value: string;
};

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
    // The error of an unreadable key may contain a part of it.
    return null;
  }
}

/** The fingerprint that users compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOfKey(key: KeyObject): string {
  const digits = createHash('sha256').update(publicHalf(key)).digest('hex').slice(0, 32).toUpperCase();
  return (digits.match(/.{4}/gu) ?? []).join(' ');
}

/** The content with its signature. Without a key the signature is null. */
export function withSignature<Content extends object>(
  content: Content,
  key: KeyObject | null,
): Content & { readonly signature: Signature | null } {
  if (key === null) return { ...content, signature: null };
  const text = Buffer.from(JSON.stringify(content), 'utf8');
  const value = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const publicKey = publicHalf(key).toString('base64');
  const fingerprint = fingerprintOfKey(key);
  return { ...content, signature: { algorithm: 'ECDSA P-256 SHA-256', publicKey, fingerprint, value } };
}

function publicHalf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}
