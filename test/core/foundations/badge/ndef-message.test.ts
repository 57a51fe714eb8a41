/** How NDEF messages are parsed: their records, addresses and texts, and why a message is refused. */
import { expect, test } from 'vitest';
import { parseNdefMessage } from '../../../../src-main/core/foundations/badge/ndef-message.ts';
import { contentsOfRecords } from '../../../../src-main/core/foundations/badge/ndef-text.ts';
import {
  bytesOf,
  ndefMessage,
  posterRecord,
  type RecordToBuild,
  textRecord,
  uriRecord,
  utf16Record,
} from './ndef-bytes.ts';

const faultOf = (bytes: Uint8Array) => {
  const message = parseNdefMessage(bytes);
  return message.kind === 'malformed' ? message.fault : 'none';
};

const contentsOf = (...records: readonly RecordToBuild[]) => {
  const message = parseNdefMessage(ndefMessage(...records));
  if (message.kind === 'malformed') throw new Error(message.fault);
  return contentsOfRecords(message.records);
};

test('A URI record written by hand from the specification is read', () => {
  const message = parseNdefMessage(bytesOf('D1 01 0A 55 04 62 2E 65 78 2F 63 61 72 64'));
  expect(message).toMatchObject({ kind: 'message', records: [{ format: 'wellKnown', type: 'U' }] });
});

test('An empty message has no records', () => {
  expect(parseNdefMessage(new Uint8Array())).toEqual({ kind: 'message', records: [] });
});

test('Short and long records are read, with and without id', () => {
  const payload = Uint8Array.of(4, 120);
  for (const shape of [{}, { long: true }, { id: 'x' }, { long: true, id: '' }]) {
    const message = parseNdefMessage(ndefMessage({ tnf: 1, type: 'U', payload, ...shape }));
    expect(message).toEqual({ kind: 'message', records: [{ format: 'wellKnown', type: 'U', payload }] });
  }
});

test('An inconsistent message is refused with a reason', () => {
  const good = ndefMessage(uriRecord(4, 'a.example/1'), textRecord('x'));
  expect(faultOf(good.subarray(0, -1))).toBe('truncated');
  expect(faultOf(Uint8Array.of(...good, 0))).toBe('trailing');
  expect(faultOf(bytesOf('D1'))).toBe('truncated');
  expect(faultOf(bytesOf('51 01 01 55 00'))).toBe('begin');
  expect(faultOf(bytesOf('91 01 01 55 00 D1 01 01 55 00'))).toBe('begin');
  expect(faultOf(bytesOf('91 01 01 55 00'))).toBe('truncated');
  expect(faultOf(bytesOf('F1 01 01 55 00'))).toBe('chunked');
  expect(faultOf(bytesOf('D6 00 01 00'))).toBe('chunked');
  expect(faultOf(bytesOf('D7 00 01 00'))).toBe('reserved');
  expect(faultOf(bytesOf('D0 00 01 00'))).toBe('length');
  expect(faultOf(bytesOf('D5 01 01 55 00'))).toBe('length');
  expect(faultOf(bytesOf('C1 01 FF FF FF FF 55 00'))).toBe('payloadTooLarge');
});

test('Sixteen records are read and seventeen refused; a payload of 1,024 bytes is read and of 1,025 refused', () => {
  const records = Array.from({ length: 17 }, () => textRecord('x'));
  expect(parseNdefMessage(ndefMessage(...records.slice(1)))).toMatchObject({ kind: 'message' });
  expect(faultOf(ndefMessage(...records))).toBe('tooManyRecords');
  const sized = (length: number) => ndefMessage({ tnf: 4, type: 'a:b', payload: new Uint8Array(length) });
  expect(faultOf(sized(1024))).toBe('none');
  expect(faultOf(sized(1025))).toBe('payloadTooLarge');
});

test('Addresses get the prefix of their code, and codes beyond the table are refused', () => {
  expect(contentsOf(uriRecord(4, 'a.example/1'), uriRecord(2, 'b.example'), uriRecord(35, 'ext:x'))).toEqual([
    { kind: 'uri', uri: 'https://a.example/1' },
    { kind: 'uri', uri: 'https://www.b.example' },
    { kind: 'uri', uri: 'urn:nfc:ext:x' },
  ]);
  expect(contentsOf(uriRecord(36, 'a.example'))).toEqual([]);
});

test('Text is read in UTF-8 and UTF-16, and one invalid byte refuses it', () => {
  expect(contentsOf(textRecord('小林 武', 'ja'), utf16Record('Zoë 🙂'))).toEqual([
    { kind: 'text', text: '小林 武' },
    { kind: 'text', text: 'Zoë 🙂' },
  ]);
  const text = (...payload: readonly number[]) =>
    contentsOf({ tnf: 1, type: 'T', payload: Uint8Array.from(payload) });
  expect(text(2, 0x65, 0x6e, 0xc3)).toEqual([]);
  expect(text(2, 0x65, 0x6e, 0xc0, 0xaf)).toEqual([]);
  expect(text(0x82, 0x65, 0x6e, 0xd8, 0x00)).toEqual([]);
  expect(text(0x82, 0x65, 0x6e, 0x00)).toEqual([]);
  expect(text(0x3f, 0x65)).toEqual([]);
  expect(text()).toEqual([]);
  expect(text(0x82, 0x65, 0x6e, 0xff, 0xfe, 0x41, 0x00)).toEqual([{ kind: 'text', text: 'A' }]);
  expect(text(0x82, 0x65, 0x6e, 0xfe, 0xff, 0x00, 0x41)).toEqual([{ kind: 'text', text: 'A' }]);
});

test('A smart poster is opened once, and a poster inside it is ignored', () => {
  expect(contentsOf(posterRecord(textRecord('title'), uriRecord(4, 'a.example/1')))).toEqual([
    { kind: 'text', text: 'title' },
    { kind: 'uri', uri: 'https://a.example/1' },
  ]);
  expect(contentsOf(posterRecord(posterRecord(uriRecord(4, 'a.example/1'))))).toEqual([]);
  expect(contentsOf({ tnf: 1, type: 'Sp', payload: Uint8Array.of(1, 2, 3) })).toEqual([]);
});
