import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseResponse } from '../../../src-main/devices/card/apdu.ts';
import { type Exchange, readNdef, readUid, tagTypeOfAtr } from '../../../src-main/devices/card/read-card.ts';
import {
  type CardModel,
  createPhoneCard,
  createType2Card,
  createType4Card,
} from '../../../src-main/devices/virtual/card-model.ts';
import { ndefMessage, textRecord } from '../../core/badge/ndef-bytes.ts';

function atrOf(card: CardModel): string {
  return Buffer.from(card.atr).toString('hex').toUpperCase();
}

/** Holds a conversation with a model; how many commands it took and what came of it. */
function hold<T>(talk: Exchange<T>, answer: (command: Uint8Array) => Uint8Array) {
  let commands = 0;
  let step = talk.next();
  while (step.done !== true) {
    commands += 1;
    if (commands > 200) throw new Error('The conversation does not end');
    step = talk.next(answer(step.value));
  }
  return { commands, result: step.value };
}

function ndefOf(card: CardModel) {
  return hold(readNdef(atrOf(card)), (command) => card.answer(command) ?? new Uint8Array()).result;
}

test('The kind of tag is told by its ATR; MIFARE Classic is left alone', () => {
  expect(tagTypeOfAtr('3B8F8001804F0CA0000003060300030000000068')).toBe('type2');
  expect(tagTypeOfAtr('3B8F8001804F0CA000000306030001000000006A')).toBe('other');
  expect(tagTypeOfAtr('3B8F8001804F0CA00000030611003B0000000042')).toBe('other');
  expect(tagTypeOfAtr('3B8180018080')).toBe('type4');
  expect(tagTypeOfAtr('3B6800000073C84012009000')).toBe('other');
  expect(tagTypeOfAtr('')).toBe('other');
});

test('Messages of every length up to a kilobyte come back whole from both types of tag', () => {
  for (const length of [0, 1, 2, 6, 8, 60, 130, 230, 245, 246, 247, 250, 600, 830]) {
    const message = ndefMessage(textRecord('x'.repeat(length)));
    const read = { state: 'read', bytes: message };
    expect(ndefOf(createType2Card('04A1B2C3D4E5F6', message, 872))).toEqual(read);
    expect(ndefOf(createType4Card('04A1B2C3D4E5F6', message))).toEqual(read);
  }
});

test('A tag is never asked past the size its container names', () => {
  // The model answers 63 00 to such a read and then to everything, as readers do.
  for (const size of [48, 144, 496]) {
    const full = ndefMessage({ tnf: 5, type: '', payload: new Uint8Array(Math.min(size - 12, 240)) });
    for (const message of [null, full]) {
      const card = createType2Card('04A1B2C3D4E5F6', message, size);
      ndefOf(card);
      expect(parseResponse(card.answer(Uint8Array.of(0xff, 0xca, 0, 0, 0)) ?? new Uint8Array()).kind).toBe(
        'ok',
      );
    }
  }
});

test('Empty tags and tags without the application have no message', () => {
  expect(ndefOf(createType2Card('04A1B2C3D4E5F6', null))).toEqual({ state: 'none' });
  expect(ndefOf(createType4Card('04A1B2C3D4E5F6', null))).toEqual({ state: 'none' });
  expect(ndefOf(createPhoneCard('08A1B2C3'))).toEqual({ state: 'none' });
});

test('The UID is read from its answer, and refusals are told apart', () => {
  const uidOf = (hex: string) => hold(readUid(), () => new Uint8Array(Buffer.from(hex, 'hex'))).result;
  expect(uidOf('04A1B2C3D4E5F69000')).toEqual({ kind: 'uid', uid: '04A1B2C3D4E5F6' });
  expect(uidOf('9000')).toEqual({ kind: 'uid', uid: '' });
  expect(uidOf('6A81')).toEqual({ kind: 'uid', uid: '' });
  expect(uidOf('6D00')).toEqual({ kind: 'uid', uid: '' });
  expect(uidOf('6300')).toEqual({ kind: 'failed', why: 'lost' });
  expect(uidOf('6982')).toEqual({ kind: 'failed', why: 'denied' });
  expect(uidOf('')).toEqual({ kind: 'failed', why: 'garbage' });
  expect(uidOf(`${'00'.repeat(17)}9000`)).toEqual({ kind: 'failed', why: 'garbage' });
});

test('A tag that is lost half-way fails with that reason', () => {
  const card = createType2Card('04A1B2C3D4E5F6', ndefMessage(textRecord('x'.repeat(100))));
  let answers = 0;
  const { result } = hold(readNdef(atrOf(card)), (command) => {
    answers += 1;
    return answers > 2 ? Uint8Array.of(0x63, 0x00) : (card.answer(command) ?? new Uint8Array());
  });
  expect(result).toEqual({ state: 'failed', reason: 'lost' });
});

test('Whatever a card answers, every conversation ends soon and with an outcome', () => {
  const noise = fc.uint8Array({ maxLength: 64 });
  const success = noise.map((bytes) => Uint8Array.of(...bytes, 0x90, 0x00));
  const container = fc.constantFrom(
    Uint8Array.of(0xe1, 0x10, 0xff, 0x00, 1, 3, 1, 1, 1, 3, 0xff, 3, 0xff, 0, 0, 0, 0x90, 0x00),
    Uint8Array.of(0, 15, 0x20, 0, 0x3b, 0, 0x34, 4, 6, 0xe1, 4, 0xff, 0xff, 0, 0, 0x90, 0x00),
    Uint8Array.of(3, 0xe8, 0x90, 0x00),
  );
  const status = fc
    .constantFrom([0x63, 0x00], [0x6a, 0x82], [0x6c, 0x10], [0x61, 0x05])
    .map((sw) => Uint8Array.from(sw));
  const answers = fc.infiniteStream(fc.oneof(noise, success, container, status));
  const atr = fc.constantFrom('3B8F8001804F0CA0000003060300030000000068', '3B8180018080', '');
  fc.assert(
    fc.property(answers, atr, (stream, announced) => {
      const next = () => stream.next().value ?? new Uint8Array();
      expect(hold(readUid(), next).commands).toBe(1);
      const { result, commands } = hold(readNdef(announced), next);
      expect(commands).toBeLessThan(100);
      expect(['read', 'none', 'failed']).toContain(result.state);
      if (result.state === 'read') expect(result.bytes.length).toBeLessThanOrEqual(1024);
    }),
    { numRuns: 10_000 },
  );
});
