/**
 * Plausible leads for pictures and tests: hot and cold, known and unknown, delivered and not.
 *
 * Invariant: the leads are always the same, except that their times count back from now.
 */

import type { LeadDetail, LeadLine, LeadNumbers, LeadWords } from '../../../src-main/contract/leads.ts';
import { dayFrom } from '../../../src-renderer/staff/parts/event-days.ts';

const people = [
  ['Amélie Beaumont', 'Head of Production', 'Ateliers du Rhône', 'Lyon, France'],
  ['Takeshi Kobayashi', '小林 武', 'Shinkawa Seiki', 'Nagoya, Japan'],
  [null, null, null, null],
  ['Lena Olsson-Fernández', 'Purchasing', 'Nordlager AB', 'Göteborg, Sweden'],
  ['حسن المنصوري', 'Owner', 'Gulf Motion Systems', 'Dubai, UAE'],
  ['Pieter van der Velde', 'Technical director', 'Delta Transport', 'Rotterdam, Netherlands'],
  ['Giulia Rossi', 'Student', 'Politecnico di Milano', 'Milano, Italy'],
] as const;

const deliveries = ['waiting', 'confirmed', 'sent', 'confirmed', 'confirmed', 'parked', 'confirmed'] as const;
const ratings = [4, 5, null, 2, 3, null, 1, null, null, null, null] as const;
const notes = [
  'Needs 6 arms for the new line in Vénissieux before March. Call Tuesday.',
  null,
  null,
] as const;

/** The settings of the demo stand. */
export const leadWords: LeadWords = {
  labels: [
    { id: 'L1', name: 'Robot arms', colour: '#0b7a53' },
    { id: 'L2', name: 'Quote wanted', colour: '#5b3fc4' },
    { id: 'L3', name: 'Distributor', colour: null },
  ],
  contents: [
    { id: 'c1', name: 'Arm R7' },
    { id: 'c2', name: 'Cart M2' },
  ],
  touchpoints: [{ id: 'tp1', name: 'B17 left' }],
  questions: [
    {
      id: 'when',
      kind: 'choice',
      text: { en: 'When do you plan to buy?', de: 'Wann planen Sie zu kaufen?' },
      options: [
        { id: 'soon', text: { en: 'within three months', de: 'innerhalb von drei Monaten' } },
        { id: 'later', text: { en: 'later', de: 'später' } },
      ],
    },
    { id: 'stars', kind: 'rating', text: { en: 'How was it here?', de: 'Wie war es hier?' }, options: [] },
  ],
  form: [
    {
      id: 'budget',
      kind: 'choice',
      text: { en: 'Budget', de: 'Budget' },
      options: [
        { id: 'b1', text: { en: 'under 20,000', de: 'unter 20.000' } },
        { id: 'b2', text: { en: '20,000 to 100,000', de: '20.000 bis 100.000' } },
        { id: 'b3', text: { en: 'more', de: 'mehr' } },
      ],
      required: true,
      purposes: ['lead', 'content', 'checkin'],
    },
    {
      id: 'lines',
      kind: 'several',
      text: { en: 'Interested in', de: 'Interesse an' },
      options: [
        { id: 'arms', text: { en: 'arms', de: 'Armen' } },
        { id: 'carts', text: { en: 'carts', de: 'Wagen' } },
        { id: 'vision', text: { en: 'vision', de: 'Bildverarbeitung' } },
      ],
      required: false,
      purposes: ['lead', 'content', 'checkin'],
    },
    {
      id: 'fit',
      kind: 'scale',
      text: { en: 'How well do we fit?', de: 'Wie gut passen wir?' },
      options: [],
      required: false,
      purposes: ['lead'],
    },
    {
      id: 'seats',
      kind: 'number',
      text: { en: 'How many sites?', de: 'Wie viele Standorte?' },
      options: [],
      required: false,
      purposes: ['lead'],
    },
    {
      id: 'decides',
      kind: 'date',
      text: { en: 'Decides by', de: 'Entscheidet bis' },
      options: [],
      required: false,
      purposes: ['lead'],
    },
    {
      id: 'rival',
      kind: 'text',
      text: { en: 'Works with', de: 'Arbeitet mit' },
      options: [],
      required: false,
      purposes: ['lead'],
    },
  ],
  consents: [
    { id: 'news', text: { en: 'The newsletter', de: 'Der Newsletter' } },
    { id: 'call', text: { en: 'A call', de: 'Ein Anruf' } },
  ],
};

