/**
 * Files of a Type 4 tag (DESFire, NTAG 424, JavaCard): capability container and length arithmetic. Pure.
 *
 * Invariant: nothing beyond the NDEF file's stated size is ever read.
 */

/** Largest message that is read, in bytes. */
const mostMessage = 1024;

/** The NDEF file in the capability container. `mostAnswer`: the maximum size of one answer of the tag in bytes. */
type Type4Container =
  | {
      readonly kind: 'file';
      readonly id: readonly [number, number];
      readonly size: number;
      readonly mostAnswer: number;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'locked' };

/** Required bytes of the capability container: up to the end of the first file control TLV. */
export const type4ContainerLength = 15;

/**
 * NFC Forum, Type 4 Tag 2.0, 5.1: CCLEN (2), version, MLe (2), MLc (2), then T = 04, L = 06, file id (2),
 * largest size (2), read access, write access.
 */
export function readType4Container(bytes: Uint8Array): Type4Container {
  if (bytes.length < type4ContainerLength) return { kind: 'none' };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint8(2) >> 4;
  if (view.getUint16(0) < type4ContainerLength || version < 1 || version > 3) return { kind: 'none' };
  if (view.getUint8(7) !== 0x04 || view.getUint8(8) !== 0x06) return { kind: 'none' };
  const size = view.getUint16(11);
  const mostAnswer = view.getUint16(3);
  if (size < 3 || mostAnswer < 2) return { kind: 'none' };
  if (view.getUint8(13) !== 0x00) return { kind: 'locked' };
  return { kind: 'file', id: [view.getUint8(9), view.getUint8(10)], size, mostAnswer };
}

/** The value of NLEN, the first two bytes of the NDEF file. */
type Type4Length =
  | { readonly kind: 'message'; readonly length: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' };

/** Type 4 Tag 2.0, 5.2: NLEN counts the bytes after it and cannot exceed the file. */
export function readType4Length(nlen: Uint8Array, fileSize: number): Type4Length {
  const [high, low] = nlen;
  if (high === undefined || low === undefined) return { kind: 'malformed' };
  const length = (high << 8) | low;
  if (length === 0) return { kind: 'none' };
  return length + 2 > fileSize || length > mostMessage ? { kind: 'malformed' } : { kind: 'message', length };
}
