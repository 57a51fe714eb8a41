/**
 * Leads of a scripted device, and the calls of the contract about them.
 *
 * Invariant: an edit changes later answers, as on the real device, and can be undone once.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type { LeadEdit } from '../../../src-main/contract/lead-fields.ts';
import type {
  Correction,
  Edited,
  HotRule,
  LeadDetail,
  LeadFilter,
  LeadLine,
  LeadNumbers,
  LeadSort,
  LeadWords,
  Worklist,
} from '../../../src-main/contract/leads.ts';
import type { Person } from '../../../src-main/contract/people.ts';
import type { Recognised } from '../../../src-main/contract/recognition.ts';
import { detailOf, leadWords, numbersOf } from './demo-leads.ts';

export type ScriptedLeads = {
  all: readonly LeadLine[];
  words: LeadWords;
  numbers: LeadNumbers | null;
  worklist: Worklist;
  /** The details of a lead by its id. */
  more: Readonly<Record<string, Partial<LeadDetail>>>;
  /** An undo removes the lead `from` and names `lead` as the result. Null: an undo restores the edited lead. */
  apart: { readonly from: string; readonly lead: string } | null;
  /** People to whom a badge may belong. Null means the leads whose name contains the search. */
  persons: readonly Person[] | null;
  /** If a filter leaves at least this many leads, but not all, `facets` returns null instead of counts. */
  fewestUncounted: number;
  /** The team's own rule. */
  rule: HotRule | null;
  /** The team's target for a day. */
  target: number | null;
  /** Pages are answered after this promise is resolved. */
  held: Promise<void>;
  /** The result of reading a picture. */
  recognised: Recognised;
  /** Photos and voice notes of the device. A promise delays the answer. */
  files: KeptFiles | Promise<KeptFiles>;
  /** The result of edits. */
  edited: 'kept' | 'failed' | 'unknown';
};

export function createScriptedLeads(): ScriptedLeads {
  return { ...emptyLeads };
}

export const emptyLeads: ScriptedLeads = {
  all: [],
  words: leadWords,
  numbers: null,
  worklist: { unknown: [], refused: [] },
  more: {},
  apart: null,
  persons: null,
  fewestUncounted: Number.POSITIVE_INFINITY,
  rule: null,
  target: null,
  held: Promise.resolve(),
  recognised: { kind: 'read', candidates: [], card: null, names: 'all' },
  files: { files: 0, bytes: 0 },
  edited: 'kept',
};

const usualRule: HotRule = {
  ...{ rating: 4, answers: [{ question: 'when', options: ['soon'] }], contents: 3, visits: 3 },
};

type Keep = (call: string, input: unknown) => void;

