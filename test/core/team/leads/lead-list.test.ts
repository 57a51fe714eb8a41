/** The list of leads: its search, pages, filters and counts. */
import { describe, expect, test } from 'vitest';
import { ANSWER_SEPARATOR, NOBODY } from '../../../../src-main/contract/lead-filters.ts';
import type { LeadFilter, LeadSort } from '../../../../src-main/contract/leads.ts';
import type { LeadReader } from '../../../../src-main/core/team/leads/lead-reader.ts';
import { leadJournal, person } from './lead-journal.ts';

const namesOf = (reader: LeadReader, filter: LeadFilter = {}, sort: LeadSort = 'latest') =>
  reader.page({ filter, sort, from: { position: 0 }, limit: 200 }).leads.map(({ name }) => name);

describe('leads by partner', () => {
  test('list, search and numbers cover only the current partner’s leads, and all of them again when the partner returns', () => {
    const { tap, reader } = leadJournal();
    for (let n = 0; n < 20; n += 1) tap(person(`v${n}`, 'Ann', `Number${n}`), { partner: 'A' });
    tap(person('v1', 'Ann', 'Number1'), { partner: 'B' });
    const ofB = reader({ partner: 'B' });
    expect(namesOf(ofB)).toEqual(['Ann Number1']);
    expect(namesOf(ofB, { search: 'Number2' })).toEqual([]);
    expect(ofB.numbers()).toMatchObject({ people: 1, taps: 1, facts: 1 });
    const ofA = reader({ partner: 'A' });
    expect(namesOf(ofA)).toHaveLength(20);
    expect(ofA.numbers()).toMatchObject({ people: 20, taps: 20 });
    expect(
      reader({ partner: 'C' }).page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 9 }).counts
        .people,
    ).toBe(0);
  });

  test('a lead can be read by its id only for its own partner', () => {
    const { tap, reader } = leadJournal();
    const ofA = tap(person('v1', 'Ann', 'Lee'), { partner: 'A' });
    expect(reader({ partner: 'B' }).one(ofA)).toBeNull();
    expect(reader({ partner: 'A' }).one(ofA)).toMatchObject({ id: ofA, name: 'Ann Lee' });
  });

  test("leads captured before the device knew its partner become the partner’s and merge with the same visitor's leads", () => {
    const { journal, tap, reader } = leadJournal();
    const ann = person('v1', 'Ann', 'Lee');
    tap(ann, { touchpoint: null, partner: null });
    tap(person('v2', 'Bo', 'Ng'), { touchpoint: null, partner: null });
    tap(ann);
    expect(namesOf(reader())).toEqual(['Ann Lee']);
    expect(journal.leads.adopt('p1')).toBe(2);
    expect(namesOf(reader()).toSorted()).toEqual(['Ann Lee', 'Bo Ng']);
    expect(
      reader().page({ filter: { search: 'ann' }, sort: 'latest', from: { position: 0 }, limit: 1 }).leads[0]
        ?.taps,
    ).toBe(2);
  });
});

describe('the search', () => {
  const found = (search: string) => {
    const { tap, add, reader } = leadJournal();
    tap(
      person('v1', 'Zoé', 'Ng', {
        email: 'z.ng@example.org',
        phone: '+41 44 123 45 67',
        company: 'Ünal & Söhne',
      }),
    );
    tap(person('v2', '小林', '太郎', { jobTitle: '部長' }));
    tap(person('v3', 'A'.repeat(200), 'Late'));
    add(
      {
        kind: 'qualify',
        payload: { badge: 'badge of v3', visitor: 'v3', fields: { notes: 'Wants 40 "grippers" by May' } },
      },
      person('v3', 'A'.repeat(200), 'Late'),
    );
    add({ kind: 'tap', payload: { badge: '04A1B2C3D4E5F6' } });
    return namesOf(reader(), { search });
  };

  test.for([
    ['ng', ['Zoé Ng']],
    ['Ng zoe', ['Zoé Ng']],
    ['小林', ['小林 太郎']],
    ['小林太郎', ['小林 太郎']],
    ['林', ['小林 太郎']],
    ['unal', ['Zoé Ng']],
    ['z.ng@ex', ['Zoé Ng']],
    ['+4144123', ['Zoé Ng']],
    ['44 123 45', ['Zoé Ng']],
    ['044 123 45 67', ['Zoé Ng']],
    ['0441234567', ['Zoé Ng']],
    ['0041 (44) 123-45-67', ['Zoé Ng']],
    ['0449234567', []],
    ['"grippers"', [`${'A'.repeat(200)} Late`]],
    ['GRIPPERS may', [`${'A'.repeat(200)} Late`]],
    ['a1b2c3', [null]],
    ['f6', [null]],
    ['nobody', []],
    ['"', [`${'A'.repeat(200)} Late`]],
    ['*', []],
    ['zo* ', []],
    ['zoe OR grippers', []],
    ["%' OR 1", []],
    ['  Söhne  UNAL ', ['Zoé Ng']],
    ['zoe 小林', []],
    ['\ud800', []],
  ] as const)('finds exactly the matching leads for "%s"', ([search, expected]) => {
    expect(found(search)).toEqual(expected);
  });
});

