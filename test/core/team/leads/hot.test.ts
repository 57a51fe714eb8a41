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
  ['without any sign is not hot', nothing, { is: false, why: null }],
  [
    'with a rating at the bound is hot',
    { ...nothing, rating: 4 },
    { is: true, why: { kind: 'rating', rating: 4 } },
  ],
  [
    'with a low rating is not hot, whatever else it has',
    { ...nothing, rating: 1, answers: [soon], contents: 9, visits: 9 },
    { is: false, why: { kind: 'rating', rating: 1 } },
  ],
  [
    'with a matching answer, contents and visits is hot because of the answer',
    { ...nothing, answers: [soon], contents: 9, visits: 9 },
    { is: true, why: { kind: 'answer', question: 'when', option: 'soon' } },
  ],
  [
    'with a yes is hot if the rule names yes',
    { ...nothing, answers: [{ question: 'budget', answer: true }] },
    { is: true, why: { kind: 'answer', question: 'budget', option: 'yes' } },
  ],
  [
    'with a no is not hot if the rule names only yes',
    { ...nothing, answers: [{ question: 'budget', answer: false }] },
    { is: false, why: null },
  ],
  [
    'with an answer that the rule does not name is not hot',
    { ...nothing, answers: [{ question: 'when', answer: ['later'] }] },
    { is: false, why: null },
  ],
  [
    'with a number as the answer to a choice is not hot',
    { ...nothing, answers: [{ question: 'when', answer: 5 }] },
    { is: false, why: null },
  ],
  [
    'with free text as the answer to a choice is not hot',
    { ...nothing, answers: [{ question: 'when', answer: 'soon' }] },
    { is: false, why: null },
  ],
  [
    'with enough contents is hot',
    { ...nothing, contents: 3 },
    { is: true, why: { kind: 'contents', count: 3 } },
  ],
  [
    'with enough contents and visits is hot because of the contents',
    { ...nothing, contents: 3, visits: 5 },
    { is: true, why: { kind: 'contents', count: 3 } },
  ],
  [
    'with a number at the bound in the team’s form is hot',
    { ...nothing, answers: [{ question: 'seats', answer: 20 }], form: { seats: 20 } },
    { is: true, why: { kind: 'answer', question: 'seats', option: '20' } },
  ],
  [
    'with a smaller number in the form is not hot',
    { ...nothing, answers: [{ question: 'seats', answer: 19 }], form: { seats: 19 } },
    { is: false, why: null },
  ],
  [
    'with a number from the visitor is not hot, whatever the bound',
    { ...nothing, answers: [{ question: 'seats', answer: 99 }] },
    { is: false, why: null },
  ],
  ['with enough visits is hot', { ...nothing, visits: 2 }, { is: true, why: { kind: 'visits', count: 2 } }],
] as const)('a lead %s', (_what, signs, expected) => {
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
