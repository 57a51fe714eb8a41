/**
 * What a touch does to a visit. Pure.
 *
 * Invariants: a step that waits for the device's answer takes no second one; a consent nobody ticked is answered
 * with no; skipping asks the device for nothing.
 */

import { ask, moved, stepOf, toggle, type Visit, withShelf } from './session.ts';
import type { Input } from './view.ts';

/** The inputs that are about a visit. */
export type VisitInput = Extract<
  Input,
  { kind: 'onward' | 'back' | 'openShelf' | 'agree' | 'share' | 'draft' | 'answer' | 'take' | 'email' }
>;

/** The visit after `input` at `now`; unchanged where the input means nothing here. */
export function inVisit(visit: Visit, input: VisitInput, now: number): Visit {
  const here = stepOf(visit);
  const waits = visit.saving === 'asked';
  switch (input.kind) {
    case 'onward':
      return visit.at < visit.steps.length - 1 ? moved(visit, 1) : visit;
    case 'back':
      return visit.at > 0 ? moved(visit, -1) : visit;
    case 'openShelf':
      return here === null || here.kind === 'goodbye' ? withShelf(visit) : visit;
    case 'take':
      return toggle(visit, input.item, now);
    case 'agree':
      return here?.kind === 'consent' && !waits && input.id in visit.agreed
        ? { ...visit, agreed: { ...visit.agreed, [input.id]: input.agrees } }
        : visit;
    case 'draft':
      return here?.kind === 'question' && !waits
        ? { ...visit, drafts: { ...visit.drafts, [here.question.id]: input.answer } }
        : visit;
    case 'share':
      return waits ? visit : shared(visit, input, now);
    case 'answer':
      return waits ? visit : answered(visit, input, now);
    case 'email':
      return visit.email === 'no' || visit.email === 'failed'
        ? ask({ ...visit, email: 'asked' }, { kind: 'email' }, now)
        : visit;
  }
}

function shared(visit: Visit, input: Extract<VisitInput, { kind: 'share' }>, now: number): Visit {
  if (stepOf(visit)?.kind !== 'consent') return visit;
  const entries = Object.entries(visit.agreed);
  const agreed = Object.fromEntries(entries.map(([id, agrees]) => [id, agrees && !input.none]));
  return ask(
    { ...visit, agreed, saving: 'asked' },
    { kind: 'consent', language: input.language, agreed },
    now,
  );
}

function answered(visit: Visit, input: Extract<VisitInput, { kind: 'answer' }>, now: number): Visit {
  const here = stepOf(visit);
  if (here?.kind !== 'question') return visit;
  const { id } = here.question;
  const { answer, language } = input;
  return ask(
    { ...visit, drafts: { ...visit.drafts, [id]: answer }, saving: 'asked' },
    { kind: 'answer', language, question: id, answer },
    now,
  );
}
