/**
 * Folds the entries of a lead to the lead that the stand team sees. Pure.
 *
 * Invariants:
 * - Fields merge one by one. The later value wins by the platform's clock.
 * - Undone entries have no effect and stay in the timeline.
 * - `delivery` is the least advanced state of all facts, or `parked` if any fact is parked.
 */
import { type LeadValues, SHOWN_PERSON_FIELDS } from '../../../contract/lead-fields.ts';
import type { FactDelivery, HotRule, LeadDelivery, LeadDetail, LeadEvent } from '../../../contract/leads.ts';
import { answerSchema } from '../../../contract/stand.ts';
import { isVisit, type LeadSource } from '../../journal/facts/lead-sources.ts';
import type { FactPlace } from '../../journal/facts/outbox.ts';
import { consentIn } from '../../journal/facts/replies.ts';
import { type Entry, entriesOf } from './entries.ts';
import { hotBy } from './hot.ts';
import { attachmentIn, mergedForm, readValues } from './lead-fields.ts';
import { badgeTailOf, isByHand, type OtherPerson, personsOf, recordOf, shownFields } from './person.ts';

/** Taps closer together count as one visit. */
const ONE_VISIT_MS = 600_000;

/**
 * The lead of these facts under `rule`. An export needs no timeline: it stays empty without `hasTimeline`. A caller that
 * has parsed the `record` of the person passes it.
 */
export function foldLead(
  source: LeadSource,
  rule: HotRule,
  { hasTimeline = true, record = recordOf(source.person) } = {},
): LeadDetail {
  const { entries, elsewhere } = entriesOf(source);
  const counting = entries.filter(({ undone, kind }) => !undone && kind !== 'undo');
  const own = counting.filter(({ state }) => state !== 'elsewhere');
  const visits = own.filter(({ kind, fields }) => kind !== 'collect' && isVisit(kind, fields));
  const said = foldFields(counting);
  const { person, place, others } = personsOf(source, counting, record);
  const contentsTaken = firstOfEach(
    own.filter(({ kind, content }) => kind === 'collect' && content !== null),
  );
  const signs = {
    rating: said.values.rating,
    answers: said.answers,
    form: said.values.form,
    contents: contentsTaken.length,
    visits: visitsApart(visits),
  };
  const times = (visits.length === 0 ? entries.filter((entry) => entry.state !== 'elsewhere') : visits).map(
    ({ at }) => at,
  );
  const team = [...new Set(counting.flatMap(({ staff }) => (staff === null ? [] : [staff])))];
  return {
    ...said.values,
    ...shownFields(person),
    id: source.id,
    name: person.name,
    place,
    badgeTail: badgeTailOf(source.badge),
    taps: visits.filter(({ badge }) => !isByHand(badge)).length,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    hot: hotBy(rule, signs),
    contents: contentsTaken.length,
    agreed: said.consent === null ? null : Object.values(said.consent.agreed).some((yes) => yes),
    staff: visits.findLast(({ staff }) => staff !== null)?.staff ?? null,
    unknown: source.person === null && person.name === null,
    undone: visits.length === 0,
    delivery: deliveryOf(source.facts.map(({ state }) => state)),
    visitor: source.person?.visitor ?? null,
    badges: source.badges.filter((badge) => !isByHand(badge)),
    person,
    consent: said.consent,
    answers: [...said.answers],
    contentsTaken,
    attachments: counting.flatMap(attachmentOf),
    visits: visits.map(({ at, touchpoint, staff, badge }) => ({
      at,
      touchpoint,
      staff,
      byHand: isByHand(badge),
    })),
    team,
    elsewhere:
      elsewhere === null ? null : { first: elsewhere.first, last: elsewhere.last, count: elsewhere.count },
    facts: source.facts.length,
    others: others.flatMap(toldOf),
    timeline: (hasTimeline ? entries : [])
      .filter(({ kind }) => kind !== 'undo')
      .map((entry) => eventOf(entry, attachedBy(source, entry.id, person.name, others))),
  };
}

type Said = {
  readonly values: LeadValues;
  readonly consent: LeadDetail['consent'];
  readonly answers: LeadDetail['answers'];
};

