/**
 * A text with the signature of the hub that wrote it: Ed25519 (RFC 8032) over its UTF-8 bytes. Pure.
 *
 * Invariants:
 * - a signed text names its purpose in a field `format`, so a signature is valid for one purpose only;
 * - the signature covers the exact text, and the text is parsed only after its signature was verified.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** `publicKey`: SPKI in DER, as base64. `signature`: base64. */
export type SignedText = { readonly text: string; readonly publicKey: string; readonly signature: string };

/** Signs with a private key in PEM. @throws when the key cannot sign */
export function signText(text: string, privateKey: string): SignedText {
  const signature = sign(null, Buffer.from(text), createPrivateKey(privateKey));
  return {
    text,
    publicKey: publicKeyOf(privateKey).toString('base64'),
    signature: signature.toString('base64'),
  };
}

/** Fingerprint of the key that signed; null when the signature is invalid. */
export function signerOf({ text, publicKey, signature }: SignedText): string | null {
  const der = Buffer.from(publicKey, 'base64');
  const bytes = Buffer.from(signature, 'base64');
  // Some bytes have several base64 texts; only the canonical one is accepted.
  if (bytes.toString('base64') !== signature) return null;
  try {
    const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
    const isSigned = key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, bytes);
    return isSigned ? fingerprintOf(der) : null;
  } catch {
    // An invalid key has no valid signature.
    return null;
  }
}

/** The public half of a private key in PEM, as SPKI in DER. */
export function publicKeyOf(privateKey: string): Buffer {
  return createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
}

/** The fingerprint that users compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOf(publicKey: Buffer): string {
  const digits = createHash('sha256').update(publicKey).digest('hex').slice(0, 32).toUpperCase();
  return (digits.match(/.{4}/g) ?? []).join(' ');
}