/** The calls about leads. */
export function leadCalls(leads: ScriptedLeads, keep: Keep) {
  const { leads: os } = implement(contract);
  const before = new Map<string, LeadLine>();
  let made = 0;
  const change = (lead: string, next: (line: LeadLine) => LeadLine): Edited => {
    const found = leads.all.find(({ id }) => id === lead);
    if (leads.edited === 'failed') return { kind: 'failed', reason: 'full' };
    if (!found || leads.edited === 'unknown') return { kind: 'unknown' };
    made += 1;
    const factId = `edit-${made}`;
    before.set(factId, found);
    leads.all = leads.all.map((line) => (line.id === lead ? next(line) : line));
    return { kind: 'kept', factId, lead };
  };
  const kept = (call: string, input: unknown): Edited => {
    keep(call, input);
    made += 1;
    return { kind: 'kept', factId: `edit-${made}`, lead: 'lead-0' };
  };
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      yield { version: 0, ready: true };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    }),
    page: os.page.handler(async ({ input }) => {
      keep('leads.page', input);
      await leads.held;
      const found = sorted(leads.all.filter(matching(input.filter)), input.sort);
      const from = 'position' in input.from ? input.from.position : 0;
      return {
        leads: found.slice(from, from + input.limit),
        next: null,
        counts: {
          people: found.length,
          taps: found.reduce((sum, { taps }) => sum + taps, 0),
          facts: found.reduce((sum, { taps }) => sum + taps * 2, 0),
        },
        ready: true,
      };
    }),
    facets: os.facets.handler(({ input }) => {
      keep('leads.facets', input);
      const found = leads.all.filter(matching(input.filter));
      return leads.fewestUncounted <= found.length && found.length < leads.all.length
        ? null
        : { ...facetsOf(found), refused: leads.worklist.refused.length };
    }),
    words: os.words.handler(() => leads.words),
    numbers: os.numbers.handler(() => leads.numbers ?? numbersOf(leads.all, leads.target)),
    changeTarget: os.changeTarget.handler(({ input }) => {
      keep('leads.changeTarget', input);
      leads.target = input.target;
      return { kept: true };
    }),
    one: os.one.handler(({ input }): LeadDetail | null => {
      const line = leads.all.find(({ id }) => id === input.lead);
      return line ? { ...detailOf(line), ...leads.more[line.id] } : null;
    }),
    last: os.last.handler(() => ({ lead: leads.all[0]?.id ?? null })),
    nextUnrated: os.nextUnrated.handler(({ input }) => {
      const unrated = leads.all.filter(({ rating }) => rating === null);
      const at = leads.all.findIndex(({ id }) => id === input.after);
      const next = leads.all.find(({ rating }, index) => index > at && rating === null) ?? unrated[0];
      return { lead: next?.id ?? null, left: unrated.length };
    }),
    edit: os.edit.handler(({ input }) => {
      keep('leads.edit', input);
      return change(input.lead, (line) => edited(line, input.change));
    }),
    correct: os.correct.handler(({ input }) => {
      keep('leads.correct', input);
      return change(input.lead, (line) => corrected(line, input.change));
    }),
    companies: os.companies.handler(({ input }) => {
      const all = numbersOf(leads.all, null).companies.filter(({ company }) =>
        company.toLowerCase().includes(input.search.toLowerCase()),
      );
      return { companies: all.slice(input.offset, input.offset + input.limit), total: all.length };
    }),
    company: os.company.handler(({ input }) => {
      const line = leads.all.find(({ id }) => id === input.lead);
      return numbersOf(leads.all, null).companies.find(({ company }) => company === line?.company) ?? null;
    }),
    mergeCompanies: os.mergeCompanies.handler(({ input }) => {
      keep('leads.mergeCompanies', input);
      const found = leads.all.filter(({ company }) => input.companies.includes(company ?? ''));
      leads.all = leads.all.map((line) =>
        found.includes(line) ? { ...line, companyGroup: input.into } : line,
      );
      return { kind: 'kept', people: found.length };
    }),
    undo: os.undo.handler(({ input }): Edited => {
      keep('leads.undo', input);
      const line = before.get(input.factId);
      if (leads.apart !== null) {
        const { from, lead } = leads.apart;
        leads.all = leads.all.filter(({ id }) => id !== from);
        return { kind: 'kept', factId: 'undo', lead };
      }
      if (!line) return { kind: 'unknown' };
      before.delete(input.factId);
      leads.all = leads.all.map((now) => (now.id === line.id ? line : now));
      return { kind: 'kept', factId: `undo-${input.factId}`, lead: line.id };
    }),
    persons: os.persons.handler(({ input }) => {
      keep('leads.persons', input);
      if (leads.persons !== null) return [...leads.persons];
      return leads.all
        .filter(({ name }) => name?.toLowerCase().includes(input.search.toLowerCase()))
        .slice(0, 5)
        .map(({ id, name, company, jobTitle, place }) => ({
          visitor: `visitor-${id}`,
          name: name ?? '',
          company,
          jobTitle,
          place,
          lead: id === 'lead-0' ? id : null,
        }));
    }),
    attach: os.attach.handler(({ input }) => kept('leads.attach', input)),
    merge: os.merge.handler(({ input }) => kept('leads.merge', input)),
    add: os.add.handler(({ input }) => kept('leads.add', input)),
    readContact: os.readContact.handler(({ input }) => {
      keep('leads.readContact', input);
      return input.text.startsWith('BEGIN:VCARD') || input.text.startsWith('MECARD:')
        ? {
            contact: {
              ...{ firstName: 'Ada', lastName: 'Lovelace', company: 'Analytical Engines', jobTitle: null },
              ...{ email: 'ada@example.org', phone: null },
            },
            more: '12 St James’s Square, London',
          }
        : null;
    }),
    attachments: {
      put: os.attachments.put.handler(() => ({ upload: 'upload' })),
      photo: os.attachments.photo.handler(({ input }) => kept('leads.attachments.photo', input)),
      voice: os.attachments.voice.handler(({ input }) => kept('leads.attachments.voice', input)),
      read: os.attachments.read.handler(({ input }) =>
        input.factId === 'voice' ? { type: 'audio/webm', bytes: 'AAAA' } : null,
      ),
      sum: os.attachments.sum.handler(() => leads.files),
      use: os.attachments.use.handler(async function* ({ signal }) {
        yield { allowed: true as const };
        await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      }),
    },
    recognition: {
      read: os.recognition.read.handler(() => leads.recognised),
    },
    addVisitor: os.addVisitor.handler(({ input }) => kept('leads.addVisitor', input)),
    worklist: os.worklist.handler(() => leads.worklist),
    settle: os.settle.handler(({ input }) => {
      keep('leads.settle', input);
      return { kept: true };
    }),
    hotRule: os.hotRule.handler(() => ({ rule: leads.rule ?? usualRule, changed: leads.rule !== null })),
    changeHotRule: os.changeHotRule.handler(({ input }) => {
      keep('leads.changeHotRule', input);
      leads.rule = input.rule;
      return { kept: true };
    }),
  };
}

