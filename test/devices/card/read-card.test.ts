/** The exchange with a card: what is read from each type of tag, with how many commands, and how it fails. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseResponse } from '../../../src-main/devices/card/apdu.ts';
import type { Exchange, ReadStrategy } from '../../../src-main/devices/card/exchange.ts';
import { readMessage, readUid, tagTypeOfAtr } from '../../../src-main/devices/card/read-card.ts';
import {
  type CardModel,
  type Carries,
  createPhoneCard,
  createType2Card,
  createType4Card,
} from '../../../src-main/devices/virtual/card-model.ts';
import { ndefMessage, textRecord, uriRecord } from '../../core/foundations/badge/ndef-bytes.ts';

function atrOf(card: CardModel): string {
  return Buffer.from(card.atr).toString('hex').toUpperCase();
}

/** Runs an exchange with a model. Returns the number of commands and the result. */
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

const STRATEGIES: readonly ReadStrategy[] = ['small', 'bulk', 'through'];
const CARRIES: readonly Carries[] = ['bulk', 'refuses', 'through'];

function readingOf(card: CardModel, strategy: ReadStrategy) {
  return hold(readMessage(atrOf(card), strategy), (command) => card.answer(command) ?? new Uint8Array());
}

function ndefOf(card: CardModel, strategy: ReadStrategy = 'small') {
  return readingOf(card, strategy).result.ndef;
}

/** Every read strategy with every kind of reader that can use it without losing the tag. */
const COMBINATIONS = STRATEGIES.flatMap((strategy) => CARRIES.map((carries) => ({ strategy, carries })));

test('The type of tag follows from its ATR; MIFARE Classic is not read', () => {
  expect(tagTypeOfAtr('3B8F8001804F0CA0000003060300030000000068')).toBe('type2');
  expect(tagTypeOfAtr('3B8F8001804F0CA000000306030001000000006A')).toBe('other');
  expect(tagTypeOfAtr('3B8F8001804F0CA00000030611003B0000000042')).toBe('other');
  expect(tagTypeOfAtr('3B8180018080')).toBe('type4');
  expect(tagTypeOfAtr('3B6800000073C84012009000')).toBe('other');
  expect(tagTypeOfAtr('')).toBe('other');
});

test('Messages of up to 830 characters are read completely from both types of tag, with every read strategy', () => {
  for (const length of [0, 1, 2, 6, 8, 54, 60, 130, 230, 245, 246, 247, 250, 480, 600, 830]) {
    const message = ndefMessage(textRecord('x'.repeat(length)));
    const read = { state: 'read', bytes: message };
    for (const { strategy, carries } of COMBINATIONS) {
      expect(ndefOf(createType2Card('04A1B2C3D4E5F6', message, 872, carries), strategy)).toEqual(read);
    }
    for (const mostAnswer of [15, 59, 128, 256]) {
      for (const strategy of STRATEGIES) {
        expect(ndefOf(createType4Card('04A1B2C3D4E5F6', message, mostAnswer), strategy)).toEqual(read);
      }
    }
  }
});

test('A long message needs few commands if the reader supports bulk reads, and one extra command if it does not', () => {
  const message = ndefMessage(textRecord('x'.repeat(400)));
  const commandsOf = (carries: Carries, strategy: ReadStrategy) =>
    readingOf(createType2Card('04A1B2C3D4E5F6', message, 872, carries), strategy).commands;
  expect(commandsOf('refuses', 'small')).toBe(27);
  expect(commandsOf('bulk', 'bulk')).toBe(3);
  expect(commandsOf('through', 'through')).toBe(3);
  expect(commandsOf('refuses', 'bulk')).toBe(28);
  expect(commandsOf('refuses', 'through')).toBe(28);
  const type4 = (mostAnswer: number, strategy: ReadStrategy) =>
    readingOf(createType4Card('04A1B2C3D4E5F6', message, mostAnswer), strategy).commands;
  expect(type4(256, 'small')).toBe(11);
  expect(type4(256, 'bulk')).toBe(7);
});

test('A badge with a short address needs two commands on a type 2 tag and five on a type 4 tag', () => {
  const message = ndefMessage(uriRecord(4, 'badge.example/b/ABC123'));
  expect(readingOf(createType2Card('04A1B2C3D4E5F6', message), 'bulk').commands).toBe(2);
  expect(readingOf(createType4Card('04A1B2C3D4E5F6', message), 'bulk').commands).toBe(5);
});

test('The result of a bulk read is reported: refused, or a card that stopped answering', () => {
  const message = ndefMessage(textRecord('x'.repeat(100)));
  const bulkOf = (carries: Carries) =>
    readingOf(createType2Card('04A1B2C3D4E5F6', message, 144, carries), 'bulk').result;
  expect(bulkOf('bulk').bulk).toBe('fine');
  expect(bulkOf('refuses')).toEqual({ ndef: { state: 'read', bytes: message }, bulk: 'refused' });
  expect(bulkOf('loses')).toEqual({ ndef: { state: 'failed', reason: 'lost' }, bulk: 'lost' });
});

test('A tag too small for the native bulk command is read without it', () => {
  const message = ndefMessage(textRecord('x'.repeat(25)));
  const { result, commands } = readingOf(
    createType2Card('04A1B2C3D4E5F6', message, 48, 'through'),
    'through',
  );
  expect(result).toEqual({ ndef: { state: 'read', bytes: message }, bulk: 'fine' });
  expect(commands).toBe(3);
});

test.each(COMBINATIONS)(
  'A tag is never read beyond the size that its container states ($strategy, $carries)',
  ({ strategy, carries }) => {
    // The model answers 63 00 to such a read, and then to every command, as real readers do.
    for (const size of [48, 144, 496]) {
      const full = ndefMessage({ tnf: 5, type: '', payload: new Uint8Array(Math.min(size - 12, 240)) });
      for (const message of [null, full]) {
        const card = createType2Card('04A1B2C3D4E5F6', message, size, carries);
        ndefOf(card, strategy);
        expect(parseResponse(card.answer(Uint8Array.of(0xff, 0xca, 0, 0, 0)) ?? new Uint8Array()).kind).toBe(
          'ok',
        );
      }
    }
  },
);

test('Empty tags and tags without the application have no message', () => {
  expect(ndefOf(createType2Card('04A1B2C3D4E5F6', null))).toEqual({ state: 'none' });
  expect(ndefOf(createType4Card('04A1B2C3D4E5F6', null))).toEqual({ state: 'none' });
  expect(ndefOf(createPhoneCard('08A1B2C3'))).toEqual({ state: 'none' });
});

test('The UID is read from the answer, and kinds of refusals are distinguished', () => {
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
  const { result } = hold(readMessage(atrOf(card), 'small'), (command) => {
    answers += 1;
    return answers > 2 ? Uint8Array.of(0x63, 0x00) : (card.answer(command) ?? new Uint8Array());
  });
  expect(result.ndef).toEqual({ state: 'failed', reason: 'lost' });
});

test('Every exchange ends soon and with an outcome, whatever a card answers', () => {
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
    fc.property(answers, atr, fc.constantFrom(...STRATEGIES), (stream, announced, strategy) => {
      const next = () => stream.next().value ?? new Uint8Array();
      expect(hold(readUid(), next).commands).toBe(1);
      const { result, commands } = hold(readMessage(announced, strategy), next);
      expect(commands).toBeLessThan(100);
      expect(['read', 'none', 'failed']).toContain(result.ndef.state);
      if (result.ndef.state === 'read') expect(result.ndef.bytes.length).toBeLessThanOrEqual(1024);
    }),
    { numRuns: 10_000 },
  );
});
