/** Badges and leads of one person: attached, merged, named, and separated again. */
import { describe, expect, test } from 'vitest';
import { person } from './lead-journal.ts';
import { leadService } from './real-lead-service.ts';

const ann = person('v1', 'Ann', 'Lee', { email: 'ann@example.org' });

describe('an unknown badge', () => {
  test('can be assigned to a person of the event and detached again', async () => {
    const { service, one, search, add, journal } = leadService();
    add({ kind: 'tap', payload: { badge: 'X9' } });
    const { unknown } = await service.worklist();
    const lead = unknown[0]?.id ?? '';
    const [found] = await service.persons('ng acme');
    expect(found).toMatchObject({ visitor: 'v2', name: 'Bo Ng', lead: null });
    const attached = service.attach(lead, 'v2');
    if (attached.kind !== 'kept') throw new Error('Expected a fact');
    expect(await one(attached.lead)).toMatchObject({
      name: 'Bo Ng',
      company: 'Acme',
      taps: 1,
      badges: ['X9'],
      unknown: false,
    });
    add({ kind: 'tap', payload: { badge: 'X9' } });
    expect((await one(lead)).taps).toBe(2);
    expect(await search('')).toEqual(['Bo Ng']);
    expect(journal.leads.count('p1')).toBe(1);
    expect((await service.persons('bo'))[0]?.lead).toBe(attached.lead);
    expect(service.attach(lead, 'v2')).toEqual({ kind: 'same' });
    expect(service.undo(attached.factId)).toMatchObject({ kind: 'kept', lead });
    expect(await search('')).toEqual([null]);
    expect(journal.leads.count('p1')).toBe(1);
    expect((await one(lead)).name).toBeNull();
  });

  test('joins the person’s own lead if there is one', async () => {
    const { service, one, search, tap, add } = leadService();
    const own = tap(ann);
    add({ kind: 'tap', payload: { badge: 'X9' } });
    const lead = (await service.worklist()).unknown[0]?.id ?? '';
    const attached = service.attach(lead, 'v1');
    expect(attached).toMatchObject({ kind: 'kept', lead: own });
    expect(await one(own)).toMatchObject({ taps: 2, facts: 3 });
    expect(await search('')).toEqual(['Ann Lee']);
    if (attached.kind === 'kept') service.undo(attached.factId);
    expect((await search('')).toSorted()).toEqual(['Ann Lee', null]);
    expect(await one(own)).toMatchObject({ taps: 1 });
  });
});

test('the worklist does not contain an undone unknown badge', async () => {
  const { service, add } = leadService();
  const tapped = add({ kind: 'tap', payload: { badge: 'X9' } });
  expect((await service.worklist()).unknown).toHaveLength(1);
  add({ kind: 'undo', payload: { badge: 'X9', undoes: tapped } });
  expect((await service.worklist()).unknown).toEqual([]);
});

test('an unknown badge is merged with a person added by hand, and separated again', async () => {
  const { service, one, add } = leadService();
  const nobody = { lastName: null, company: null, jobTitle: null, email: null, phone: null };
  const added = service.add({ ...nobody, firstName: 'Bonnie' });
  add({ kind: 'tap', payload: { badge: 'X9' } });
  const lead = (await service.worklist()).unknown[0]?.id ?? '';
  if (added.kind !== 'kept') throw new Error('Expected a fact');
  expect(await service.persons('bo')).toMatchObject([
    { name: 'Bo Ng', visitor: 'v2', lead: null },
    { name: 'Bonnie', visitor: null, lead: added.lead },
  ]);
  const merged = service.merge(lead, added.lead);
  expect(await one(added.lead)).toMatchObject({ name: 'Bonnie', taps: 1, badges: ['X9'] });
  expect((await service.worklist()).unknown).toEqual([]);
  if (merged.kind === 'kept') service.undo(merged.factId);
  expect(await one(lead)).toMatchObject({ name: null, taps: 1 });
});

test('a person added by hand is found behind a hundred others who match', async () => {
  const { service, tap, clock } = leadService();
  const nothing = { lastName: null, company: null, jobTitle: null, email: null, phone: null };
  const added = service.add({ ...nothing, firstName: 'Bonnie' });
  for (let n = 0; n < 120; n += 1) {
    clock.pass(1_000);
    tap(person(`bo${n}`, 'Bo', `Number${n}`));
  }
  if (added.kind !== 'kept') throw new Error('Expected a fact');
  const found = (await service.persons('bo')).filter(({ visitor }) => visitor === null);
  expect(found).toMatchObject([{ name: 'Bonnie', lead: added.lead }]);
});

