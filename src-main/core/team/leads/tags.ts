/**
 * The tags of a lead, used for counts and filters: days, labels, contents, consents, staff, answers, and questions of
 * the team that have no answer. Pure.
 *
 * Invariants:
 * - A lead has one tag per kind and value, with the number of its taps.
 * - An undone lead has no tags, so that a count equals the number of leads in the filtered list.
 */
import { askedAbout } from '../../../contract/form-rules.ts';
import { ANSWER_SEPARATOR, NOBODY } from '../../../contract/lead-filters.ts';
import type { LeadDetail } from '../../../contract/leads.ts';
import type { FormQuestion } from '../../../contract/stand.ts';
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
  | 'answered'
  | 'missing';

export type Tag = { readonly kind: TagKind; readonly value: string; readonly taps: number };

/** The tags of a lead under the team's `form`, and its number of visits. */
export function tagsOf(
  lead: LeadDetail,
  dayAndHour: DayAndHour,
  form: readonly FormQuestion[],
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
  const kinds = new Map(form.map(({ id, kind }) => [id, kind]));
  for (const { question, answer } of lead.answers) {
    add('answered', question, 0);
    const isValue = typeof answer === 'number' || kinds.get(question) === 'date';
    const options = isValue ? [String(answer)] : optionsOf(answer);
    for (const option of options) add('answer', `${question}${ANSWER_SEPARATOR}${option}`, 0);
  }
  for (const { id, required } of askedAbout(form, lead))
    if (required && lead.form[id] === undefined) add('missing', id, 0);
  return { all: [...taps.values()], visits: visitsApart(lead.visits) };
}
