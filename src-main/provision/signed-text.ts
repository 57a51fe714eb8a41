/**
 * A text with the signature of the hub that wrote it: Ed25519 (RFC 8032) over its UTF-8 bytes.
 *
 * Invariants: pure; what is signed says itself what it is for (a field `format`), so that one signature is good for one
 * thing; a text is believed as it stands, and read only after it was.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** `publicKey`: SPKI in DER, as base64, like the signature. */
export type SignedText = { readonly text: string; readonly publicKey: string; readonly signature: string };

/** Signs with a private key in PEM. @throws where the key cannot sign */
export function signText(text: string, privateKey: string): SignedText {
  const signature = sign(null, Buffer.from(text), createPrivateKey(privateKey));
  return {
    text,
    publicKey: publicKeyOf(privateKey).toString('base64'),
    signature: signature.toString('base64'),
  };
}

/** Fingerprint of the key that signed; null where nobody did. */
export function signerOf({ text, publicKey, signature }: SignedText): string | null {
  const der = Buffer.from(publicKey, 'base64');
  const bytes = Buffer.from(signature, 'base64');
  // Base64 has several texts for some bytes; one of them was written.
  if (bytes.toString('base64') !== signature) return null;
  try {
    const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
    const isSigned = key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, bytes);
    return isSigned ? fingerprintOf(der) : null;
  } catch {
    // What is no key has signed nothing.
    return null;
  }
}

/** The public half of a private key in PEM, as SPKI in DER. */
export function publicKeyOf(privateKey: string): Buffer {
  return createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
}

/** What people compare: 128 bits of the public key's SHA-256, in groups of four hex digits. */
export function fingerprintOf(publicKey: Buffer): string {
  const digits = createHash('sha256').update(publicKey).digest('hex').slice(0, 32).toUpperCase();
  return (digits.match(/.{4}/g) ?? []).join(' ');
}
