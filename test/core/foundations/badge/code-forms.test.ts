/** The forms of an event's badge codes, learnt from known codes. */
import { describe, expect, it } from 'vitest';
import {
  type CodeForms,
  formsOf,
  learnForms,
} from '../../../../src-main/core/foundations/badge/code-forms.ts';

const learnt = (typed: readonly string[], others: readonly string[]): CodeForms =>
  formsOf(learnForms(typed, others));

const uids = Array.from({ length: 60 }, (_, index) =>
  `04${(index * 7_919 + 0xa1b2c3).toString(16).toUpperCase()}E5F6`.padEnd(14, '0'),
);
const ids = Array.from({ length: 60 }, (_, index) => `AD2026V${String(index).padStart(6, '0')}`);

describe('codes of an event whose badges are UIDs of seven bytes', () => {
  const { fits, pad } = learnt(uids, ids);

  it.each([
    ['a word', 'hello'],
    ['an odd number of hex digits', '04A1B2C3D4E5F'],
    ['fewer bytes than a badge has', '04A1B2C3D4E5'],
    ['two codes run together', '04A1B2C3D4E5F604B23C7A915E80'],
    ['letters that hex does not have', '04A1B2C3D4E5FZ'],
    ['the end of an id', '2026V000001'],
  ])('do not include %s', (_, code) => {
    expect(fits(code)).toBe(false);
  });

  it.each([['04990000DEAD01'], ['08990000DEAD01'], ['AD2026V000777'], [uids[0] ?? '']])(
    'include %s',
    (code) => {
      expect(fits(code)).toBe(true);
    },
  );

  it('are typed with digits and the letters of hex', () => {
    expect(pad).toBe('hex');
    expect(learnt(['0012345', '9912345'], ids).pad).toBe('digits');
    expect(learnt(['AB-12'], []).pad).toBe('letters');
  });

  it('are typed on the keypad that suits most of them, even if a few have another form', () => {
    expect(learnt([...uids, 'STAFF-1'], ids).pad).toBe('hex');
    const numbers = Array.from({ length: 40 }, (_, index) => String(100_000 + index));
    expect(learnt([...numbers, 'VIP-1', 'A1'], ids).pad).toBe('digits');
    expect(learnt([...numbers.slice(0, 5), ...ids], []).pad).toBe('letters');
  });
});

it('a UID that lost a character does not fit, even if ids or printed codes have that length', () => {
  const { fits } = learnt([...uids, 'AD2026-000003'], ids.slice(0, 9));
  expect(fits('04A1B2C3D4E5F')).toBe(false);
  expect(fits('4F61B2C8D3A40')).toBe(false);
  expect(fits('AD2026V000777')).toBe(true);
  expect(fits('AD2026-000777')).toBe(true);
});

it('accepts any code if there are too few codes to learn from', () => {
  const { fits, pad } = learnt(['04A1B2C3D4E5F6'], ['V1']);
  expect(fits('hello')).toBe(true);
  expect(pad).toBe('hex');
  expect(learnt([], []).pad).toBe('letters');
});
