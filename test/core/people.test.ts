/** What a public screen shows of a visitor's name, in every script. */
import { expect, it } from 'vitest';
import { glimpseOf } from '../../src-main/core/mirror/people.ts';

const shown = (firstName: string | null, lastName: string | null) => {
  const body = { firstName, lastName, company: null, language: null };
  return glimpseOf({ id: '1', revision: 1n, text: JSON.stringify(body), body }).name;
};

it.each([
  ['Amélie', 'Beaumont', 'Amélie B.'],
  ['حسن', 'المنصوري', 'حسن ا.'],
  ['Takeshi', 'Kobayashi', 'Takeshi K.'],
  ['Cher', null, 'Cher'],
  ['武', null, '武'],
  [null, 'Beaumont', 'Beaumont'],
  [null, null, ''],
])('shows %s %s as %s: the first name and one initial', (first, last, name) => {
  expect(shown(first, last)).toBe(name);
});

it.each([
  ['武', '小林', '小林'],
  ['さくら', '林', '林'],
  ['エミリー', 'ブラウン', 'ブラウン'],
  ['小明', '王', '王'],
  ['민수', '김', '김'],
  ['David', '王', '王'],
])('shows %s %s as %s: the family name alone, never the whole name', (first, last, name) => {
  expect(shown(first, last)).toBe(name);
});
