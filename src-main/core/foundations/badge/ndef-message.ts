/**
 * Parses NDEF messages to records (NFC Forum, NDEF 1.0). Pure; never throws.
 *
 * Invariants:
 * - Every byte of the message belongs to a record.
 * - At most 16 records with at most 1 KiB of payload each.
 * - Chunked records are refused.
 * - Payloads are views of the input. Their content is not interpreted here.
 */

/** Limits that no real badge reaches. */
const mostRecords = 16;
const mostPayload = 1024;

/** Type name format (NDEF 1.0, 3.2.6), as far as it is supported. */
type NdefFormat = 'empty' | 'wellKnown' | 'media' | 'uri' | 'external' | 'unknown';

/** One record. `type` depends on the format: a short name, a media type, an address. */
export type NdefRecord = {
  readonly format: NdefFormat;
  readonly type: string;
  readonly payload: Uint8Array;
};

/** Why a message was refused. */
type NdefFault =
  | 'truncated'
  | 'trailing'
  | 'begin'
  | 'chunked'
  | 'reserved'
  | 'length'
  | 'tooManyRecords'
  | 'payloadTooLarge';

type NdefMessage =
  | { readonly kind: 'message'; readonly records: readonly NdefRecord[] }
  | { readonly kind: 'malformed'; readonly fault: NdefFault };

/** NDEF 1.0, 3.2: flag bits of a record's first byte. */
const messageBegin = 0x80;
const messageEnd = 0x40;
const chunkFlag = 0x20;
const shortRecord = 0x10;
const idLengthPresent = 0x08;

/** NDEF 1.0, 3.2.6: 6 (unchanged) belongs to chunks only and 7 is reserved. */
const formats: readonly NdefFormat[] = ['empty', 'wellKnown', 'media', 'uri', 'external', 'unknown'];

function malformed(fault: NdefFault): NdefMessage {
  return { kind: 'malformed', fault };
}

/** Offsets of one record's parts. Lengths in bytes. `end` is the offset after the record. */
type RecordLayout = {
  readonly typeAt: number;
  readonly typeLength: number;
  readonly idLength: number;
  readonly payloadAt: number;
  readonly end: number;
};

/**
 * Parses a complete NDEF message.
 * @param bytes The message itself, limited by the tag's length field; an empty message has no records.
 */
export function parseNdefMessage(bytes: Uint8Array): NdefMessage {
  const records: NdefRecord[] = [];
  let at = 0;
  let ended = bytes.length === 0;
  while (!ended) {
    const flags = bytes[at];
    if (flags === undefined) return malformed('truncated');
    if (records.length === mostRecords) return malformed('tooManyRecords');
    if (((flags & messageBegin) !== 0) !== (at === 0)) return malformed('begin');
    const record = parseRecord(bytes, at, flags);
    if ('fault' in record) return malformed(record.fault);
    records.push(record.record);
    at = record.end;
    ended = (flags & messageEnd) !== 0;
  }
  return at === bytes.length ? { kind: 'message', records } : malformed('trailing');
}

type ParsedRecord = { readonly record: NdefRecord; readonly end: number } | { readonly fault: NdefFault };

function parseRecord(bytes: Uint8Array, at: number, flags: number): ParsedRecord {
  if ((flags & chunkFlag) !== 0 || (flags & 0x07) === 6) return { fault: 'chunked' };
  const format = formats[flags & 0x07];
  if (format === undefined) return { fault: 'reserved' };
  const layout = layoutOf(bytes, at, flags);
  if (layout === null) return { fault: 'truncated' };
  const payloadLength = layout.end - layout.payloadAt;
  if (payloadLength > mostPayload) return { fault: 'payloadTooLarge' };
  if (layout.end > bytes.length) return { fault: 'truncated' };
  if (format === 'empty' && (layout.typeLength !== 0 || layout.idLength !== 0 || payloadLength !== 0))
    return { fault: 'length' };
  if (format === 'unknown' && layout.typeLength !== 0) return { fault: 'length' };
  return {
    record: {
      format,
      type: latin1(bytes.subarray(layout.typeAt, layout.typeAt + layout.typeLength)),
      payload: bytes.subarray(layout.payloadAt, layout.end),
    },
    end: layout.end,
  };
}

/** NDEF 1.0, 3.2: flags, type length, payload length (1 or 4 bytes), id length if present, type, id, payload. */
function layoutOf(bytes: Uint8Array, at: number, flags: number): RecordLayout | null {
  const short = (flags & shortRecord) !== 0;
  const hasId = (flags & idLengthPresent) !== 0;
  const headEnd = at + (short ? 3 : 6) + (hasId ? 1 : 0);
  if (headEnd > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const typeLength = view.getUint8(at + 1);
  const payloadLength = short ? view.getUint8(at + 2) : view.getUint32(at + 2);
  const idLength = hasId ? view.getUint8(headEnd - 1) : 0;
  const payloadAt = headEnd + typeLength + idLength;
  return { typeAt: headEnd, typeLength, idLength, payloadAt, end: payloadAt + payloadLength };
}

/** Types are US-ASCII (NDEF 1.0, 3.2.8). Other bytes match no known type. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
