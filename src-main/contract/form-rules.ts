/**
 * The rules of the team's form, for both sides of the contract, without the schema library. Pure.
 *
 * Invariants:
 * - A question is shown for a lead with a visit of one of its purposes.
 * - An answer to a question that was changed or removed stays, even if it is invalid now. Only new answers are checked.
 */
import type { Purpose } from './device.ts';
import type { FormAnswer } from './lead-fields.ts';
import type { LeadEvent } from './leads.ts';
import type { FormQuestion } from './stand.ts';

/** The values of a scale. */
export const SCALE = [1, 2, 3, 4, 5] as const;

/** The kind of fact that a visit of each purpose creates. */
const VISIT_KINDS: Readonly<Record<Purpose, LeadEvent['kind']>> = {
  lead: 'tap',
  content: 'collect',
  checkin: 'checkin',
};

/** The purposes of a visit that a question of the form can name. */
export const VISIT_PURPOSES = Object.keys(VISIT_KINDS) as readonly Purpose[];

type Visited = { readonly timeline: readonly Pick<LeadEvent, 'kind' | 'undone'>[] };

/** The questions of `form` that are asked about this lead. */
export function askedAbout(form: readonly FormQuestion[], { timeline }: Visited): readonly FormQuestion[] {
  const kinds = new Set(timeline.flatMap(({ kind, undone }) => (undone ? [] : [kind])));
  return form.filter(({ purposes }) => purposes.some((purpose) => kinds.has(VISIT_KINDS[purpose])));
}

/** Whether a new answer is valid for this question. */
export function fitsQuestion(
  { kind, options }: Pick<FormQuestion, 'kind' | 'options'>,
  answer: FormAnswer,
): boolean {
  switch (kind) {
    case 'choice':
    case 'several': {
      const isOffered = (chosen: string): boolean => options.some(({ id }) => id === chosen);
      if (!Array.isArray(answer) || !answer.every(isOffered)) return false;
      return kind === 'choice' ? answer.length === 1 : new Set(answer).size === answer.length;
    }
    case 'scale':
      return SCALE.some((value) => value === answer);
    case 'number':
      return typeof answer === 'number' && Number.isFinite(answer) && Math.abs(answer) <= 1e12;
    case 'date':
      return typeof answer === 'string' && isDay(answer);
    case 'text':
      return typeof answer === 'string' && answer.trim() !== '';
  }
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`, from the year 1900 on. */
export function isDay(text: string): boolean {
  if (!/^(19|[2-9]\d)\d\d-\d\d-\d\d$/u.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