/** `count` leads, latest first. */
export function demoLeads(count: number): readonly LeadLine[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => lineOf(index, now));
}

function lineOf(index: number, now: number): LeadLine {
  const [name, jobTitle, company, place] = people[index % people.length] ?? people[2];
  const rating = ratings[index % ratings.length] ?? null;
  const mail = name
    ?.normalize('NFD')
    .replace(/[^a-z]+/gi, '.')
    .toLowerCase();
  return {
    id: `lead-${index}`,
    name,
    company,
    jobTitle,
    place,
    email: name === null || index % 7 === 4 ? null : `${mail}@example.org`,
    phone: index % 3 === 0 && name !== null ? '+41 44 555 12 34' : null,
    badgeTail: (0x5f21 + index * 7).toString(16).toUpperCase().slice(-4),
    taps: (index % 3) + 1,
    firstAt: now - index * 240_000 - 120_000,
    lastAt: now - index * 240_000,
    rating,
    hot: hotOf(index, rating),
    labels: index % 4 === 0 ? ['L1', 'L2'] : [],
    note: notes[index % notes.length] ?? null,
    followUpOn: index % 5 === 0 ? '2026-11-20' : null,
    followUpBy: index % 5 === 0 ? 'Jonas W.' : null,
    companyGroup: null,
    followUpTime: index % 10 === 0 ? '14:30' : null,
    followUpKind: index % 10 === 0 ? 'meeting' : null,
    form: index % 4 === 0 ? { budget: ['b2'], seats: 12 } : {},
    contents: index % 4,
    agreed: index % 3 === 0 ? true : index % 3 === 1 ? null : false,
    staff: index % 2 === 0 ? 'Jonas W.' : 'Mira Köhler',
    unknown: name === null,
    undone: index % 11 === 6,
    delivery: deliveries[index % deliveries.length] ?? 'waiting',
  };
}

function hotOf(index: number, rating: number | null): LeadLine['hot'] {
  if (rating !== null) return { is: rating >= 4, why: { kind: 'rating', rating } };
  if (index % 8 === 5) return { is: true, why: { kind: 'answer', question: 'when', option: 'soon' } };
  if (index % 9 === 7) return { is: true, why: { kind: 'contents', count: 3 } };
  return { is: false, why: null };
}

/** The details of a lead, with a timeline that matches its line. */
export function detailOf(line: LeadLine): LeadDetail {
  const [firstName = null, ...rest] = line.name?.split(' ') ?? [];
  const field = (original: string | null) => ({ original, corrected: null });
  const at = line.firstAt;
  const event = (
    factId: string,
    kind: LeadDetail['timeline'][number]['kind'],
    minutes: number,
    more: Partial<LeadDetail['timeline'][number]> = {},
  ): LeadDetail['timeline'][number] => ({
    factId: `${line.id}-${factId}`,
    kind,
    at: at + minutes * 60_000,
    touchpoint: 'tp1',
    staff: null,
    fields: {},
    content: null,
    byHand: false,
    attached: null,
    undone: line.undone,
    undoable: false,
    delivery: line.delivery,
    reason: null,
    ...more,
  });
  return {
    ...line,
    visitor: line.unknown ? null : `visitor-${line.id}`,
    badges: [`04A1B2C3D4${line.badgeTail}`],
    person: {
      name: line.name,
      firstName: field(firstName),
      lastName: field(rest.join(' ') || null),
      company: field(line.company),
      jobTitle: field(line.jobTitle),
      email: field(line.email),
      phone: field(line.phone),
      address: line.place,
      country: null,
      language: 'fr',
    },
    consent:
      line.agreed === null
        ? null
        : { notice: 'text 3', language: 'fr', agreed: { news: line.agreed, call: false }, at },
    answers: line.agreed === true ? [{ question: 'when', answer: ['soon'], at }] : [],
    contentsTaken: [
      { content: 'c1', at },
      { content: 'c2', at },
    ].slice(0, line.contents),
    attachments: [],
    visits: Array.from({ length: line.taps }, (_, index) => ({
      at: at + index * 60_000,
      touchpoint: 'tp1',
      staff: line.staff,
      byHand: false,
    })),
    team: line.staff === null ? [] : [line.staff],
    elsewhere: line.taps > 2 ? { first: at, last: at, count: 2 } : null,
    facts: line.taps * 2,
    others: [],
    timeline: [
      event('tap', 'tap', 0, { staff: line.staff }),
      ...(line.agreed === null ? [] : [event('consent', 'consent', 0, { fields: { news: line.agreed } })]),
      ...(line.contents > 0 ? [event('collect', 'collect', 1, { content: 'c1' })] : []),
      ...(line.rating === 2
        ? [event('corrected', 'correct', 8, { fields: { firstName: 'Lena', phone: null }, undoable: true })]
        : []),
      ...(line.rating === null
        ? []
        : [
            event('rated', 'qualify', 9, {
              fields: { rating: line.rating },
              staff: line.staff,
              undoable: true,
            }),
          ]),
    ],
  };
}

