/** What the stand team does to leads, over a real journal and a real mirror, read back through the thread that reads. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import { createLeadService } from '../../../src-main/core/leads/service.ts';
import { openMirror } from '../../../src-main/core/mirror/mirror.ts';
import { plainSettings } from '../../../src-main/core/stand/settings.ts';
import { createStorageGuard } from '../../../src-main/core/store/storage-guard.ts';
import { rememberingLog } from '../fixture.ts';
import { pageOf } from '../real-parts.ts';
import { leadJournal, person } from './lead-journal.ts';

const visitors = [
  {
    id: 'v1',
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.org',
    badges: [{ type: 'nfc', code: 'B1' }],
  },
  { id: 'v2', firstName: 'Bo', lastName: 'Ng', company: 'Acme', badges: [] },
];

const leadService = () => {
  const world = leadJournal();
  const { folder, journal } = world;
  const log = rememberingLog();
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const records = visitors.map((body, index) => ({
    id: body.id,
    revision: BigInt(index),
    deleted: false,
    body,
  }));
  mirror.applyPage('visitors', pageOf('visitors', records), 10n);
  let staff: string | null = 'Mia';
  let ids = 0;
  let partner = 'p1';
  const assignment = () =>
    ({
      touchpoint: 'tp1',
      partner,
      deviceName: null,
      purpose: 'lead',
      content: null,
      activity: null,
      location: null,
    }) as const;
  const service = createLeadService({
    ...{ journal, mirror, log },
    settings: plainSettings(),
    storageGuard: createStorageGuard({ log, isInPlace: () => true, onRecorded: () => undefined }),
    place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: null, staff }),
    assignment,
    timezone: () => 'Europe/Berlin',
    now: world.clock.now,
    files: { journal: join(folder, 'journal.db'), mirror: join(folder, 'mirror.db') },
    program: new URL('../../../src-main/core/leads/worker.ts', import.meta.url),
    newId: () => {
      ids += 1;
      return `id${ids}`;
    },
    onReady: () => undefined,
  });
  onTestFinished(async () => {
    await service.stop();
    mirror.close();
  });
  const one = async (lead: string): Promise<LeadDetail> => {
    const detail = await service.ask('one', lead);
    if (detail === null) throw new Error('Expected a lead');
    return detail;
  };
  const search = async (text: string) => {
    const page = await service.ask('page', {
      filter: { search: text },
      sort: 'latest',
      from: { position: 0 },
      limit: 50,
    });
    return page.leads.map(({ name }) => name);
  };
  return {
    ...world,
    service,
    one,
    search,
    setStaff: (name: string | null) => {
      staff = name;
    },
    setPartner: (id: string) => {
      partner = id;
    },
  };
};

const ann = person('v1', 'Ann', 'Lee', { email: 'ann@example.org' });

describe('an edit', () => {
  test('is a fact with who made it, changes its field alone, and is taken back by another fact', async () => {
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

  test('keeps a note of 100 KB whole, and what no disk or platform could take of it not at all', async () => {
    const { service, one, tap } = leadService();
    const lead = tap(ann);
    const long = `${'ü'.repeat(50_000)}\n"quoted"; = + - @ 👍`;
    service.edit(lead, { note: long });
    expect((await one(lead)).note).toBe(long);
    service.edit(lead, { note: 'a\0b\ud800c\r\nd' });
    expect((await one(lead)).note).toBe('ab\ufffdc\nd');
  });

  test('twenty in a second are twenty facts, and the last one counts', async () => {
    const { service, one, tap } = leadService();
    const lead = tap(ann);
    for (let n = 1; n <= 20; n += 1) service.edit(lead, { note: `note ${n}` });
    const { note, facts } = await one(lead);
    expect([note, facts]).toEqual(['note 20', 21]);
  });

  test('of another partner’s lead, or of none, is refused', () => {
    const { service, tap } = leadService();
    const other = tap(ann, { partner: 'p2' });
    expect(service.edit(other, { rating: 1 })).toEqual({ kind: 'unknown' });
    expect(service.edit('nothing', { rating: 1 })).toEqual({ kind: 'unknown' });
  });

  test('of a visitor’s own answer or consent is not undone by the team', () => {
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

test('the timeline says what a visitor agreed to, purpose by purpose', async () => {
  const { one, tap, add } = leadService();
  const lead = tap(ann);
  const consent = { notice: '1', language: 'en', agreed: { news: true, call: false } };
  add({ kind: 'consent', payload: { badge: 'badge of v1', visitor: 'v1', fields: { consent } } }, ann);
  const { timeline } = await one(lead);
  expect(timeline.find(({ kind }) => kind === 'consent')?.fields).toEqual({ news: true, call: false });
});

test('a correction stands beside the original, is searched, and can be taken back', async () => {
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

describe('an unknown badge', () => {
  test('is attached to a person of the event and taken off again', async () => {
    const { service, one, search, add } = leadService();
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
    expect((await service.persons('bo'))[0]?.lead).toBe(attached.lead);
    expect(service.attach(lead, 'v2')).toEqual({ kind: 'same' });
    service.undo(attached.factId);
    expect(await search('')).toEqual([null]);
    expect((await one(lead)).name).toBeNull();
  });

  test('goes with the person’s own lead when there is one', async () => {
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

test('two leads of one person become one, and two again', async () => {
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

describe('who became part of another', () => {
  const bo = person('v2', 'Bo', 'Ng', { company: 'Acme', email: 'bo@example.org' });
  const cy = {
    firstName: 'Cy',
    lastName: 'Noe',
    company: 'Noe Ltd',
    jobTitle: null,
    email: 'cy@x.org',
    phone: null,
  };

  test('is found by name, company and e-mail, and named, also after it was taken back', async () => {
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

  test('does not change the name of the lead that was chosen, and fills what it does not say', async () => {
    const { service, one, tap } = leadService();
    const chosen = tap(ann);
    const added = service.add(cy);
    if (added.kind !== 'kept') throw new Error('Expected a fact');
    service.merge(added.lead, chosen);
    const { name, email, company, others } = await one(chosen);
    expect([name, email, company]).toEqual(['Ann Lee', 'ann@example.org', 'Noe Ltd']);
    expect(others).toMatchObject([{ name: 'Cy Noe', email: 'cy@x.org', badgeTail: '' }]);
  });

  test('gives its name where the chosen lead has none, with what was corrected of it', async () => {
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

test('somebody without a badge is added, found, rated, and taken back', async () => {
  const { service, one, search } = leadService();
  const contact = {
    firstName: 'Cy',
    lastName: 'Noe',
    company: null,
    jobTitle: null,
    email: 'cy@example.org',
    phone: '+41 44 123 45 67',
  };
  const added = service.add(contact);
  if (added.kind !== 'kept') throw new Error('Expected a fact');
  expect(await one(added.lead)).toMatchObject({
    name: 'Cy Noe',
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

test('the rule of one partner is not that of the next, and a damaged one is none', () => {
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

test('the rule by which a lead is hot can be changed and set back', async () => {
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
  test('is kept with its reason until somebody settles it, and can be opened again', async () => {
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
    expect(service.settle('nothing', true)).toBe(false);
  });
});
