/** The byte ranges of a list's entries. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteRangesOf } from '../../../../src-main/core/foundations/api/byte-ranges.ts';

const cut = (text: string): readonly string[] => {
  const bytes = new TextEncoder().encode(text);
  const spans = byteRangesOf(bytes);
  return Array.from({ length: spans.length / 2 }, (_, entry) =>
    new TextDecoder().decode(bytes.subarray(spans[2 * entry], spans[2 * entry + 1])),
  );
};

it.each([
  ['[]', []],
  [' [ ] ', []],
  ['[{}]', ['{}']],
  ['[1,"a",null,{"b":[1,2]},[3]]', ['1', '"a"', 'null', '{"b":[1,2]}', '[3]']],
  ['[{"a":"},{"},{"b":"\\\\"},{"c":"\\""}]', ['{"a":"},{"}', '{"b":"\\\\"}', '{"c":"\\""}']],
  ['[\n  {"a": 1},\n  {"b": "é, 武 [ ]"}\n]\n', ['{"a": 1}', '{"b": "é, 武 [ ]"}\n']],
])('the ranges of %j cut out its entries', (text, entries) => {
  expect(cut(text)).toEqual(entries);
});

it('the ranges match the result of JSON.parse for any list', () => {
  const indent = fc.constantFrom('', ' ', '\t');
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), indent, (list, space) => {
      const text = JSON.stringify(list, null, space);
      const entries = cut(text).map((entry) => JSON.parse(entry) as unknown);
      expect(entries).toEqual(JSON.parse(text));
    }),
    { numRuns: 3_000 },
  );
});
