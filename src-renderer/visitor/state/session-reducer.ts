/**
 * The effect of an input on a session. Pure.
 *
 * Invariants:
 * - A step that waits for the device's answer accepts no second command.
 * - A consent that is not switched on counts as "no".
 * - A skipped question is reported to the device, which does not ask it again.
 * - Leaving the step answers nothing.
 */

import type { DisplayInput } from './input.ts';
import {
  currentStep,
  issue,
  moveBy,
  type Session,
  settled,
  toggleSelection,
  withContentPicker,
  withGoodbye,
  withPrompts,
} from './session.ts';

/** The inputs that affect a session. */
export type SessionInput = Extract<
  DisplayInput,
  {
    kind:
      | 'next'
      | 'back'
      | 'leave'
      | 'answerPrompts'
      | 'openContentPicker'
      | 'setConsent'
      | 'submitConsents'
      | 'draft'
      | 'answer'
      | 'take'
      | 'email';
  }
>;

/** The session after `input` at `now`; unchanged if the input does not apply. */
export function reduceSession(session: Session, input: SessionInput, now: number): Session {
  const here = currentStep(session);
  const waits = session.saving === 'pending';
  switch (input.kind) {
    case 'next':
      return session.at >= 0 && session.at < session.steps.length - 1 ? passed(session, now) : session;
    case 'leave':
      return here !== null && here.kind !== 'goodbye' ? withGoodbye(session) : session;
    case 'answerPrompts':
      return session.open.length > 0 && (here === null || here.kind === 'goodbye')
        ? withPrompts(session)
        : session;
    case 'back':
      return session.at > 0 ? moveBy(session, -1) : session;
    case 'openContentPicker':
      return here === null || here.kind === 'goodbye' ? withContentPicker(session) : session;
    case 'take':
      return toggleSelection(session, input.item, now);
    case 'setConsent':
      return here?.kind === 'consent' && !waits && input.id in session.agreed
        ? { ...session, agreed: { ...session.agreed, [input.id]: input.agrees } }
        : session;
    case 'draft':
      return here?.kind === 'question' && !waits
        ? { ...session, drafts: { ...session.drafts, [here.question.id]: input.answer } }
        : session;
    case 'submitConsents':
      return waits ? session : consentsSubmitted(session, input, now);
    case 'answer':
      return waits ? session : answerGiven(session, input, now);
    case 'email':
      return session.email === 'none' || session.email === 'failed'
        ? issue({ ...session, email: 'pending' }, { kind: 'email' }, now)
        : session;
  }
}

/** One step further without an answer. An unanswered question is skipped permanently. */
function passed(session: Session, now: number): Session {
  const here = currentStep(session);
  if (here?.kind !== 'question' || session.answered.includes(here.question.id)) return moveBy(session, 1);
  return moveBy(issue(settled(session, here), { kind: 'skip', question: here.question.id }, now), 1);
}

function consentsSubmitted(
  session: Session,
  input: Extract<SessionInput, { kind: 'submitConsents' }>,
  now: number,
): Session {
  if (currentStep(session)?.kind !== 'consent') return session;
  const entries = Object.entries(session.agreed);
  const agreed = Object.fromEntries(entries.map(([id, agrees]) => [id, agrees && !input.none]));
  return issue(
    { ...session, agreed, saving: 'pending' },
    { kind: 'consent', language: input.language, agreed },
    now,
  );
}

function answerGiven(
  session: Session,
  input: Extract<SessionInput, { kind: 'answer' }>,
  now: number,
): Session {
  const here = currentStep(session);
  if (here?.kind !== 'question') return session;
  const { id } = here.question;
  const { answer, language } = input;
  return issue(
    { ...session, drafts: { ...session.drafts, [id]: answer }, saving: 'pending' },
    { kind: 'answer', language, question: id, answer },
    now,
  );
}
