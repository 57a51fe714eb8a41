/** The stand team's edits, made with a real journal and a real mirror and read back through the reading thread. */
import { describe, expect, test } from 'vitest';
import { person } from './lead-journal.ts';
import { leadService } from './real-lead-service.ts';

const ann = person('v1', 'Ann', 'Lee', { email: 'ann@example.org' });

describe('an edit', () => {
  test('is a fact with its author, changes only its field, and is undone by another fact', async () => {
    const { service, one, tap, journal } = leadService();
    const lead = tap(ann);
    expect(service.edit(lead, { rating: 4, note: 'first' })).toMatchObject({ kind: 'kept', lead });
    const second = service.edit(lead, { rating: 2 });
    expect(await one(lead)).toMatchObject({ rating: 2, note: 'first', team: ['Mia'] });
    expect(service.edit(lead, { rating: 2, note: 'first' })).toEqual({ kind: 'same' });
    if (second.kind !== 'kept') throw new Error('Expected a fact');
    expect(journal.fact(second.factId)).toMatchObject({
      kind: 'qualify',
      staff: 'Mia',
      partner: 'p1',
      payload: { fields: { rating: 2 } },
    });
    expect(service.undo(second.factId)).toMatchObject({ kind: 'kept', lead });
    const now = await one(lead);
    expect(now.rating).toBe(4);
    expect(now.timeline.map(({ undone }) => undone)).toEqual([false, false, true]);
    expect(service.undo(second.factId)).toEqual({ kind: 'same' });
  });

  test('keeps a note of 100 KB completely, and removes or replaces only invalid characters', async () => {
    const { service, one, tap } = leadService();
    const lead = tap(ann);
    const long = `${'ü'.repeat(50_000)}\n"quoted"; = + - @ 👍`;
    service.edit(lead, { note: long });
    expect((await one(lead)).note).toBe(long);
    service.edit(lead, { note: 'a\0b\ud800c\r\nd' });
    expect((await one(lead)).note).toBe('ab\ufffdc\nd');
  });

  test('is a fact of its own even if twenty are made at once, and the last one wins', async () => {
    const { service, one, tap } = leadService();
    const lead = tap(ann);
    for (let n = 1; n <= 20; n += 1) service.edit(lead, { note: `note ${n}` });
    const { note, facts } = await one(lead);
    expect([note, facts]).toEqual(['note 20', 21]);
  });

  test('is refused for another partner’s lead and for an unknown lead', () => {
    const { service, tap } = leadService();
    const other = tap(ann, { partner: 'p2' });
    expect(service.edit(other, { rating: 1 })).toEqual({ kind: 'unknown' });
    expect(service.edit('nothing', { rating: 1 })).toEqual({ kind: 'unknown' });
  });

  test('cannot undo a visitor’s own answer or consent', () => {
    const { service, tap, add } = leadService();
    tap(ann);
    const who = { badge: 'badge of v1', visitor: 'v1' };
    const answers = add(
      { kind: 'qualify', payload: { ...who, fields: { answers: { when: ['now'] } } } },
      ann,
    );
    const consent = add(
      {
        kind: 'consent',
        payload: { ...who, fields: { consent: { notice: '1', language: 'en', agreed: { news: true } } } },
      },
      ann,
    );
    expect(service.undo(answers)).toEqual({ kind: 'same' });
    expect(service.undo(consent)).toEqual({ kind: 'same' });
  });
});

test("the timeline shows a visitor's consents, purpose by purpose", async () => {
  const { one, tap, add } = leadService();
  const lead = tap(ann);
  const consent = { notice: '1', language: 'en', agreed: { news: true, call: false } };
  add({ kind: 'consent', payload: { badge: 'badge of v1', visitor: 'v1', fields: { consent } } }, ann);
  const { timeline } = await one(lead);
  expect(timeline.find(({ kind }) => kind === 'consent')?.fields).toEqual({ news: true, call: false });
});

test('a correction is shown with the original, can be searched, and can be undone', async () => {
  const { service, one, search, tap } = leadService();
  const lead = tap(ann);
  service.correct(lead, { email: ' lee@example.com ', lastName: 'Leigh' });
  const { name, email, person: fields } = await one(lead);
  expect([name, email]).toEqual(['Ann Leigh', 'lee@example.com']);
  expect(fields.email).toEqual({ original: 'ann@example.org', corrected: 'lee@example.com' });
  expect(await search('lee@ex')).toEqual(['Ann Leigh']);
  expect(await search('ann@ex')).toEqual(['Ann Leigh']);
  service.correct(lead, { lastName: null, email: 'ann@example.org' });
  const back = await one(lead);
  expect([back.name, back.email, back.person.email.corrected]).toEqual(['Ann Lee', 'ann@example.org', null]);
});

