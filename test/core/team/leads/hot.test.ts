/** When a lead is hot, and why. */
import { expect, test } from 'vitest';
import type { HotRule } from '../../../../src-main/contract/leads.ts';
import { type HotSigns, hotBy } from '../../../../src-main/core/team/leads/hot.ts';
import { demoSettings } from '../../../../src-main/data-folder/stand-settings.ts';

const rule: HotRule = {
  rating: 4,
  answers: [
    { question: 'when', options: ['now', 'soon'] },
    { question: 'budget', options: ['yes'] },
    { question: 'seats', options: [], atLeast: 20 },
  ],
  contents: 3,
  visits: 2,
};
const nothing: HotSigns = { rating: null, answers: [], form: {}, contents: 0, visits: 1 };
const soon = { question: 'when', answer: ['later', 'soon'] };

test.each([
  ['no sign at all', nothing, { is: false, why: null }],
  ['a rating at the bound', { ...nothing, rating: 4 }, { is: true, why: { kind: 'rating', rating: 4 } }],
  [
    'a low rating beats everything else',
    { ...nothing, rating: 1, answers: [soon], contents: 9, visits: 9 },
    { is: false, why: { kind: 'rating', rating: 1 } },
  ],
  [
    'an answer beats contents and visits',
    { ...nothing, answers: [soon], contents: 9, visits: 9 },
    { is: true, why: { kind: 'answer', question: 'when', option: 'soon' } },
  ],
  [
    'a yes is an option',
    { ...nothing, answers: [{ question: 'budget', answer: true }] },
    { is: true, why: { kind: 'answer', question: 'budget', option: 'yes' } },
  ],
  [
    'a no is another option',
    { ...nothing, answers: [{ question: 'budget', answer: false }] },
    { is: false, why: null },
  ],
  [
    'an answer that the rule does not name',
    { ...nothing, answers: [{ question: 'when', answer: ['later'] }] },
    { is: false, why: null },
  ],
  [
    'a number as the answer to a choice',
    { ...nothing, answers: [{ question: 'when', answer: 5 }] },
    { is: false, why: null },
  ],
  ['free text', { ...nothing, answers: [{ question: 'when', answer: 'soon' }] }, { is: false, why: null }],
  ['contents', { ...nothing, contents: 3 }, { is: true, why: { kind: 'contents', count: 3 } }],
  [
    'contents before visits',
    { ...nothing, contents: 3, visits: 5 },
    { is: true, why: { kind: 'contents', count: 3 } },
  ],
  [
    'a number of the team’s form at the bound',
    { ...nothing, answers: [{ question: 'seats', answer: 20 }], form: { seats: 20 } },
    { is: true, why: { kind: 'answer', question: 'seats', option: '20' } },
  ],
  [
    'a smaller number of the form',
    { ...nothing, answers: [{ question: 'seats', answer: 19 }], form: { seats: 19 } },
    { is: false, why: null },
  ],
  [
    'a visitor’s number, whatever the bound',
    { ...nothing, answers: [{ question: 'seats', answer: 99 }] },
    { is: false, why: null },
  ],
  ['visits', { ...nothing, visits: 2 }, { is: true, why: { kind: 'visits', count: 2 } }],
] as const)('%s', (_what, signs, expected) => {
  expect(hotBy(rule, signs)).toEqual(expected);
});

test('a condition that the rule omits never makes a lead hot', () => {
  const bare = { rating: 5, answers: [], contents: null, visits: null };
  expect(hotBy(bare, { ...nothing, answers: [soon], contents: 99, visits: 99 })).toEqual({
    is: false,
    why: null,
  });
});

test('the demo stand treats an unrated lead with a plan within three months as hot', () => {
  const { hot } = demoSettings();
  const answer = { question: 'when', option: 'soon' };
  expect(hotBy(hot, { ...nothing, answers: [{ question: 'when', answer: ['soon'] }] })).toEqual({
    is: true,
    why: { kind: 'answer', ...answer },
  });
});
