/**
 * The keys of a hub: its signing key, `box-key.pem` in its folder, its https key, and the key that countersigns receipts.
 *
 * Invariants
 * - The hub creates the signing key on first use and never replaces it. Devices recognise their hub by it.
 *   Only its owner can read the file.
 * - The other two are derived from the signing key alone. So all hubs with the same `box-key.pem` share them, and the
 *   pin in the device files is valid for each hub. No other key can be computed from a derived key.
 */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinOf } from '../../src-main/core/foundations/api/server-key.ts';
import { makeSigningKey } from '../../src-main/provision/provision-file.ts';

/** The signing key of the hub of this folder, in PEM. */
export function openSigningKey(folder: string): string {
  const file = join(folder, 'box-key.pem');
  if (!existsSync(file)) writeFileSync(file, makeSigningKey().privateKey, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8');
}

/**
 * Purposes of the derived secrets (RFC 5869, section 3.2). If this text changes, the key changes, and no device
 * trusts it.
 */
const PURPOSES = { https: 'touchpoint hub https P-256', receipts: 'touchpoint hub receipts P-256' } as const;

/** Order of the group P-256 (NIST SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** 128 bits longer than the key, so that the distribution is uniform (FIPS 186-5, A.2.1). */
const DRAWN_BYTES = 48;

/**
 * The https key of the hub that signs with `signingKey` (Ed25519, PEM). It is P-256, because browsers refuse Ed25519
 * servers.
 */
export function tlsKeyOf(signingKey: string): KeyObject {
  return derived(signingKey, PURPOSES.https);
}

/** The key with which that hub countersigns receipts. P-256: older browsers verify no Ed25519. */
export function receiptKeyOf(signingKey: string): KeyObject {
  return derived(signingKey, PURPOSES.receipts);
}

function derived(signingKey: string, purpose: string): KeyObject {
  const { d: seed = '' }: JsonWebKey = createPrivateKey(signingKey).export({ format: 'jwk' });
  const drawn = Buffer.from(hkdfSync('sha256', Buffer.from(seed, 'base64url'), '', purpose, DRAWN_BYTES));
  const secret = (BigInt(`0x${drawn.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH('prime256v1');
  const d = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex');
  ecdh.setPrivateKey(d);
  // 0x04, then both coordinates of 32 bytes (SEC 1, section 2.3.3).
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: 'EC', crv: 'P-256', x: text(x), y: text(y), d: text(d) };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/** The pin of the https key, as it is in the device files. */
export function pinOfHub(signingKey: string): string {
  return pinOf(createPublicKey(tlsKeyOf(signingKey)).export({ type: 'spki', format: 'der' }));
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}