/** Statistics that match these leads. */
export function numbersOf(all: readonly LeadLine[], target: number | null = null): LeadNumbers {
  const people = all.length;
  const hotPeople = all.filter(({ hot }) => hot.is).length;
  const allTaps = all.reduce((sum, { taps }) => sum + taps, 0);
  const shape = [2, 6, 11, 14, 9, 12, 15, 10, 5, 2];
  const share = (part: number, of: number) => Math.round((people * part) / of);
  const total = shape.reduce((sum, part) => sum + part, 0);
  const lastDays = [-2, -1, 0].map((back) => dayFrom(Date.now(), back, 'Europe/Berlin'));
  // Each share is the step between two rounded sums, so that the hours add up to the totals.
  let past = 0;
  const upTo = (count: number) => Math.ceil((count * past) / (total * 9));
  const hours = lastDays.flatMap((day, index) =>
    shape.map((part, hour) => {
      const before = [people, allTaps, hotPeople].map(upTo);
      past += part * (index + 2);
      const [met = 0, taps = 0, hot = 0] = [people, allTaps, hotPeople].map(
        (count, which) => upTo(count) - (before[which] ?? 0),
      );
      return { day, hour: hour + 9, people: met, taps, hot };
    }),
  );
  const days = [...Map.groupBy(hours, ({ day }) => day)].map(([day, parts]) => ({
    day,
    people: parts.reduce((sum, { people: count }) => sum + count, 0),
    taps: parts.reduce((sum, { taps }) => sum + taps, 0),
    hot: parts.reduce((sum, { hot }) => sum + hot, 0),
  }));
  const companies = Map.groupBy(
    all.filter(({ company }) => company !== null),
    ({ company }) => company ?? '',
  );
  const staffShare = (met: number, hot: number) => ({ people: met, taps: met, hot });
  const rated = (rating: number | null) => all.filter((line) => line.rating === rating).length;
  return {
    people,
    taps: allTaps,
    facts: allTaps * 2,
    byHand: 0,
    hours: people === 0 ? [] : hours,
    days: people === 0 ? [] : days,
    ratings: [5, 4, 3, 2, 1, null].map((rating) => ({ rating, people: rated(rating) })),
    staff:
      people === 0
        ? []
        : [
            { staff: 'Jonas W.', ...staffShare(share(5, 10), hotPeople - Math.floor(hotPeople / 3)) },
            { staff: 'Mira Köhler', ...staffShare(share(4, 10), Math.floor(hotPeople / 3)) },
            { staff: null, ...staffShare(people - share(5, 10) - share(4, 10), 0) },
          ],
    companies: [...companies].map(([company, of]) => ({
      company,
      people: of.length,
      hot: of.filter(({ hot }) => hot.is).length,
      lastAt: Math.max(...of.map(({ lastAt }) => lastAt)),
      spellings: [company],
    })),
    contents:
      people === 0
        ? []
        : [
            { content: 'c1', people: share(4, 10) },
            { content: 'c2', people: share(2, 10) },
          ],
    repeats: { once: share(7, 10), again: people - share(7, 10) },
    answers:
      people === 0
        ? []
        : [
            {
              question: 'when',
              people: share(5, 10),
              options: [
                { option: 'soon', people: share(2, 10) },
                { option: 'later', people: share(3, 10) },
              ],
            },
          ],
    hot: hotPeople,
    agreed: all.filter(({ agreed }) => agreed === true).length,
    target,
  };
}
