/** Where the message is in the memory of a Type 2 tag and in the file of a Type 4 tag. */
import { expect, test } from 'vitest';
import { readType2Container, walkType2 } from '../../../../src-main/core/foundations/badge/type2-memory.ts';
import {
  readType4Container,
  readType4Length,
} from '../../../../src-main/core/foundations/badge/type4-file.ts';
import { bytesOf } from './ndef-bytes.ts';

test('The capability container of a Type 2 tag gives its size, or says that it is protected or invalid', () => {
  expect(readType2Container(bytesOf('E1 10 12 00'))).toEqual({ kind: 'area', size: 144 });
  expect(readType2Container(bytesOf('E1 10 FF 00'))).toEqual({ kind: 'area', size: 1024 });
  expect(readType2Container(bytesOf('E1 10 12 F0'))).toEqual({ kind: 'locked' });
  for (const other of ['00 00 00 00', 'E1 20 12 00', 'E1 10 00 00', 'E1 10', '']) {
    expect(readType2Container(bytesOf(other))).toEqual({ kind: 'none' });
  }
});

test('The walk skips lock, memory and proprietary blocks and finds the message', () => {
  const area = bytesOf('00 01 03 A0 0C 34 02 01 FF FD 00 03 02 AA BB FE');
  expect(walkType2(area, 48)).toEqual({ kind: 'message', from: 13, to: 15 });
});

test('The walk requests only the bytes that it needs, and never more than the area has', () => {
  expect(walkType2(bytesOf(''), 48)).toEqual({ kind: 'need', bytes: 1 });
  expect(walkType2(bytesOf('03'), 48)).toEqual({ kind: 'need', bytes: 2 });
  expect(walkType2(bytesOf('03 FF 01'), 1024)).toEqual({ kind: 'need', bytes: 4 });
  expect(walkType2(bytesOf('03 FF 01 00'), 1024)).toEqual({ kind: 'need', bytes: 260 });
  expect(walkType2(bytesOf('03 2F'), 48)).toEqual({ kind: 'malformed' });
  expect(walkType2(bytesOf('03 FF FF FF'), 1024)).toEqual({ kind: 'malformed' });
});

test('An area without a message or with an empty one has none, and an unknown block is malformed', () => {
  expect(walkType2(bytesOf('FE'), 48)).toEqual({ kind: 'none' });
  expect(walkType2(bytesOf('03 00 FE'), 48)).toEqual({ kind: 'none' });
  expect(walkType2(new Uint8Array(48), 48)).toEqual({ kind: 'none' });
  expect(walkType2(bytesOf('7A 01 00'), 48)).toEqual({ kind: 'malformed' });
});

test('The capability container of a Type 4 tag gives the file, its size and the maximum answer', () => {
  expect(readType4Container(bytesOf('00 0F 20 00 3B 00 34 04 06 E1 04 04 00 00 00'))).toEqual({
    kind: 'file',
    id: [0xe1, 0x04],
    size: 1024,
    mostAnswer: 59,
  });
  expect(readType4Container(bytesOf('00 0F 20 04 00 00 34 04 06 E1 04 04 00 00 00'))).toMatchObject({
    mostAnswer: 1024,
  });
  expect(readType4Container(bytesOf('00 0F 20 00 3B 00 34 04 06 E1 04 04 00 FF 00'))).toEqual({
    kind: 'locked',
  });
  for (const other of [
    '',
    '00 0F 20 00 3B 00 34 05 06 E1 04 04 00 00 00',
    '00 0F 20 00 01 00 34 04 06 E1 04 04 00 00 00',
  ]) {
    expect(readType4Container(bytesOf(other))).toEqual({ kind: 'none' });
  }
});

test('The length of a Type 4 message must fit its file', () => {
  expect(readType4Length(bytesOf('00 00'), 100)).toEqual({ kind: 'none' });
  expect(readType4Length(bytesOf('00 62'), 100)).toEqual({ kind: 'message', length: 98 });
  expect(readType4Length(bytesOf('00 63'), 100)).toEqual({ kind: 'malformed' });
  expect(readType4Length(bytesOf('FF FF'), 0xffff)).toEqual({ kind: 'malformed' });
  expect(readType4Length(bytesOf('00'), 100)).toEqual({ kind: 'malformed' });
});
