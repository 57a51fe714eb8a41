/** Texts that are refused before they are parsed, because parsing them would delay taps. */
import { expect, it } from 'vitest';
import { parseJson } from '../../../../src-main/core/foundations/api/json.ts';

const LARGE = 4 * 1024 * 1024;

it.each([
  ['arrays', '['.repeat(LARGE)],
  ['objects', '{"a":'.repeat(LARGE / 5)],
  ['arrays behind a text', `["\\\\\\"[",${'['.repeat(LARGE)}`],
])('refuses four megabytes of nested %s without parsing them', (_what, text) => {
  expect(() => parseJson(text)).toThrow('nested too deeply');
});

it.each([
  ['a long list', JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, tags: [[id]] })))],
  ['brackets in texts', JSON.stringify(['[{'.repeat(LARGE / 4), '\\"[['.repeat(1_000)])],
  ['a small text of many levels', '['.repeat(500) + ']'.repeat(500)],
])('parses %s as JSON.parse does', (_what, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it('throws a SyntaxError for a truncated large text, as JSON.parse does', () => {
  expect(() => parseJson(`["${'a'.repeat(LARGE)}`)).toThrow(SyntaxError);
});