describe('a search typed letter by letter', () => {
  /** The result of a new reader for this search. */
  const firstSearch = (make: () => LeadReader, search: string) => namesOf(make(), { search });

  test('finds the same leads as a complete search after each typed or deleted letter', () => {
    const { tap, reader } = leadJournal();
    tap(person('v1', 'Ann', 'Lee'));
    tap(person('v2', 'Leander', 'Ng'));
    tap(person('v3', 'Bo', 'Orlean'));
    const list = reader();
    const typed = [
      'l',
      'le',
      'lee',
      'lee a',
      'le a',
      'le an',
      'n',
      'an',
      'lean',
      'ean',
      'ann',
      'xx',
      'ng le',
      'le ng',
    ];
    for (const search of typed)
      expect(namesOf(list, { search }), search).toEqual(firstSearch(reader, search));
  });

  test('finds leads that were added, changed or removed during the typing, in the order of the list', () => {
    const { tap, clock, add, journal, reader } = leadJournal();
    tap(person('v0', 'Dee', 'Ng'));
    clock.pass(1_000);
    tap(person('v1', 'Ann', 'Lee'));
    clock.pass(1_000);
    tap(person('v2', 'Bo', 'Lee'));
    clock.pass(1_000);
    const list = reader();
    expect(namesOf(list, { search: 'l' })).toEqual(['Bo Lee', 'Ann Lee']);
    tap(person('v1', 'Ann', 'Lee'));
    clock.pass(1_000);
    tap(person('v3', 'Cy', 'Lee'));
    expect(namesOf(list, { search: 'le' })).toEqual(['Cy Lee', 'Ann Lee', 'Bo Lee']);
    const fields = { lastName: 'Leek' };
    add({ kind: 'correct', payload: { badge: 'badge of v0', visitor: 'v0', fields } });
    expect(namesOf(list, { search: 'lee' })).toEqual(['Cy Lee', 'Ann Lee', 'Bo Lee', 'Dee Leek']);
    journal.erase('v3');
    const page = list.page({ filter: { search: 'lee' }, sort: 'latest', from: { position: 0 }, limit: 9 });
    expect(page.leads.map(({ name }) => name)).toEqual(['Ann Lee', 'Bo Lee', 'Dee Leek']);
    expect(page.counts).toEqual({ people: 3, taps: 4, facts: 5 });
  });

  test('continues each page where the previous one ended', () => {
    const { tap, reader } = leadJournal();
    for (let n = 0; n < 12; n += 1) tap(person(`v${n}`, 'Person', String(n)));
    const list = reader();
    const page = (from: { position: number } | { after: string }) =>
      list.page({ filter: { search: 'person' }, sort: 'latest', from, limit: 5 });
    const whole = namesOf(list);
    const first = page({ position: 0 });
    const second = page({ after: first.next ?? '' });
    const third = page({ position: 10 });
    expect([...first.leads, ...second.leads, ...third.leads].map(({ name }) => name)).toEqual(whole);
    expect(third.next).toBeNull();
  });
});

