/**
 * Encodes a signed file of one device as text for a QR code that a laptop's camera can read. Pure.
 *
 *   file ─► without spaces ─► deflate (RFC 1951) with a dictionary ─► base45 (RFC 9285) behind `TOUCHPOINT:1:`
 *
 * Invariants:
 * - a code contains the file byte for byte, signature included, so all checks of a file apply to a code;
 * - a truncated, altered or newer code is refused with its own reason;
 * - no code unpacks to more than the largest file of one device.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const MARK = /^TOUCHPOINT:(\d{1,3}):/;
const VERSION = 1;
const LARGEST = 20_000;

/**
 * The common text of such files, the most frequent at the end. It never changes, because a code can be unpacked only
 * with the same dictionary. Another dictionary needs another version.
 */
const DICTIONARY = Buffer.from(
  [
    '"settings":{"stand":"}}],"publicKey":"MCowBQYDK2VwAyEA","signature":"',
    '"partner":null,"purpose":"content"}],"purpose":"checkin"}],"partner":"","purpose":"lead"}],',
    '.000Z","devices":[{"id":"D","name":"","key":"","touchpoint":"","expiresAt":"202","issuedAt":"202',
    '","pin":"=","hub":"Hub ","others":["http://10.0.0.","https://192.168.1.',
    ':8820/create/v2","{"format":"touchpoint-provision","version":2,"version":1,"expo":"","address":"https://',
  ].join(''),
);

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** The text of a file, or why the code is refused. */
export type ReadCode =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: 'notOurs' | 'newer' | 'cut' | 'altered' };

/** Encodes a signed file that `writeProvision` wrote. */
export function writeCode(file: string): string {
  const short = JSON.stringify(JSON.parse(file));
  return `TOUCHPOINT:${VERSION}:${base45(deflateRawSync(short, { level: 9, dictionary: DICTIONARY }))}`;
}

/** Decodes a code. `readProvision` checks the signature and content. */
export function readCode(code: string): ReadCode {
  const [mark, version] = MARK.exec(code) ?? [];
  if (mark === undefined) return refused('notOurs');
  if (Number(version) > VERSION) return refused('newer');
  const bytes = fromBase45(code.slice(mark.length));
  if (typeof bytes === 'string') return refused(bytes);
  try {
    const short = inflateRawSync(bytes, { dictionary: DICTIONARY, maxOutputLength: LARGEST });
    return { kind: 'file', text: `${JSON.stringify(JSON.parse(short.toString()), null, 2)}\n` };
  } catch (error) {
    // zlib reports this for truncated input.
    return refused((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' ? 'cut' : 'altered');
  }
}

function refused(reason: Extract<ReadCode, { kind: 'refused' }>['reason']): ReadCode {
  return { kind: 'refused', reason };
}

/**
 * Two bytes become three digits, the least significant first. A single last byte is padded with a zero, which deflate
 * ignores.
 */
function base45(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 2) {
    const value = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    for (const place of [1, 45, 45 * 45]) text += DIGITS[Math.floor(value / place) % 45];
  }
  return text;
}

function fromBase45(text: string): Uint8Array | 'cut' | 'altered' {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 3) {
    const digits = [...text.slice(at, at + 3)].map((digit) => DIGITS.indexOf(digit));
    const value = digits.reduceRight((sum, digit) => sum * 45 + digit, 0);
    if (digits.includes(-1) || value > 0xffff) return 'altered';
    if (digits.length < 3) return 'cut';
    bytes.push(value >> 8, value & 0xff);
  }
  return Uint8Array.from(bytes);
}
