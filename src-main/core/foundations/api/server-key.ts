/**
 * Public key pinning, for a server without a certificate authority (RFC 7469, section 2.4). The name, address
 * and dates of its certificate do not matter.
 *
 * Invariants:
 * - Only a server that proved to hold the pinned key is accepted.
 * - A pin names the key and not the certificate, so a certificate can be replaced.
 */
import { createHash } from 'node:crypto';
import { TLSSocket } from 'node:tls';

/** The pin of a public key: SHA-256 of its SPKI (DER), as base64. */
export function pinOf(spki: Uint8Array): string {
  return createHash('sha256').update(spki).digest('base64');
}

/** Whether the server of a TLS connection proved to hold the key of `pin`. */
export function isPinned(socket: unknown, pin: string): boolean {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return (
    certificate !== undefined && pinOf(certificate.publicKey.export({ type: 'spki', format: 'der' })) === pin
  );
}

/** Thrown when a server with another key answers. */
export class WrongServer extends Error {
  readonly code = 'WRONG_SERVER';
}
