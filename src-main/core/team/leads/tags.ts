/**
 * The tags that count and filter a lead: days, labels, contents, consents, staff, answers. Pure.
 *
 * Invariants:
 * - A lead has one tag per kind and value, with the number of its taps.
 * - An undone lead has none, so that a count equals the list of its filter.
 */
import { ANSWER_SEPARATOR, NOBODY } from '../../../contract/lead-filters.ts';
import type { LeadDetail } from '../../../contract/leads.ts';
import { visitsApart } from './fold.ts';
import { optionsOf } from './hot.ts';
import type { DayAndHour } from './time-of-day.ts';

export type TagKind =
  | 'day'
  | 'hour'
  | 'label'
  | 'content'
  | 'consent'
  | 'team'
  | 'met'
  | 'answer'
  | 'answered';

export type Tag = { readonly kind: TagKind; readonly value: string; readonly taps: number };

/** The tags of a lead, and its number of visits. */
export function tagsOf(
  lead: LeadDetail,
  dayAndHour: DayAndHour,
): { readonly all: readonly Tag[]; readonly visits: number } {
  const taps = new Map<string, Tag>();
  if (lead.undone) return { all: [], visits: 0 };
  const add = (kind: TagKind, value: string, count: number): void => {
    const key = `${kind} ${value}`;
    taps.set(key, { kind, value, taps: (taps.get(key)?.taps ?? 0) + count });
  };
  for (const { at, staff, byHand } of lead.visits) {
    const { day, hour } = dayAndHour(at);
    const count = byHand ? 0 : 1;
    add('day', day, count);
    add('hour', `${day} ${String(hour).padStart(2, '0')}`, count);
    add('met', staff ?? NOBODY, count);
  }
  for (const label of lead.labels) add('label', label, 0);
  for (const { content } of lead.contentsTaken) add('content', content, 0);
  for (const [purpose, yes] of Object.entries(lead.consent?.agreed ?? {}))
    if (yes) add('consent', purpose, 0);
  for (const member of lead.team) add('team', member, 0);
  for (const { question, answer } of lead.answers) {
    add('answered', question, 0);
    const options = typeof answer === 'number' ? [String(answer)] : optionsOf(answer);
    for (const option of options) add('answer', `${question}${ANSWER_SEPARATOR}${option}`, 0);
  }
  return { all: [...taps.values()], visits: visitsApart(lead.visits) };
}