describe('pages', () => {
  test('reach every lead once, even while others arrive', () => {
    const { tap, clock, reader } = leadJournal();
    for (let n = 0; n < 50; n += 1) {
      tap(person(`v${n}`, 'Person', String(n)));
      clock.pass(n % 3 === 0 ? 0 : 1_000);
    }
    const list = reader();
    const seen: string[] = [];
    let after: string | null = null;
    for (let pages = 0; pages < 20; pages += 1) {
      const from = after === null ? { position: 0 } : { after };
      const page = list.page({ filter: {}, sort: 'latest', from, limit: 7 });
      seen.push(...page.leads.map(({ id }) => id));
      tap(person(`late${pages}`, 'Late', String(pages)));
      after = page.next;
      if (after === null) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(50);
  });

  test.for(['latest', 'hot', 'name', 'company'] as const)(
    'by %s, a page from a position continues after the previous one',
    (sort) => {
      const { tap, reader } = leadJournal();
      for (let n = 0; n < 20; n += 1) tap(person(`v${n}`, 'Same', 'Name', { company: `Company ${n % 4}` }));
      const list = reader();
      const whole = list
        .page({ filter: {}, sort, from: { position: 0 }, limit: 20 })
        .leads.map(({ id }) => id);
      const first = list.page({ filter: {}, sort, from: { position: 0 }, limit: 8 });
      const second = list.page({ filter: {}, sort, from: { after: first.next ?? '' }, limit: 8 });
      const tail = list.page({ filter: {}, sort, from: { position: 16 }, limit: 8 });
      expect([...first.leads, ...second.leads, ...tail.leads].map(({ id }) => id)).toEqual(whole);
      expect(tail.next).toBeNull();
    },
  );
});

describe('filters', () => {
  test("narrow by the team's fields, the visitor's actions, and the delivery", () => {
    const { tap, add, journal, clock, reader } = leadJournal();
    const ann = person('v1', 'Ann', 'A');
    const bo = person('v2', 'Bo', 'B');
    const cy = person('v3', 'Cy', 'C');
    tap(ann, { staff: 'Mia' });
    const of = (visitor: typeof ann) => ({ badge: `badge of ${visitor.id}`, visitor: visitor.id });
    add(
      {
        kind: 'qualify',
        staff: 'Mia',
        payload: { ...of(ann), fields: { rating: 5, labels: ['L1'], followUpOn: '2026-11-23' } },
      },
      ann,
    );
    const tapOfBo = tap(bo);
    add(
      {
        kind: 'consent',
        payload: {
          ...of(bo),
          fields: { consent: { notice: '1', language: 'de', agreed: { news: true, call: false } } },
        },
      },
      bo,
    );
    add({ kind: 'collect', payload: { ...of(bo), content: 'C7' } }, bo);
    clock.pass(86_400_000);
    const lastTap = journal.leads.ofFact(1);
    expect(lastTap?.id).not.toBe(tapOfBo);
    tap(cy);
    const undone = add({ kind: 'tap', payload: { badge: '99' } });
    add({ kind: 'undo', payload: { undoes: undone } });
    const list = reader();
    expect(namesOf(list, { hot: true })).toEqual(['Ann A']);
    expect(namesOf(list, { unrated: true })).toEqual(['Cy C', 'Bo B']);
    expect(namesOf(list, { ratingAtLeast: 4 })).toEqual(['Ann A']);
    expect(namesOf(list, { day: '2026-11-22' })).toEqual(['Cy C']);
    expect(namesOf(list, { labels: ['L1', 'L2'] })).toEqual(['Ann A']);
    expect(namesOf(list, { consent: 'news' })).toEqual(['Bo B']);
    expect(namesOf(list, { consent: 'call' })).toEqual([]);
    expect(namesOf(list, { content: 'C7' })).toEqual(['Bo B']);
    expect(namesOf(list, { staff: 'Mia' })).toEqual(['Ann A']);
    // A tap that was taken back needs no name.
    expect(namesOf(list, { unknown: true })).toEqual([]);
    expect(namesOf(list, { undone: true })).toEqual([null]);
    expect(namesOf(list, { followUpBy: '2026-11-23' })).toEqual(['Ann A']);
    expect(namesOf(list, { followUpBy: '2026-11-22' })).toEqual([]);
    expect(namesOf(list, { undelivered: true })).toHaveLength(4);
    const seqs = Array.from({ length: 20 }, (_, index) => index + 1);
    journal.outbox.markInFlight(
      seqs.map((seq) => ({ seq, wire: '{}' })),
      0n,
      0,
    );
    journal.outbox.settle(
      seqs.filter((seq) => seq > 2).map((seq) => ({ seq, kind: 'sent', action: null, revision: null })),
      0,
    );
    expect(namesOf(list, { undelivered: true })).toEqual(['Ann A']);
    const { leads } = list.page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 9 });
    expect(leads.find(({ name }) => name === 'Ann A')?.delivery).toBe('waiting');
    expect(leads.find(({ name }) => name === 'Bo B')?.delivery).toBe('sent');
    expect(list.facets({})).toMatchObject({ people: 4, hot: 1, unknown: 0, undone: 1, undelivered: 1 });
  });

  test('count an unknown badge until its tap is taken back, among all leads and among some', () => {
    const { tap, add, reader } = leadJournal();
    tap(person('v1', 'Ann', 'Acme'));
    const unknown = add({ kind: 'tap', payload: { badge: '99' } });
    const list = reader();
    const counts = () => [{}, { undelivered: true }].map((filter) => list.facets(filter)?.unknown);
    expect(namesOf(list, { unknown: true })).toEqual([null]);
    expect(counts()).toEqual([1, 1]);
    add({ kind: 'undo', payload: { undoes: unknown } });
    expect(namesOf(list, { unknown: true })).toEqual([]);
    expect(counts()).toEqual([0, 0]);
  });

  test('count further choices among the leads of the search and the filter', () => {
    const { tap, add, reader } = leadJournal();
    const qualify = (id: string, fields: object) =>
      add({ kind: 'qualify', payload: { badge: `badge of ${id}`, visitor: id, fields } });
    tap(person('v1', 'Ann', 'Acme'));
    tap(person('v2', 'Bo', 'Acme'));
    tap(person('v3', 'Cy', 'Other'));
    qualify('v1', { rating: 5, labels: ['L1'] });
    qualify('v2', { labels: ['L1', 'L2'] });
    qualify('v3', { rating: 5, labels: ['L2'] });
    const list = reader();
    expect(list.facets({})).toMatchObject({ people: 3, hot: 2, unrated: 1 });
    const acme = list.facets({ search: 'acme' });
    expect(acme).toMatchObject({ people: 2, hot: 1, unrated: 1 });
    expect(acme?.labels).toEqual([
      { value: 'L1', people: 2 },
      { value: 'L2', people: 1 },
    ]);
    expect(acme?.days).toMatchObject([{ people: 2 }]);
    const hot = list.facets({ hot: true, labels: ['L1'] });
    expect(hot).toMatchObject({ people: 1, hot: 1, unrated: 0 });
    expect(hot?.labels).toEqual([
      { value: 'L1', people: 1 },
      { value: 'L2', people: 1 },
    ]);
  });

  test('list as many people as the numbers count, even after leads changed and one was undone', () => {
    const { tap, add, reader } = leadJournal();
    const qualify = (id: string, fields: object) =>
      add({ kind: 'qualify', payload: { badge: `badge of ${id}`, visitor: id, fields } });
    const list = reader();
    tap(person('v1', 'Ann', 'A', { company: 'Acme' }), { staff: 'Mia' });
    tap(person('v2', 'Bo', 'B', { company: 'ACME ' }));
    tap(person('v3', 'Cy', 'C', { company: 'Other' }), { staff: 'Mia' });
    qualify('v1', { rating: 5, labels: ['L1'], answers: { when: ['soon'] } });
    qualify('v2', { rating: 3 });
    expect(list.numbers()).toMatchObject({
      people: 3,
      hot: 1,
      companies: [{ company: expect.stringMatching(/^acme/i), people: 2, hot: 1 }, {}],
    });
    const gone = add({ kind: 'tap', payload: { badge: '99' } });
    qualify('v2', { rating: 5, labels: ['L1'], answers: { when: ['soon', 'later'] } });
    add({ kind: 'undo', payload: { undoes: gone } });
    const numbers = list.numbers();
    const people = (filter: LeadFilter) => namesOf(list, filter).length;
    expect(numbers).toMatchObject({ people: 3, hot: 2, repeats: { once: 3, again: 0 } });
    for (const { day, hour, people: count } of numbers.hours)
      expect(people({ hour: `${day} ${String(hour).padStart(2, '0')}` })).toBe(count);
    for (const { company, people: count } of numbers.companies) expect(people({ company })).toBe(count);
    for (const { staff, people: count } of numbers.staff)
      expect(people({ met: staff ?? NOBODY })).toBe(count);
    for (const { rating, people: count } of numbers.ratings)
      expect(people(rating === null ? { unrated: true } : { rating })).toBe(count);
    for (const { option, people: count } of numbers.answers.flatMap(({ options }) => options))
      expect(people({ answer: `when${ANSWER_SEPARATOR}${option}` })).toBe(count);
    expect(people({ again: false, undone: false })).toBe(numbers.repeats.once);
    expect(numbers.staff).toMatchObject([
      { staff: null, people: 1 },
      { staff: 'Mia', people: 2, hot: 1 },
    ]);
    // The updated tally equals a new count.
    expect(reader().numbers()).toEqual(numbers);
    expect(reader().facets({})).toEqual(list.facets({}));
  });

  test('count people, taps and facts separately', () => {
    const { tap, add, reader } = leadJournal();
    const ann = person('v1', 'Ann', 'A');
    tap(ann);
    tap(ann);
    add({ kind: 'qualify', payload: { badge: 'badge of v1', visitor: 'v1', fields: { rating: 2 } } }, ann);
    const { counts } = reader().page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 1 });
    expect(counts).toEqual({ people: 1, taps: 2, facts: 3 });
  });
});

