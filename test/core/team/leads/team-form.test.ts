/** The team's own questions: answers as facts, in the list, the hot rule, the numbers and the exports. */
import { expect, test } from 'vitest';
import { askedAbout, fitsQuestion, isDay } from '../../../../src-main/contract/form-rules.ts';
import type { FormQuestion } from '../../../../src-main/contract/stand.ts';
import { readSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { leadToExport } from '../../../../src-main/core/team/formats/lead-to-export.ts';
import { createWords } from '../../../../src-main/core/team/formats/words.ts';
import { USUAL_HOT_RULE } from '../../../../src-main/core/team/leads/hot.ts';
import { person, readerSettings } from './lead-journal.ts';
import { leadService } from './real-lead-service.ts';

const ann = person('v1', 'Ann', 'Lee', { email: 'ann@example.org' });
const bo = person('v2', '山田', '太郎');

const question = (
  id: string,
  kind: FormQuestion['kind'],
  more: Partial<FormQuestion> = {},
): FormQuestion => ({
  ...{ id, kind, text: { en: `${id}?` }, required: false, purposes: ['lead', 'content', 'checkin'] },
  options: kind === 'choice' || kind === 'several' ? [option('small'), option('large')] : [],
  ...more,
});
const option = (id: string) => ({ id, text: { en: `the ${id} one`, de: `der ${id}` } });

const form = [
  question('budget', 'choice', { required: true }),
  question('lines', 'several'),
  question('fit', 'scale'),
  question('seats', 'number'),
  question('decides', 'date'),
  question('rival', 'text'),
];

test('an answer is a fact with only its question, and can be changed, removed and undone', async () => {
  const { service, one, tap, journal } = leadService({ form });
  const lead = tap(ann);
  expect(service.edit(lead, { form: { budget: ['small'], rival: ' Acme\n' } })).toMatchObject({
    kind: 'kept',
  });
  const second = service.edit(lead, { form: { budget: ['large'], rival: 'Acme' } });
  if (second.kind !== 'kept') throw new Error('Expected a fact');
  expect(journal.fact(second.factId)?.payload).toMatchObject({ fields: { form: { budget: ['large'] } } });
  expect((await one(lead)).form).toEqual({ budget: ['large'], rival: 'Acme' });
  expect((await one(lead)).answers.map(({ question: id, answer }) => [id, answer])).toEqual([
    ['budget', ['large']],
    ['rival', 'Acme'],
  ]);
  expect(service.edit(lead, { form: { budget: ['large'] } })).toEqual({ kind: 'same' });
  service.edit(lead, { form: { rival: null } });
  expect((await one(lead)).form).toEqual({ budget: ['large'] });
  service.undo(second.factId);
  expect((await one(lead)).form).toEqual({ budget: ['small'] });
});

test.each([
  ['an unknown question', { nothing: 'x' }],
  ['an unknown option', { budget: ['huge'] }],
  ['two options of one', { budget: ['small', 'large'] }],
  ['an option twice', { lines: ['small', 'small'] }],
  ['a value outside the scale', { fit: 6 }],
  ['half a step of the scale', { fit: 2.5 }],
  ['a text for a number', { seats: '12' }],
  ['a number that is too large', { seats: 1e300 }],
  ['a day that does not exist', { decides: '2026-02-30' }],
  ['a day in another form', { decides: '1.3.2026' }],
  ['a text of blanks', { rival: '  ' }],
])('%s is refused and nothing is saved', (_what, given) => {
  const { service, tap, journal } = leadService({ form });
  const lead = tap(ann);
  const before = journal.lastId();
  expect(service.edit(lead, { form: given })).toEqual({ kind: 'invalid' });
  expect(journal.lastId()).toBe(before);
});

test('an answer for another partner’s lead is refused', () => {
  const { service, tap } = leadService({ form });
  const other = tap(ann, { partner: 'p2' });
  expect(service.edit(other, { form: { fit: 5 } })).toEqual({ kind: 'unknown' });
});

test('answers stay readable and removable when the form changes', async () => {
  const { service, one, tap, add } = leadService({ form: [question('seats', 'text')] });
  const lead = tap(ann);
  const who = { badge: 'badge of v1', visitor: 'v1' };
  const fields = { form: { gone: ['old'], seats: 12, broken: { deep: true } } } as never;
  add({ kind: 'qualify', payload: { ...who, fields } }, ann);
  expect((await one(lead)).form).toEqual({ gone: ['old'], seats: 12 });
  expect(service.edit(lead, { form: { gone: ['old'] } })).toEqual({ kind: 'invalid' });
  expect(service.edit(lead, { form: { gone: null } })).toMatchObject({ kind: 'kept' });
  expect((await one(lead)).form).toEqual({ seats: 12 });
});

test('leads are filtered, counted, found and treated as hot by their answers', async () => {
  const { service, tap, reader } = leadService({ form });
  const first = tap(ann);
  const second = tap(bo);
  service.edit(first, {
    form: { budget: ['large'], seats: 30, fit: 4, decides: '2027-01-31', rival: 'شركة' },
  });
  service.edit(second, { form: { seats: 4 } });
  const rule = { ...USUAL_HOT_RULE, answers: [{ question: 'seats', options: [], atLeast: 20 }] };
  const words = { ...readerSettings.words, form };
  const list = reader({ rule, words });
  const found = (filter: object) =>
    list.page({ filter, sort: 'latest', from: { position: 0 }, limit: 9 }).leads.map(({ id }) => id);
  expect(found({ incomplete: true })).toEqual([second]);
  expect(found({ incomplete: false })).toEqual([first]);
  expect(list.facets({})).toMatchObject({ people: 2, incomplete: 1, hot: 1 });
  expect(found({ hot: true })).toEqual([first]);
  expect(found({ search: 'the large' })).toEqual([first]);
  expect(found({ search: 'شركة' })).toEqual([first]);
  expect(found({ answer: 'budget\tlarge' })).toEqual([first]);
  const answers = Object.fromEntries(
    list.numbers().answers.map(({ question: id, options }) => [id, options]),
  );
  expect(answers).toMatchObject({
    seats: [
      { option: '30', people: 1 },
      { option: '4', people: 1 },
    ],
    fit: [{ option: '4', people: 1 }],
    decides: [{ option: '2027-01-31', people: 1 }],
    budget: [{ option: 'large', people: 1 }],
    rival: [],
  });
});

test('an export contains the answers as the form words them', async () => {
  const { service, one, tap } = leadService({ form });
  const lead = tap(ann);
  service.edit(lead, { form: { budget: ['large'], seats: 1.5, decides: '2027-01-31' } });
  const none = { labels: {}, contents: {}, touchpoints: {}, questions: [], consents: [] };
  const exported = leadToExport(await one(lead), {}, createWords({ ...none, language: 'de', form }));
  expect(exported.answers.map(({ question: title, answer }) => `${title} ${answer}`)).toEqual([
    'budget? der large',
    'seats? 1.5',
    'decides? 2027-01-31',
  ]);
});

test('a question is asked about the visits of its purposes', () => {
  const asked = question('q', 'scale', { purposes: ['content'] });
  const visited = (kind: 'tap' | 'collect', undone = false) => ({ timeline: [{ kind, undone }] });
  expect(askedAbout([asked], visited('collect'))).toEqual([asked]);
  expect(askedAbout([asked], visited('collect', true))).toEqual([]);
  expect(askedAbout([asked], visited('tap'))).toEqual([]);
  expect(askedAbout([{ ...asked, purposes: [] }], visited('collect'))).toEqual([]);
});

test('a question for a date accepts only real days of the calendar', () => {
  expect(['2026-02-28', '2028-02-29', '2027-12-31'].map(isDay)).toEqual([true, true, true]);
  expect(['2026-02-29', '2026-13-01', '0026-01-01', '2026-1-1', ''].map(isDay)).toEqual(Array(5).fill(false));
  expect(fitsQuestion(question('d', 'date'), '2026-02-29')).toBe(false);
});

test.each([
  [
    { form: [{ id: 'a', kind: 'choice', text: { en: 'A' }, options: [] }] },
    'form question 1, options: a question of kind "choice" needs 2 to 8 options, and has 0',
  ],
  [
    {
      questions: [{ id: 'a', kind: 'text', text: { en: 'A' } }],
      form: [{ id: 'a', kind: 'scale', text: { en: 'A' } }],
    },
    'form question 1, id: "a" is the id of question 1 for visitors already; each needs its own',
  ],
  [
    { letter: { text: { en: 'Dear {nme}' } } },
    'letter, text in "en": there is no {nme}; there are {name}, {stand}, {event}, {member}, {contents}, {appointment}, {signature}',
  ],
  [
    { hot: { answers: [{ question: 'a' }] } },
    'hot, answers, 0, options: it names no option; a number or a scale of the form needs "atLeast"',
  ],
])('a stand.json with a fault in its form, letter or hot rule is refused with that fault', (said, fault) => {
  expect(readSettings(said)).toEqual({ kind: 'faults', faults: [fault] });
});
