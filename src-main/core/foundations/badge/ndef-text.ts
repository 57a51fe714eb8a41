/**
 * Content of NDEF records: addresses, texts and contact cards. Pure; never throws.
 *
 * Invariants:
 * - Text is decoded strictly: one invalid byte refuses the record.
 * - A smart poster is opened once. A smart poster inside it is ignored.
 */
import { type NdefRecord, parseNdefMessage } from './ndef-message.ts';

/** The content of a record. It is data: never open it as an address, never use it as HTML. */
export type NdefContent =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'contact'; readonly text: string };

/** NFC Forum, URI record type definition 1.0, table 3: abbreviations by their code. */
const uriPrefixes: readonly string[] = [
  '',
  'http://www.',
  'https://www.',
  'http://',
  'https://',
  'tel:',
  'mailto:',
  'ftp://anonymous:anonymous@',
  'ftp://ftp.',
  'ftps://',
  'sftp://',
  'smb://',
  'nfs://',
  'ftp://',
  'dav://',
  'news:',
  'telnet://',
  'imap:',
  'rtsp://',
  'urn:',
  'pop:',
  'sip:',
  'sips:',
  'tftp:',
  'btspp://',
  'btl2cap://',
  'btgoep://',
  'tcpobex://',
  'irdaobex://',
  'file://',
  'urn:epc:id:',
  'urn:epc:tag:',
  'urn:epc:pat:',
  'urn:epc:raw:',
  'urn:epc:',
  'urn:nfc:',
];

/** All contents that may identify a badge, in order. Unreadable records are left out. */
export function contentsOfRecords(records: readonly NdefRecord[]): readonly NdefContent[] {
  return records.flatMap((record) => contentsOfRecord(record, true));
}

function contentsOfRecord(record: NdefRecord, mayNest: boolean): readonly NdefContent[] {
  if (record.format === 'uri') return [{ kind: 'uri', uri: record.type }];
  if (record.format === 'media') return contactOfRecord(record);
  if (record.format !== 'wellKnown') return [];
  switch (record.type) {
    case 'U':
      return uriOfPayload(record.payload);
    case 'T':
      return textOfPayload(record.payload);
    case 'Sp':
      return mayNest ? contentsOfPoster(record.payload) : [];
    default:
      return [];
  }
}

/** NFC Forum, smart poster 1.1: the payload is itself a message. Its address is the identifier. */
function contentsOfPoster(payload: Uint8Array): readonly NdefContent[] {
  const message = parseNdefMessage(payload);
  if (message.kind === 'malformed') return [];
  return message.records.flatMap((record) => contentsOfRecord(record, false));
}

/** URI record type definition 1.0, 3.2: one byte of prefix code, then UTF-8. Codes beyond the table are reserved. */
function uriOfPayload(payload: Uint8Array): readonly NdefContent[] {
  const prefix = uriPrefixes[payload[0] ?? -1];
  const rest = decodeStrictly('utf-8', payload.subarray(1));
  return prefix === undefined || rest === null ? [] : [{ kind: 'uri', uri: prefix + rest }];
}

/**
 * Text record type definition 1.0, 3.2: bit 7 of the first byte means UTF-16, bits 0 to 5 are the length of the
 * language code. UTF-16 without byte order mark is big-endian (3.4).
 */
function textOfPayload(payload: Uint8Array): readonly NdefContent[] {
  const status = payload[0];
  if (status === undefined) return [];
  const textAt = 1 + (status & 0x3f);
  if (textAt > payload.length) return [];
  const body = payload.subarray(textAt);
  const text = (status & 0x80) === 0 ? decodeStrictly('utf-8', body) : decodeUtf16(body);
  return text === null ? [] : [{ kind: 'text', text }];
}

function contactOfRecord(record: NdefRecord): readonly NdefContent[] {
  const type = record.type.toLowerCase().split(';')[0]?.trim();
  if (type !== 'text/vcard' && type !== 'text/x-vcard') return [];
  const text = decodeStrictly('utf-8', record.payload);
  return text === null ? [] : [{ kind: 'contact', text }];
}

function decodeUtf16(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeStrictly('utf-16le', bytes.subarray(2));
  const marked = bytes[0] === 0xfe && bytes[1] === 0xff;
  return decodeStrictly('utf-16be', marked ? bytes.subarray(2) : bytes);
}

/** The text, or null when the bytes are not valid in that encoding. */
function decodeStrictly(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string | null {
  if (encoding !== 'utf-8' && bytes.length % 2 !== 0) return null;
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.isWellFormed() ? text : null;
  } catch {
    // A fatal decoder throws on the first invalid byte. Then the text has another encoding.
    return null;
  }
}