test('a person without a badge is added, found, rated, and undone', async () => {
  const { service, one, search } = leadService();
  const contact = {
    firstName: 'Cy',
    lastName: 'Noe',
    company: null,
    jobTitle: null,
    email: 'cy@example.org',
    phone: '+41 44 123 45 67',
  };
  const added = service.add(contact, 'Dr.\nBahnhofstr. 1');
  if (added.kind !== 'kept') throw new Error('Expected a fact');
  expect(await one(added.lead)).toMatchObject({
    name: 'Cy Noe',
    note: 'Dr.\nBahnhofstr. 1',
    email: 'cy@example.org',
    unknown: false,
    badges: [],
    badgeTail: '',
    taps: 0,
    undone: false,
    visits: [{ byHand: true }],
    timeline: [
      { kind: 'tap', byHand: true, undoable: true },
      { kind: 'correct', byHand: false },
      { kind: 'qualify' },
    ],
  });
  expect(await service.ask('numbers')).toMatchObject({
    people: 1,
    taps: 0,
    byHand: 1,
    days: [{ people: 1, taps: 0 }],
  });
  service.edit(added.lead, { rating: 5 });
  expect(await search('cy@')).toEqual(['Cy Noe']);
  expect(service.undo(added.factId)).toMatchObject({ kind: 'kept' });
  expect(await one(added.lead)).toMatchObject({ undone: true, taps: 0 });
  expect(
    service.add({ firstName: ' ', lastName: null, company: null, jobTitle: null, email: null, phone: null }),
  ).toEqual({ kind: 'same' });
});

test('the target of one partner does not apply to the next, and can be removed', async () => {
  const { service, setPartner } = leadService();
  const target = async () => (await service.numbers()).target;
  expect(await target()).toBeNull();
  expect(service.changeTarget(40)).toBe(true);
  setPartner('p2');
  expect(await target()).toBeNull();
  setPartner('p1');
  expect(await target()).toBe(40);
  service.changeTarget(null);
  expect(await target()).toBeNull();
});

test('an invalid stored target of a partner does not affect the targets of the others, also after a change', async () => {
  const { service, journal, setPartner } = leadService();
  const target = async () => (await service.numbers()).target;
  journal.settings.set('targets', JSON.stringify({ p1: 40, p2: 0 }));
  expect(await target()).toBe(40);
  setPartner('p2');
  expect(await target()).toBeNull();
  service.changeTarget(25);
  expect(await target()).toBe(25);
  setPartner('p1');
  expect(await target()).toBe(40);
});

test('the rule of one partner does not apply to the next, and a damaged one is ignored', () => {
  const { service, journal, setPartner } = leadService();
  const rule = { ...service.hotRule().rule, rating: 2 };
  expect(service.changeHotRule(rule)).toBe(true);
  setPartner('p2');
  expect(service.hotRule()).toMatchObject({ rule: { rating: 4 }, changed: false });
  expect(service.hotRule('p1')).toEqual({ rule, changed: true });
  service.changeHotRule({ ...rule, rating: 5 });
  setPartner('p1');
  expect(service.hotRule()).toEqual({ rule, changed: true });
  expect(service.changeHotRule(null)).toBe(true);
  expect(service.hotRule()).toMatchObject({ rule: { rating: 4 }, changed: false });
  expect(service.hotRule('p2')).toMatchObject({ rule: { rating: 5 }, changed: true });
  journal.settings.set('hotRule', '{"p1":');
  expect(service.hotRule()).toMatchObject({ rule: { rating: 4 }, changed: false });
});

test('an invalid stored rule of a partner does not affect the rules of the others, also after a change', () => {
  const { service, journal, setPartner } = leadService();
  const rule = { rating: 2, answers: [], contents: null, visits: null };
  journal.settings.set('hotRule', JSON.stringify({ p1: rule, p2: { ...rule, rating: 9 } }));
  expect(service.hotRule()).toEqual({ rule, changed: true });
  setPartner('p2');
  expect(service.hotRule().changed).toBe(false);
  service.changeHotRule({ ...rule, rating: 3 });
  expect(service.hotRule('p1')).toEqual({ rule, changed: true });
});

test('the rule for hot leads can be changed and reset', async () => {
  const { service, one, tap } = leadService();
  const lead = tap(ann);
  service.edit(lead, { rating: 3 });
  expect((await one(lead)).hot).toEqual({ is: false, why: { kind: 'rating', rating: 3 } });
  expect(service.changeHotRule({ rating: 3, answers: [], contents: null, visits: null })).toBe(true);
  expect((await one(lead)).hot.is).toBe(true);
  expect(service.hotRule().changed).toBe(true);
  service.changeHotRule(null);
  expect((await one(lead)).hot.is).toBe(false);
});

describe('a refused code', () => {
  test('is kept with its reason until staff settles it, and can be reopened', async () => {
    const { service } = leadService();
    service.keepRefused({ kind: 'notABadge', reason: 'tooLong' }, 'x'.repeat(5_000), 'wedge');
    service.keepRefused({ kind: 'notABadge', reason: 'content' }, 'https://example.org/c/1', 'qr');
    const { refused } = await service.worklist();
    expect(refused).toMatchObject([
      { reason: 'tooLong', source: 'wedge', text: 'x'.repeat(300), settled: false },
    ]);
    const id = refused[0]?.id ?? '';
    expect(service.settle(id, true)).toBe(true);
    expect((await service.worklist()).refused).toEqual([]);
    expect(service.settle(id, false)).toBe(true);
    expect((await service.worklist()).refused).toHaveLength(1);
    expect(await service.facets({ search: 'nobody' })).toMatchObject({ people: 0, refused: 1 });
    expect(service.settle('nothing', true)).toBe(false);
  });
});
