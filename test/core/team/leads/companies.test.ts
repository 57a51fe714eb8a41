/**
 * People by company: spellings are merged by rule and by hand, in the list and the statistics, for one partner only.
 */
import { expect, test } from 'vitest';
import type { LeadReader } from '../../../../src-main/core/team/leads/lead-reader.ts';
import { person } from './lead-journal.ts';
import { leadService } from './real-lead-service.ts';

const someone = (id: string, company: string | null) =>
  person(id, 'Ann', 'Lee', company === null ? {} : { company });

const all = { search: '', offset: 0, limit: 50 };
const figuresOf = (reader: LeadReader) =>
  reader.companies(all).companies.map(({ company, people, hot }) => [company, people, hot]);
const idsOf = (reader: LeadReader, company: string) =>
  reader
    .page({ filter: { company }, sort: 'latest', from: { position: 0 }, limit: 50 })
    .leads.map(({ id }) => id);

test('spellings are merged into one company with its people, hot leads and last visit', () => {
  const { service, tap, reader, clock } = leadService();
  const first = tap(someone('v1', 'ACME GmbH'));
  clock.pass(60_000);
  const second = tap(someone('v2', 'Acme'));
  tap(someone('v3', 'Beta 株式会社'));
  tap(someone('v4', null));
  tap(someone('v5', 'ACME GmbH'), { partner: 'p2' });
  service.edit(second, { rating: 5 });
  const list = reader();
  expect(figuresOf(list)).toEqual([
    ['ACME GmbH', 2, 1],
    ['Beta 株式会社', 1, 0],
  ]);
  const [acme] = list.companies(all).companies;
  expect(acme).toMatchObject({ spellings: ['ACME GmbH', 'Acme'], lastAt: list.one(second)?.lastAt });
  expect(idsOf(list, acme?.company ?? '')).toEqual([second, first]);
  expect(list.numbers().companies.map(({ company, people }) => [company, people])).toEqual([
    ['ACME GmbH', 2],
    ['Beta 株式会社', 1],
  ]);
  expect(list.companies({ ...all, search: 'beta' })).toMatchObject({ total: 1 });
});

test('staff put companies under one name: one fact per person, new people follow, and each fact can be undone', async () => {
  const { service, tap, reader, one } = leadService();
  const local = tap(someone('v1', 'ACME Austria'));
  const main = tap(someone('v2', 'ACME'));
  expect(await service.mergeCompanies(['ACME Austria', 'ACME'], ' ACME ')).toEqual({
    kind: 'kept',
    people: 2,
  });
  expect(await service.mergeCompanies(['ACME'], 'ACME')).toEqual({ kind: 'same' });
  expect(await one(local)).toMatchObject({ company: 'ACME Austria', companyGroup: 'ACME' });
  const list = reader();
  expect(figuresOf(list)).toEqual([['ACME', 2, 0]]);
  const late = tap(someone('v3', 'acme austria'));
  expect(figuresOf(list)).toEqual([['ACME', 3, 0]]);
  expect(idsOf(list, 'ACME')).toHaveLength(3);
  expect(list.companyOf(late)).toMatchObject({ company: 'ACME', people: 3 });
  // A fresh index gives the same groups in any order of reading.
  expect(figuresOf(reader())).toEqual([['ACME', 3, 0]]);

  const filed = (await one(local)).timeline.find(({ fields }) => fields.companyGroup === 'ACME');
  service.undo(filed?.factId ?? '');
  const apart = [
    ['ACME Austria', 2, 0],
    ['ACME', 1, 0],
  ];
  expect(figuresOf(list)).toEqual(apart);
  expect(figuresOf(reader())).toEqual(apart);
  expect(list.numbers().companies.map(({ company, people, hot }) => [company, people, hot])).toEqual(apart);
  expect(idsOf(list, 'ACME')).toEqual([main]);
});

test('two companies with the same name are separated by hand', () => {
  const { service, tap, reader } = leadService();
  const graz = tap(someone('v1', 'ACME'));
  tap(someone('v2', 'ACME GmbH'));
  service.edit(graz, { companyGroup: 'ACME (Graz)' });
  expect(figuresOf(reader())).toEqual([
    ['ACME GmbH', 1, 0],
    ['ACME (Graz)', 1, 0],
  ]);
  service.edit(graz, { companyGroup: null });
  expect(figuresOf(reader())[0]?.[1]).toBe(2);
});

test('people of another partner are not listed and cannot be put under a company', async () => {
  const { service, tap, journal } = leadService();
  const other = tap(someone('v1', 'ACME'), { partner: 'p2' });
  const before = journal.lastId();
  expect(await service.ask('companies', all)).toEqual({ companies: [], total: 0 });
  expect(await service.ask('companyOf', other)).toBeNull();
  expect(await service.mergeCompanies(['ACME'], 'Mine')).toEqual({ kind: 'same' });
  expect(journal.lastId()).toBe(before);
});

test('an erased person leaves no company behind', () => {
  const { tap, reader, journal, service } = leadService();
  const lead = tap(someone('v1', 'Telltale AG'));
  service.edit(lead, { companyGroup: 'Telltale Holding' });
  const list = reader();
  expect(figuresOf(list)).toHaveLength(1);
  journal.eraseLeads([lead]);
  expect(figuresOf(list)).toEqual([]);
  expect(list.numbers().companies).toEqual([]);
});
