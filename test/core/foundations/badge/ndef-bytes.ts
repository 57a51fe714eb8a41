/** Builds NDEF messages for tests from the specification (NFC Forum, NDEF 1.0), independent of the parser. */

/** One record to build. `tnf` is the type name format. */
export type RecordToBuild = {
  readonly tnf: number;
  readonly type: string;
  readonly payload: Uint8Array;
  readonly id?: string;
  readonly long?: boolean;
};

/** A message of these records. */
export const ndefMessage = (...records: readonly RecordToBuild[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      records.map((record, i) => {
        const short = record.long !== true && record.payload.length < 256;
        const flags =
          (i === 0 ? 0x80 : 0) |
          (i === records.length - 1 ? 0x40 : 0) |
          (short ? 0x10 : 0) |
          (record.id === undefined ? 0 : 0x08) |
          record.tnf;
        const length = Buffer.alloc(short ? 1 : 4);
        if (short) length.writeUInt8(record.payload.length);
        else length.writeUInt32BE(record.payload.length);
        const id = Buffer.from(record.id ?? '', 'latin1');
        return Buffer.concat([
          Buffer.from([flags, record.type.length]),
          length,
          Buffer.from(record.id === undefined ? [] : [id.length]),
          Buffer.from(record.type, 'latin1'),
          id,
          record.payload,
        ]);
      }),
    ),
  );

/** A URI record. `prefix` is a code of the table in the URI record type definition. */
export const uriRecord = (prefix: number, rest: string): RecordToBuild => ({
  tnf: 1,
  type: 'U',
  payload: new Uint8Array([prefix, ...Buffer.from(rest)]),
});

/** A text record in UTF-8. */
export const textRecord = (text: string, language = 'en'): RecordToBuild => ({
  tnf: 1,
  type: 'T',
  payload: new Uint8Array([language.length, ...Buffer.from(language), ...Buffer.from(text)]),
});

/** A text record in big-endian UTF-16 without byte order mark. */
export const utf16Record = (text: string): RecordToBuild => ({
  tnf: 1,
  type: 'T',
  payload: new Uint8Array([0x82, 0x65, 0x6e, ...Buffer.from(text, 'utf16le').swap16()]),
});

/** A smart poster around other records. */
export const posterRecord = (...records: readonly RecordToBuild[]): RecordToBuild => ({
  tnf: 1,
  type: 'Sp',
  payload: ndefMessage(...records),
});

/** The bytes of a hex text. */
export const bytesOf = (hex: string): Uint8Array =>
  new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
