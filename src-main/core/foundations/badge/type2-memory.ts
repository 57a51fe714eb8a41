/**
 * The memory of a Type 2 tag (NTAG21x, Ultralight): the position of its NDEF message. Pure; never throws.
 *
 * Invariants:
 * - Nothing outside the data area, whose size the capability container states, is ever read.
 * - The walk always ends, because every step advances.
 */

/** Largest data area that is read, in bytes; an NTAG216 has 872. */
const mostArea = 1024;

/** NFC Forum, Type 2 Tag 1.1, 6.1: the capability container (page 3). */
type Type2Container =
  | { readonly kind: 'area'; readonly size: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'locked' };

/** Reads a capability container: magic `E1`, version 1.x, size / 8, access (upper nibble 0: readable). */
export function readType2Container(container: Uint8Array): Type2Container {
  const [magic, version, size, access] = container;
  if (magic !== 0xe1 || version === undefined || size === undefined || access === undefined)
    return { kind: 'none' };
  if (version >> 4 !== 1 || size === 0) return { kind: 'none' };
  if (access >> 4 !== 0) return { kind: 'locked' };
  return { kind: 'area', size: Math.min(size * 8, mostArea) };
}

/** State of the walk with the current bytes: found, none, invalid, or this many bytes needed. */
export type Type2Walk =
  | { readonly kind: 'message'; readonly from: number; readonly to: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'need'; readonly bytes: number };

/** Type 2 Tag 1.1, 2.3: TLV tags. */
const nullTag = 0x00;
const ndefTag = 0x03;
const terminatorTag = 0xfe;
const knownTags: readonly number[] = [0x01, 0x02, 0xfd];

/**
 * Finds the first NDEF message TLV.
 * @param have The first bytes of the data area, as many as were read so far.
 * @param size Size of the data area in bytes.
 * @returns `need` is the number of bytes from the start that are required to continue; it is more than `have.length`,
 * at most `size`.
 */
export function walkType2(have: Uint8Array, size: number): Type2Walk {
  let at = 0;
  while (at < size) {
    const tag = have[at];
    if (tag === undefined) return { kind: 'need', bytes: at + 1 };
    if (tag === terminatorTag) return { kind: 'none' };
    if (tag === nullTag) {
      at += 1;
      continue;
    }
    if (tag !== ndefTag && !knownTags.includes(tag)) return { kind: 'malformed' };
    const value = valueOfTlv(have, at, size);
    if (value.kind !== 'value') return value;
    if (tag === ndefTag) return messageAt(have, value.from, value.to);
    at = value.to;
  }
  return { kind: 'none' };
}

function messageAt(have: Uint8Array, from: number, to: number): Type2Walk {
  if (from === to) return { kind: 'none' };
  return to > have.length ? { kind: 'need', bytes: to } : { kind: 'message', from, to };
}

type TlvValue = { readonly kind: 'value'; readonly from: number; readonly to: number } | Type2Walk;

/** Type 2 Tag 1.1, 2.3: length in one byte, or `FF` and two bytes, most significant first. */
function valueOfTlv(have: Uint8Array, at: number, size: number): TlvValue {
  const short = have[at + 1];
  const lengthEnd = at + (short === 0xff ? 4 : 2);
  if (lengthEnd > size) return { kind: 'malformed' };
  if (short === undefined) return { kind: 'need', bytes: at + 2 };
  if (lengthEnd > have.length) return { kind: 'need', bytes: lengthEnd };
  const length = short === 0xff ? ((have[at + 2] ?? 0) << 8) | (have[at + 3] ?? 0) : short;
  const to = lengthEnd + length;
  return to > size ? { kind: 'malformed' } : { kind: 'value', from: lengthEnd, to };
}
