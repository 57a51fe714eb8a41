/**
 * Encodes the invitation of a sharing laptop as a short code that people type or scan. Pure.
 *
 *     IPv4 address (4 bytes) ─ port (2) ─ start of the pin (8) ─ secret (5) ─ check (1) ─► 32 characters in groups of four
 *
 * Invariants:
 * - the start of the pin identifies the server, so a code never leads to another server;
 * - a check byte finds 255 of 256 mistyped codes before anything is requested;
 * - characters that look alike are treated as the same, and so are capital and small letters.
 */
import { createHash } from 'node:crypto';

/** Crockford's base 32: without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 32;
const PIN_BYTES = 8;
/** 40 bits: one guess per millisecond for the lifetime of a code succeeds with a probability of 1 in a million. */
export const SECRET_BYTES = 5;

/** The prefix of the code in a QR code. With it, the visitor's screen does not read the code as a badge. */
const MARK = 'TOUCHPOINT:JOIN:';

export type JoinCode = {
  /** IPv4 address of the sharing laptop. */
  readonly address: string;
  readonly port: number;
  /** The first bytes of the pin of its https key, in hex. */
  readonly pinStart: string;
  /** In hex; valid for one laptop and a short time. */
  readonly secret: string;
};

/** The code of an invitation. `pin`: the whole pin, in base64. */
export function writeJoinCode({
  address,
  port,
  pin,
  secret,
}: Omit<JoinCode, 'pinStart'> & { readonly pin: string }): string {
  const said = Buffer.concat([
    Buffer.from(address.split('.').map(Number)),
    Buffer.from([port >> 8, port & 0xff]),
    Buffer.from(pinStartOf(pin), 'hex'),
    Buffer.from(secret, 'hex'),
  ]);
  let bits = BigInt(`0x${Buffer.concat([said, checkOf(said)]).toString('hex')}`);
  let text = '';
  for (let at = 0; at < LENGTH; at += 1) {
    text = (DIGITS[Number(bits & 31n)] ?? '') + text;
    bits >>= 5n;
  }
  return (text.match(/.{4}/g) ?? []).join(' ');
}

/** The text of the QR code of a join code. */
export function joinQrOf(code: string): string {
  return MARK + code.replaceAll(' ', '');
}

/** Reads a typed or scanned code; null if it is mistyped or not a join code. */
export function readJoinCode(text: string): JoinCode | null {
  const typed = text
    .toUpperCase()
    .replace(MARK, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  if (typed.length !== LENGTH) return null;
  let bits = 0n;
  for (const digit of typed) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  const bytes = Buffer.from(bits.toString(16).padStart(40, '0'), 'hex');
  const said = bytes.subarray(0, -1);
  if (!checkOf(said).equals(bytes.subarray(-1))) return null;
  return {
    address: said.subarray(0, 4).join('.'),
    port: said.readUInt16BE(4),
    pinStart: said.subarray(6, 6 + PIN_BYTES).toString('hex'),
    secret: said.subarray(6 + PIN_BYTES).toString('hex'),
  };
}

/** The first bytes of a pin, in hex. */
export function pinStartOf(pin: string): string {
  return Buffer.from(pin, 'base64').subarray(0, PIN_BYTES).toString('hex');
}

function checkOf(said: Buffer): Buffer {
  return createHash('sha256').update(said).digest().subarray(0, 1);
}
