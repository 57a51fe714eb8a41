/**
 * A lead as the stand team sees it, folded from what was said. Pure.
 *
 * Invariants: fields merge one by one and the later one wins its field, by the platform's clock; what was taken back
 * counts for nothing and stays in the timeline; `delivery` claims no more than every fact has reached.
 */
import type { LeadDelivery } from '../../contract/lead.ts';
import type { FactDelivery, HotRule, LeadDetail, LeadEvent, LeadLine } from '../../contract/leads.ts';
import { answerSchema } from '../../contract/stand.ts';
import { CORRECTED_FIELDS } from '../journal/fact.ts';
import { isVisit, type LeadSource } from '../journal/lead-sources.ts';
import type { OutboxState } from '../journal/outbox.ts';
import { consentIn } from '../journal/replies.ts';
import { type Entry, entriesOf } from './entries.ts';
import { hotBy } from './hot.ts';
import { type Corrections, NO_CORRECTIONS, personOf, present } from './person.ts';

/** Taps closer together are one visit. */
const ONE_VISIT_MS = 600_000;

const NOTE_IN_LIST = 200;

/** Where a badge code would stand in a lead that was written down by hand. */
export const BY_HAND = 'hand-';

/** The lead of these facts under `rule`. */
export function foldLead(source: LeadSource, rule: HotRule): LeadDetail {
  const { entries, elsewhere } = entriesOf(source);
  const counting = entries.filter(({ undone, kind }) => !undone && kind !== 'undo');
  const own = counting.filter(({ state }) => state !== 'elsewhere');
  const visits = own.filter(({ kind, fields }) => kind !== 'collect' && isVisit(kind, fields));
  const said = foldFields(counting);
  const { person, place } = personOf(source.person, said.corrections);
  const contentsTaken = firstOfEach(
    own.filter(({ kind, content }) => kind === 'collect' && content !== null),
  );
  const signs = { ...said, contents: contentsTaken.length, visits: visitsApart(visits) };
  const times = (visits.length === 0 ? entries.filter((entry) => entry.state !== 'elsewhere') : visits).map(
    ({ at }) => at,
  );
  const team = [...new Set(counting.flatMap(({ staff }) => (staff === null ? [] : [staff])))];
  return {
    id: source.id,
    name: person.name,
    company: present(person.company),
    jobTitle: present(person.jobTitle),
    place,
    email: present(person.email),
    phone: present(person.phone),
    badgeTail: source.badge.startsWith(BY_HAND) ? '' : source.badge.slice(-4),
    taps: visits.length,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    rating: said.rating,
    hot: hotBy(rule, signs),
    labels: [...said.labels],
    note: said.note,
    followUp: said.followUp,
    contents: contentsTaken.length,
    agreed: said.consent === null ? null : Object.values(said.consent.agreed).some((yes) => yes),
    staff: visits.findLast(({ staff }) => staff !== null)?.staff ?? null,
    unknown: source.person === null && person.name === null,
    undone: visits.length === 0,
    delivery: deliveryOf(source.facts.map(({ state }) => state)),
    visitor: source.person?.visitor ?? null,
    badges: source.badges.filter((badge) => !badge.startsWith(BY_HAND)),
    person,
    consent: said.consent,
    answers: [...said.answers],
    contentsTaken,
    visits: visits.map(({ at, touchpoint, staff }) => ({ at, touchpoint, staff })),
    team,
    elsewhere:
      elsewhere === null ? null : { first: elsewhere.first, last: elsewhere.last, count: elsewhere.count },
    facts: source.facts.length,
    timeline: entries.filter(({ kind }) => kind !== 'undo').map(eventOf),
  };
}

/** What of a lead stands in a line of the list; where its facts are changes too often to be kept with it. */
export function lineOf(lead: LeadDetail): Omit<LeadLine, 'delivery'> {
  const { id, name, company, jobTitle, place, email, phone, badgeTail, taps, firstAt, lastAt, rating, hot } =
    lead;
  const { labels, note, followUp, contents, agreed, staff, unknown, undone } = lead;
  return {
    ...{ id, name, company, jobTitle, place, email, phone, badgeTail, taps, firstAt, lastAt, rating, hot },
    ...{ labels, followUp, contents, agreed, staff, unknown, undone },
    note: note === null ? null : [...note.slice(0, 2 * NOTE_IN_LIST)].slice(0, NOTE_IN_LIST).join(''),
  };
}