test('a correction from another device of a merged person applies to that person, not to the kept lead', async () => {
  const { service, one, tap, journal } = leadService();
  const first = tap(ann);
  const second = tap(person('v2', 'Bo', 'Ng'));
  const tell = (clientID: string, fields: object) => {
    const entry = { clientID, kind: 'correct', at: '2026-11-22T10:00:00Z', fields };
    const body = { count: 1, history: [entry] };
    return journal.leads.keepConnections([{ visitor: 'v2', partner: 'p1', body }]);
  };
  expect(tell('far1', { lastName: 'Ngo', email: 'bo@example.org' })).toBe(1);
  const merged = service.merge(second, first);
  const theirs = { name: 'Bo Ngo', email: 'bo@example.org' };
  expect(await one(first)).toMatchObject({
    ...{ name: 'Ann Lee', email: 'ann@example.org' },
    others: [theirs],
  });
  expect(tell('far2', { lastName: 'Ngu', phone: '+41 44 1' })).toBe(1);
  // Gaps of the kept lead are filled.
  expect(await one(first)).toMatchObject({
    name: 'Ann Lee',
    phone: '+41 44 1',
    others: [{ name: 'Bo Ngu' }],
  });
  if (merged.kind === 'kept') service.undo(merged.factId);
  expect(await one(second)).toMatchObject({ name: 'Bo Ngu', phone: '+41 44 1' });
  expect(await one(first)).toMatchObject({ name: 'Ann Lee', phone: null });
});

test('two leads of one person are merged into one, and separated again', async () => {
  const { service, one, search, tap } = leadService();
  const first = tap(ann);
  const second = tap(person('v2', 'Bo', 'Ng'));
  service.edit(second, { note: 'same person' });
  const merged = service.merge(second, first);
  expect(merged).toMatchObject({ kind: 'kept', lead: first });
  expect(await one(first)).toMatchObject({ name: 'Ann Lee', taps: 2, note: 'same person' });
  expect((await one(second)).id).toBe(first);
  expect(service.merge(first, second)).toEqual({ kind: 'same' });
  tap(person('v2', 'Bo', 'Ng'));
  expect((await one(first)).taps).toBe(3);
  if (merged.kind === 'kept') service.undo(merged.factId);
  expect((await search('')).toSorted()).toEqual(['Ann Lee', 'Bo Ng']);
  expect(await one(second)).toMatchObject({ taps: 2, note: 'same person' });
});

describe('a merged person', () => {
  const bo = person('v2', 'Bo', 'Ng', { company: 'Acme', email: 'bo@example.org' });
  const cy = {
    firstName: 'Cy',
    lastName: 'Noe',
    company: 'Noe Ltd',
    jobTitle: null,
    email: 'cy@x.org',
    phone: null,
  };

  test('is found by name, company and e-mail, and named, even after an undo', async () => {
    const { service, one, search, tap } = leadService();
    const first = tap(ann);
    const second = tap(bo);
    const merged = service.merge(second, first);
    for (const text of ['bo ng', 'acme', 'bo@ex']) expect(await search(text)).toEqual(['Ann Lee']);
    const { others, timeline } = await one(first);
    expect(others).toMatchObject([{ lead: second, name: 'Bo Ng', company: 'Acme', email: 'bo@example.org' }]);
    const attached = { how: 'merged', name: 'Bo Ng', badgeTail: 'f v2' };
    expect(timeline.at(-1)).toMatchObject({ kind: 'attach', attached, undoable: true });
    if (merged.kind === 'kept') service.undo(merged.factId);
    expect(await search('acme')).toEqual(['Bo Ng']);
    const alone = await one(first);
    expect(alone.others).toEqual([]);
    expect(alone.timeline.at(-1)).toMatchObject({ undone: true, attached: { how: 'merged', name: 'Bo Ng' } });
  });

  test('does not change the name of the chosen lead, and fills its empty fields', async () => {
    const { service, one, tap } = leadService();
    const chosen = tap(ann);
    const added = service.add(cy);
    if (added.kind !== 'kept') throw new Error('Expected a fact');
    service.merge(added.lead, chosen);
    const { name, email, company, others } = await one(chosen);
    expect([name, email, company]).toEqual(['Ann Lee', 'ann@example.org', 'Noe Ltd']);
    expect(others).toMatchObject([{ name: 'Cy Noe', email: 'cy@x.org', badgeTail: '' }]);
  });

  test('supplies its name with its corrections if the chosen lead has none', async () => {
    const { service, one, tap, add } = leadService();
    add({ kind: 'tap', payload: { badge: 'X9' } });
    const lead = (await service.worklist()).unknown[0]?.id ?? '';
    const second = tap(bo);
    service.correct(second, { lastName: 'Nguyen' });
    service.merge(second, lead);
    expect(await one(lead)).toMatchObject({ name: 'Bo Nguyen', email: 'bo@example.org' });
    service.correct(lead, { lastName: 'Ngo' });
    expect((await one(lead)).name).toBe('Bo Ngo');
  });

  test('is named where a badge was attached to it', async () => {
    const { service, one, tap, add } = leadService();
    const own = tap(ann);
    add({ kind: 'tap', payload: { badge: 'X9' } });
    const lead = (await service.worklist()).unknown[0]?.id ?? '';
    service.attach(lead, 'v1');
    const { timeline, others } = await one(own);
    expect(others).toEqual([]);
    const attached = { how: 'attached', name: 'Ann Lee', badgeTail: 'X9' };
    expect(timeline.at(-1)).toMatchObject({ kind: 'attach', attached });
  });
});
