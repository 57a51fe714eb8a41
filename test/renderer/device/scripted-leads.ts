/**
 * The leads of a scripted device: answered from a list of whole leads, in the order they are given.
 *
 * Invariant: what is asked is kept by the device; edits change nothing here.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type {
  LeadDetail,
  LeadFacets,
  LeadNumbers,
  LeadWords,
  Worklist,
} from '../../../src-main/contract/leads.ts';
import { lineOf } from '../../../src-main/core/leads/fold.ts';
import { USUAL_HOT_RULE } from '../../../src-main/core/leads/hot.ts';

/** What a test puts there. */
export type LeadScript = {
  people: readonly LeadDetail[];
  words: LeadWords;
  worklist: Worklist;
};

/** Nobody was here. */
export const noLeads = (): LeadScript => ({
  people: [],
  words: { labels: [], contents: [], touchpoints: [], questions: [], consents: [] },
  worklist: { unknown: [], refused: [] },
});

/** The calls of `leads`, but for the old list. */
export const scriptedLeads = (script: () => LeadScript, keep: (call: string, input: unknown) => void) => {
  const os = implement(contract).leads;
  const edited = (call: string, input: unknown, lead: string) => {
    keep(`leads.${call}`, input);
    return { kind: 'kept' as const, factId: `fact-of-${call}`, lead };
  };
  return {
    watch: os.watch.handler(async function* () {
      yield await Promise.resolve({ version: 0, ready: true });
    }),
    page: os.page.handler(({ input }) => {
      keep('leads.page', input);
      const wanted = input.filter.search?.toLocaleLowerCase() ?? '';
      const found = script().people.filter(
        (lead) =>
          `${lead.name} ${lead.company} ${lead.badgeTail}`.toLocaleLowerCase().includes(wanted) &&
          (input.filter.hot === undefined || lead.hot.is === input.filter.hot) &&
          (input.filter.unrated === undefined || (lead.rating === null) === input.filter.unrated),
      );
      const from = 'after' in input.from ? Number(input.from.after) : input.from.position;
      const next = from + input.limit;
      return {
        leads: found.slice(from, next).map(lineOf),
        next: next < found.length ? String(next) : null,
        counts: countsOf(found),
        ready: true,
      };
    }),
    facets: os.facets.handler(() => facetsOf(script().people)),
    words: os.words.handler(() => script().words),
    numbers: os.numbers.handler(() => numbersOf(script().people)),
    one: os.one.handler(({ input }) => script().people.find(({ id }) => id === input.lead) ?? null),
    last: os.last.handler(() => ({ lead: script().people[0]?.id ?? null })),
    nextUnrated: os.nextUnrated.handler(() => {
      const unrated = script().people.filter(({ rating }) => rating === null);
      return { lead: unrated[0]?.id ?? null, left: unrated.length };
    }),
    edit: os.edit.handler(({ input }) => edited('edit', input, input.lead)),
    correct: os.correct.handler(({ input }) => edited('correct', input, input.lead)),
    undo: os.undo.handler(({ input }) => edited('undo', input, script().people[0]?.id ?? '')),
    persons: os.persons.handler(() => []),
    attach: os.attach.handler(({ input }) => edited('attach', input, input.lead)),
    merge: os.merge.handler(({ input }) => edited('merge', input, input.into)),
    add: os.add.handler(({ input }) => edited('add', input, 'added')),
    readContact: os.readContact.handler(() => null),
    worklist: os.worklist.handler(() => script().worklist),
    settle: os.settle.handler(({ input }) => {
      keep('leads.settle', input);
      return { kept: true };
    }),
    hotRule: os.hotRule.handler(() => ({ rule: USUAL_HOT_RULE, changed: false })),
    changeHotRule: os.changeHotRule.handler(({ input }) => {
      keep('leads.changeHotRule', input);
      return { kept: true };
    }),
  };
};

const countsOf = (people: readonly LeadDetail[]) => ({
  people: people.length,
  taps: people.reduce((sum, { taps }) => sum + taps, 0),
  facts: people.reduce((sum, { facts }) => sum + facts, 0),
});

const facetsOf = (people: readonly LeadDetail[]): LeadFacets => ({
  people: people.length,
  hot: people.filter(({ hot }) => hot.is).length,
  unrated: people.filter(({ rating }) => rating === null).length,
  unknown: people.filter(({ unknown }) => unknown).length,
  undone: people.filter(({ undone }) => undone).length,
  undelivered: people.filter(({ delivery }) => delivery === 'waiting' || delivery === 'parked').length,
  ...{ days: [], labels: [], consents: [], contents: [], staff: [] },
});

const numbersOf = (people: readonly LeadDetail[]): LeadNumbers => ({
  ...countsOf(people),
  ...{ hours: [], days: [], ratings: [], staff: [], contents: [], answers: [] },
  repeats: { once: people.length, again: 0 },
  hot: people.filter(({ hot }) => hot.is).length,
  agreed: people.filter(({ agreed }) => agreed === true).length,
});
