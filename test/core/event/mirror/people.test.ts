/** A visitor's name on a public screen and in a lead, in several scripts. */
import { expect, it } from 'vitest';
import { publicProfileOf, snapshotOf } from '../../../../src-main/core/event/mirror/people.ts';

const visitor = (firstName: string | null, lastName: string | null) => {
  const body = { firstName, lastName, company: null, language: null };
  return { id: '1', revision: 1n, text: JSON.stringify(body), body };
};
const shown = (firstName: string | null, lastName: string | null) =>
  publicProfileOf(visitor(firstName, lastName)).name;

it.each([
  ['Amélie', 'Beaumont', 'Amélie B.'],
  ['حسن', 'المنصوري', 'حسن م.'],
  ['Pieter', 'van der Velde', 'Pieter van der V.'],
  ['Giulia', "D'Angelo", "Giulia D'A."],
  ['Max', 'von und zu Schwarzenberg', 'Max von und zu S.'],
  ['Sara', 'De', 'Sara D.'],
  ['Vanessa', 'Vandenberg', 'Vanessa V.'],
  ['Takeshi', 'Kobayashi', 'Takeshi K.'],
  ['Cher', null, 'Cher'],
  ['武', null, '武'],
  [null, 'Beaumont', 'Beaumont'],
  [null, null, ''],
])('shows %s %s as %s: first name and one initial, or the only name', (first, last, name) => {
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

it.each([
  ['Amélie', 'Beaumont', 'Amélie Beaumont'],
  ['武', '小林', '小林 武'],
  ['민수', '김', '김 민수'],
  ['David', '王', 'David 王'],
  [null, '小林', '小林'],
  [null, null, '1'],
])('writes %s %s into the lead as %s', (first, last, name) => {
  expect(snapshotOf(visitor(first, last)).name).toBe(name);
});