function matching(filter: LeadFilter): (line: LeadLine) => boolean {
  const wanted = filter.search?.toLocaleLowerCase() ?? '';
  return (line) =>
    `${line.name} ${line.company} ${line.email} ${line.note} ${line.badgeTail}`
      .toLocaleLowerCase()
      .includes(wanted) &&
    (filter.hot === undefined || line.hot.is === filter.hot) &&
    (filter.unrated === undefined || (line.rating === null) === filter.unrated) &&
    (filter.rating === undefined || line.rating === filter.rating) &&
    (filter.company === undefined || line.company === filter.company) &&
    (filter.unknown === undefined || (line.unknown && !line.undone) === filter.unknown) &&
    (filter.incomplete === undefined || (line.form.budget === undefined) === filter.incomplete) &&
    (filter.undone === undefined || line.undone === filter.undone) &&
    (filter.undelivered === undefined || (line.delivery !== 'confirmed') === filter.undelivered) &&
    (filter.parked === undefined || (line.delivery === 'parked') === filter.parked) &&
    (filter.labels === undefined || line.labels.some((label) => filter.labels?.includes(label))) &&
    (filter.followUpBy === undefined || (line.followUpOn !== null && line.followUpOn <= filter.followUpBy)) &&
    (filter.ids === undefined || filter.ids.includes(line.id));
}

function sorted(lines: readonly LeadLine[], sort: LeadSort): readonly LeadLine[] {
  if (sort === 'latest') return lines;
  if (sort === 'hot') return lines.toSorted((a, b) => Number(b.hot.is) - Number(a.hot.is));
  return lines.toSorted((a, b) => String(a[sort]).localeCompare(String(b[sort])));
}

function facetsOf(all: readonly LeadLine[]) {
  const count = (filter: LeadFilter) => all.filter(matching(filter)).length;
  const labels = [...new Set(all.flatMap((line) => line.labels))];
  const days = all.length === 0 ? [] : [{ value: new Date().toLocaleDateString('sv'), people: all.length }];
  return {
    people: all.length,
    hot: count({ hot: true }),
    unrated: count({ unrated: true }),
    unknown: count({ unknown: true }),
    incomplete: count({ incomplete: true }),
    undone: count({ undone: true }),
    undelivered: count({ undelivered: true }),
    parked: count({ parked: true }),
    days,
    labels: labels.map((value) => ({ value, people: count({ labels: [value] }) })),
    consents: all.length === 0 ? [] : [{ value: 'news', people: Math.ceil(all.length / 3) }],
    contents: all.length === 0 ? [] : [{ value: 'c1', people: Math.ceil(all.length / 4) }],
    staff: all.length === 0 ? [] : [{ value: 'Jonas W.', people: Math.ceil(all.length / 2) }],
  };
}

function edited(line: LeadLine, change: LeadEdit): LeadLine {
  const rating = change.rating === undefined ? line.rating : change.rating;
  const form = Object.entries({ ...line.form, ...change.form }).flatMap(([question, answer]) =>
    answer === null ? [] : [[question, answer] as const],
  );
  return {
    ...line,
    ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
    form: Object.fromEntries(form),
    hot: rating === null ? line.hot : { is: rating >= 4, why: { kind: 'rating', rating } },
  };
}

function corrected(line: LeadLine, change: Correction): LeadLine {
  const name =
    change.firstName || change.lastName ? `${change.firstName ?? ''} ${change.lastName ?? ''}` : null;
  return {
    ...line,
    name: name?.trim() ?? line.name,
    company: change.company ?? line.company,
    email: change.email ?? line.email,
    phone: change.phone ?? line.phone,
  };
}

type KeptFiles = { readonly files: number; readonly bytes: number };