type Said = {
  readonly rating: number | null;
  readonly note: string | null;
  readonly labels: readonly string[];
  readonly followUp: LeadDetail['followUp'];
  readonly consent: LeadDetail['consent'];
  readonly answers: LeadDetail['answers'];
  readonly corrections: Corrections;
};

/** The fields as they stand after all that was said. */
function foldFields(entries: readonly Entry[]): Said {
  const fields: Record<string, unknown> = {};
  const corrections: Record<string, string | null> = { ...NO_CORRECTIONS };
  const answeredAt = new Map<string, { readonly text: string; readonly at: number }>();
  let consent: LeadDetail['consent'] = null;
  for (const { kind, at, fields: given } of entries) {
    if (kind === 'consent') {
      const said = consentIn(given.consent);
      if (said !== null) consent = { ...said, agreed: { ...said.agreed }, at };
    } else if (kind === 'correct') {
      for (const field of CORRECTED_FIELDS) {
        if (given[field] !== undefined) corrections[field] = textOf(given[field]);
      }
    } else if (kind === 'qualify' || kind === 'note') {
      Object.assign(fields, given);
      for (const [question, answer] of Object.entries(answersIn(given.answers))) {
        const text = JSON.stringify(answer);
        if (answeredAt.get(question)?.text !== text) answeredAt.set(question, { text, at });
      }
    }
  }
  const answers = Object.entries(answersIn(fields.answers)).flatMap(([question, answer]) => {
    const parsed = answerSchema.safeParse(answer);
    return parsed.success ? [{ question, answer: parsed.data, at: answeredAt.get(question)?.at ?? 0 }] : [];
  });
  return {
    rating: typeof fields.rating === 'number' && fields.rating > 0 ? Math.round(fields.rating) : null,
    note: textOf(fields.notes),
    labels: Array.isArray(fields.labels)
      ? [...new Set(fields.labels.filter((label) => typeof label === 'string'))]
      : [],
    followUp: { on: textOf(fields.followUpOn), by: textOf(fields.followUpBy) },
    consent,
    answers,
    corrections: corrections as Corrections,
  };
}

function answersIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstOfEach(collects: readonly Entry[]): LeadDetail['contentsTaken'] {
  const first = new Map<string, number>();
  for (const { content, at } of collects) if (content !== null && !first.has(content)) first.set(content, at);
  return [...first].map(([content, at]) => ({ content, at }));
}

/** How many times somebody came, by taps in order. */
export function visitsApart(visits: readonly { readonly at: number }[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of visits) {
    if (at - last >= ONE_VISIT_MS) count += 1;
    last = at;
  }
  return count;
}

/** How far all facts of a lead are, by their states. */
export function deliveryOf(states: readonly OutboxState[]): LeadDelivery {
  if (states.includes('parked')) return 'parked';
  if (states.some((state) => state === 'due' || state === 'in_flight' || state === 'uncertain'))
    return 'waiting';
  return states.includes('sent') ? 'sent' : 'confirmed';
}

const FACT_DELIVERY: Readonly<Record<Entry['state'], FactDelivery>> = {
  due: 'waiting',
  in_flight: 'sending',
  uncertain: 'uncertain',
  sent: 'sent',
  confirmed: 'confirmed',
  parked: 'parked',
  elsewhere: 'elsewhere',
};

function eventOf(entry: Entry): LeadEvent {
  const { id, kind, at, touchpoint, staff, content, undone, state, reason } = entry;
  return {
    ...{ factId: id, kind, at, touchpoint, staff, content, undone },
    fields: { ...(kind === 'consent' ? consentIn(entry.fields.consent)?.agreed : entry.fields) },
    undoable: !undone && isUndoable(entry),
    delivery: FACT_DELIVERY[state],
    reason: state === 'parked' ? reason : null,
  };
}

/** Whether the team may take something back: what it said itself, not what a visitor did or said. */
export function isUndoable({
  kind,
  fields,
  state,
  badge,
}: Pick<Entry, 'kind' | 'fields' | 'state' | 'badge'>): boolean {
  if (state === 'elsewhere') return false;
  if (kind === 'tap') return badge?.startsWith(BY_HAND) === true;
  if (kind === 'qualify') return fields.answers === undefined;
  return kind === 'note' || kind === 'correct' || kind === 'attach';
}
