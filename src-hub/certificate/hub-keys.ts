/**
 * The key by which a hub proves over https that it is the one its devices know. Pure.
 *
 * Invariants: it follows from the key the hub signs with and from nothing else, so every hub that holds `box-key.pem` has the
 * same one, and the pin in the files of the devices is good for all of them; from it the signing key cannot be found.
 */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { pinOf } from '../../src-main/core/foundations/api/server-key.ts';

/** Says what the derived secret is for (RFC 5869, section 3.2); another text is another key, and unknown to every device. */
const PURPOSE = 'touchpoint hub https P-256';

/** Order of the group P-256 (NIST SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** 128 bits more than a secret has, so that none is likelier than another (FIPS 186-5, A.2.1). */
const DRAWN_BYTES = 48;

/** The https key of the hub that signs with `signingKey` (Ed25519, PEM). P-256: browsers take no Ed25519 from a server. */
export function tlsKeyOf(signingKey: string): KeyObject {
  const { d: seed = '' }: JsonWebKey = createPrivateKey(signingKey).export({ format: 'jwk' });
  const drawn = Buffer.from(hkdfSync('sha256', Buffer.from(seed, 'base64url'), '', PURPOSE, DRAWN_BYTES));
  const secret = (BigInt(`0x${drawn.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH('prime256v1');
  const d = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex');
  ecdh.setPrivateKey(d);
  // 0x04, then both coordinates of 32 bytes (SEC 1, section 2.3.3).
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const jwk = { kty: 'EC', crv: 'P-256', ...{ x: text(x), y: text(y), d: text(d) } };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/** What devices know this key by. */
export function pinOfHub(signingKey: string): string {
  return pinOf(createPublicKey(tlsKeyOf(signingKey)).export({ type: 'spki', format: 'der' }));
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}