test('one person with two badges is one lead, and two people with one e-mail address are two', () => {
  const { tap, reader } = leadJournal();
  const shared = { email: 'info@example.org' };
  const ann = person('v1', 'Ann', 'A', shared);
  const first = tap(ann);
  expect(tap(ann, { payload: { badge: '04FE', visitor: 'v1' } })).toBe(first);
  tap(person('v2', 'Bo', 'B', { email: 'INFO@example.org' }));
  const list = reader();
  const found = (search: string) => namesOf(list, { search }).toSorted();
  expect(list.one(first)).toMatchObject({ taps: 2, badges: ['04FE', 'badge of v1'] });
  expect([found('04fe'), found('badge of v1')]).toEqual([['Ann A'], ['Ann A']]);
  expect(found('info@example.org')).toEqual(['Ann A', 'Bo B']);
});

test('a reader that has read all leads says so, and finds the last lead and the next unrated ones', () => {
  const { tap, clock, folder, reader } = leadJournal();
  expect(folder).not.toBe('');
  for (let n = 0; n < 3; n += 1) {
    tap(person(`v${n}`, 'Person', String(n)));
    clock.pass(1_000);
  }
  const list = reader();
  expect(list.page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 1 })).toMatchObject({
    ready: true,
    counts: { people: 3 },
  });
  expect(list.last()).toBe(
    list.page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 1 }).leads[0]?.id,
  );
  const first = list.nextUnrated(null);
  expect(first.left).toBe(3);
  const second = list.nextUnrated(first.lead);
  expect(second.lead).not.toBe(first.lead);
});

test('the next query finds a change from after the index was read', () => {
  const { tap, add, journal, reader } = leadJournal();
  const list = reader();
  expect(namesOf(list)).toEqual([]);
  add({ kind: 'tap', payload: { badge: 'b1' } });
  expect(namesOf(list)).toEqual([null]);
  journal.leads.nameBadges(['b1'], person('v1', 'Ann', 'Lee'));
  expect(namesOf(list, { search: 'lee' })).toEqual(['Ann Lee']);
  tap(person('v2', 'Bo', 'Ng'));
  journal.erase('v1');
  expect(namesOf(list)).toEqual(['Bo Ng']);
  expect(namesOf(list, { search: 'ann' })).toEqual([]);
});
