/** Garbage for every parser of cards and codes: it never throws, never hangs, and returns bounded results. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badgeOfCard, badgeOfText } from '../../../../src-main/core/foundations/badge/decode.ts';
import { parseNdefMessage } from '../../../../src-main/core/foundations/badge/ndef-message.ts';
import { contentsOfRecords } from '../../../../src-main/core/foundations/badge/ndef-text.ts';
import { openProfile } from '../../../../src-main/core/foundations/badge/profile.ts';
import { walkType2 } from '../../../../src-main/core/foundations/badge/type2-memory.ts';
import { ndefMessage } from './ndef-bytes.ts';

/** Well-formed messages, so that mutations get past the first byte. */
const builtMessage = fc
  .array(
    fc.record({
      tnf: fc.integer({ min: 0, max: 7 }),
      type: fc.constantFrom('U', 'T', 'Sp', 'text/vcard', '', 'x:y'),
      payload: fc.uint8Array({ maxLength: 40 }),
      long: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((records) => ndefMessage(...records));

/** A valid message with some bytes changed and a piece removed or added. */
const mutatedMessage = fc
  .tuple(
    builtMessage,
    fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 3 }),
    fc.integer({ min: -4, max: 4 }),
  )
  .map(([message, changes, more]) => {
    const bytes = new Uint8Array(Math.max(0, message.length + more));
    bytes.set(message.subarray(0, bytes.length));
    for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
    return bytes;
  });

const anyMessage = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  { weight: 3, arbitrary: mutatedMessage },
);

test('100,000 random NDEF messages give at most 16 records within their bytes, or a reason', () => {
  let messages = 0;
  fc.assert(
    fc.property(anyMessage, (bytes) => {
      const message = parseNdefMessage(bytes);
      if (message.kind === 'message') {
        messages += 1;
        const payload = message.records.reduce((sum, record) => sum + record.payload.length, 0);
        expect(message.records.length).toBeLessThanOrEqual(16);
        expect(payload).toBeLessThanOrEqual(bytes.length);
        contentsOfRecords(message.records);
      }
    }),
    { numRuns: 100_000 },
  );
  // Both results must occur, or the fuzz test proves nothing.
  expect(messages).toBeGreaterThan(1_000);
  expect(messages).toBeLessThan(99_000);
}, 60_000);

test('If any content of a card results in a badge, the UID comes first and no code is repeated', () => {
  fc.assert(
    fc.property(anyMessage, (bytes) => {
      const reading = badgeOfCard(
        { uid: '04A1B2C3D4E5F6', atr: '', ndef: { state: 'read', bytes } },
        openProfile,
      );
      if (reading.kind === 'badge') {
        expect(reading.codes[0]).toBe('04A1B2C3D4E5F6');
        expect(new Set(reading.codes).size).toBe(reading.codes.length);
      }
    }),
    { numRuns: 20_000 },
  );
});

test('Any typed or scanned code is non-empty and has no control characters', () => {
  const fragment = fc.constantFrom(
    'https://',
    'BEGIN:VCARD\n',
    'MECARD:',
    'UID:',
    'X-ID:',
    '\\',
    ';',
    '%',
    '/c/',
    '?id=',
  );
  const text = fc
    .array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (typed) => {
      const reading = badgeOfText(typed, openProfile);
      if (reading.kind !== 'badge') return;
      for (const code of reading.codes) expect(code).toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
    }),
    { numRuns: 10_000 },
  );
});

test('The walk through a Type 2 tag always ends and never leaves the area', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 128 }), fc.integer({ min: 8, max: 1024 }), (memory, size) => {
      const walk = walkType2(memory.subarray(0, size), size);
      if (walk.kind === 'need') {
        expect(walk.bytes).toBeGreaterThan(Math.min(memory.length, size));
        expect(walk.bytes).toBeLessThanOrEqual(size);
      }
      if (walk.kind === 'message') expect(walk.to).toBeLessThanOrEqual(Math.min(memory.length, size));
    }),
    { numRuns: 20_000 },
  );
});