/** The fields after all entries. */
function foldFields(entries: readonly Entry[]): Said {
  const fields: Record<string, unknown> = {};
  const answeredAt = new Map<string, { readonly text: string; readonly at: number }>();
  const formAt = new Map<string, number>();
  let consent: LeadDetail['consent'] = null;
  for (const { kind, at, fields: given } of entries) {
    if (kind === 'consent') {
      const said = consentIn(given.consent);
      if (said !== null) consent = { ...said, agreed: { ...said.agreed }, at };
    } else if (kind === 'qualify' || kind === 'note') {
      Object.assign(fields, given, 'form' in given ? { form: mergedForm(fields.form, given.form) } : {});
      for (const question of Object.keys(objectOf(given.form))) formAt.set(question, at);
      for (const [question, answer] of Object.entries(objectOf(given.answers))) {
        const text = JSON.stringify(answer);
        if (answeredAt.get(question)?.text !== text) answeredAt.set(question, { text, at });
      }
    }
  }
  const answers = Object.entries(objectOf(fields.answers)).flatMap(([question, answer]) => {
    const parsed = answerSchema.safeParse(answer);
    return parsed.success ? [{ question, answer: parsed.data, at: answeredAt.get(question)?.at ?? 0 }] : [];
  });
  const values = readValues(fields);
  const ofTeam = Object.entries(values.form).map(([question, answer]) => ({
    question,
    answer,
    at: formAt.get(question) ?? 0,
  }));
  return { values, consent, answers: [...answers, ...ofTeam] };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function attachmentOf({ id, kind, at, staff, fields, state, device }: Entry): LeadDetail['attachments'] {
  const found = kind === 'note' ? attachmentIn(fields) : null;
  if (found === null) return [];
  return [
    {
      ...{ factId: id, kind: found.kind, at, staff, file: found.file, sha256: found.sha256 },
      ms: found.ms ?? null,
      ofVisitor: found.agreed === true,
      elsewhere: state === 'elsewhere' || device !== null,
    },
  ];
}

function firstOfEach(collects: readonly Entry[]): LeadDetail['contentsTaken'] {
  const first = new Map<string, number>();
  for (const { content, at } of collects) if (content !== null && !first.has(content)) first.set(content, at);
  return [...first].map(([content, at]) => ({ content, at }));
}

/** Number of visits, from taps in order. */
export function visitsApart(visits: readonly { readonly at: number }[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of visits) {
    if (at - last >= ONE_VISIT_MS) count += 1;
    last = at;
  }
  return count;
}

/** The delivery of a lead, from the states of its facts. */
export function deliveryOf(states: readonly FactPlace[]): LeadDelivery {
  if (states.includes('parked')) return 'parked';
  if (states.some((state) => state === 'due' || state === 'in_flight' || state === 'uncertain'))
    return 'waiting';
  if (states.includes('at_box')) return 'atHub';
  return states.includes('sent') ? 'sent' : 'confirmed';
}

const FACT_DELIVERY: Readonly<Record<Entry['state'], FactDelivery>> = {
  due: 'waiting',
  in_flight: 'sending',
  uncertain: 'uncertain',
  at_box: 'atHub',
  sent: 'sent',
  confirmed: 'confirmed',
  parked: 'parked',
  elsewhere: 'elsewhere',
};

/** Another person of the lead, for a screen. Empty if no person is known. */
function toldOf({ isPart, person: _person, ...other }: OtherPerson): LeadDetail['others'] {
  const said = [other.name, ...SHOWN_PERSON_FIELDS.map((field) => other[field])];
  return isPart && said.some((field) => field !== null) ? [other] : [];
}

/**
 * The subject of an attachment: the person to whom a badge was assigned, or the lead that became part of this one.
 */
function attachedBy(
  { facts, person }: LeadSource,
  id: string,
  name: string | null,
  others: readonly OtherPerson[],
): LeadEvent['attached'] {
  const fact = facts.find((one) => one.id === id && one.kind === 'attach');
  if (fact === undefined) return null;
  const { lead, into, visitor } = fact.payload ?? {};
  const other = others.find((one) => one.lead === lead);
  const badgeTail = other?.badgeTail ?? '';
  if (into !== undefined) return { how: 'merged', name: other?.name ?? null, badgeTail };
  const theirs =
    person?.visitor === visitor ? name : others.find((one) => one.person?.visitor === visitor)?.name;
  return { how: 'attached', name: theirs ?? null, badgeTail };
}

function eventOf(entry: Entry, attached: LeadEvent['attached']): LeadEvent {
  const { id, kind, at, touchpoint, staff, content, undone, state, reason, badge, device } = entry;
  return {
    factId: id,
    kind,
    at,
    touchpoint,
    staff,
    content,
    undone,
    attached,
    device,
    byHand: kind === 'tap' && isByHand(badge),
    fields: { ...(kind === 'consent' ? consentIn(entry.fields.consent)?.agreed : entry.fields) },
    undoable: !undone && isUndoable(entry),
    delivery: FACT_DELIVERY[state],
    reason: state === 'parked' ? reason : null,
  };
}

/** Whether the team may undo an entry: its own entries, not those of a visitor. */
export function isUndoable({
  kind,
  fields,
  state,
  badge,
  device,
}: Pick<Entry, 'kind' | 'fields' | 'state' | 'badge' | 'device'>): boolean {
  if (state === 'elsewhere' || device !== null) return false;
  if (kind === 'tap') return isByHand(badge);
  if (kind === 'qualify') return fields.answers === undefined;
  return kind === 'note' || kind === 'correct' || kind === 'attach';
}
