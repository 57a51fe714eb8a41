/**
 * The text of a signed file of one device, short enough for a QR code that the camera of a laptop reads.
 *
 *   file ─► without spaces ─► deflate (RFC 1951) with a dictionary ─► base45 (RFC 9285) behind `TOUCHPOINT:1:`
 *
 * Invariants: pure; a code says what the file says, byte for byte, signature included, so that whatever is asked of a file
 * is asked of a code; a code that is cut, altered or of a newer version is told apart; none unpacks to more than a file of
 * one device can be.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const MARK = /^TOUCHPOINT:(\d{1,3}):/;
const VERSION = 1;
const LARGEST = 20_000;

/**
 * What files of this kind have in common, the commonest at the end. Never changed: another one is another version of the
 * code, because nothing but the same dictionary unpacks it.
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

/** The text of a file, or why a code holds none. */
export type ReadCode =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: 'notOurs' | 'newer' | 'cut' | 'altered' };

/** The code of a signed file as `writeProvision` wrote it. */
export function writeCode(file: string): string {
  const short = JSON.stringify(JSON.parse(file));
  return `TOUCHPOINT:${VERSION}:${base45(deflateRawSync(short, { level: 9, dictionary: DICTIONARY }))}`;
}

/** The file that a code holds; whether it is signed and sound is for `readProvision` to say. */
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
    // What zlib says of bytes that end before the text does.
    return refused((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' ? 'cut' : 'altered');
  }
}

function refused(reason: Extract<ReadCode, { kind: 'refused' }>['reason']): ReadCode {
  return { kind: 'refused', reason };
}

/** Two bytes are three digits, the least significant first. A last byte alone gets a zero beside it, which deflate ignores. */
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
