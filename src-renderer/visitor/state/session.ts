/**
 * A visitor's session after a captured tap, from the first step to the goodbye. Pure.
 *
 *   captured ─openContentPicker─► contentPicker ─────┐                     the outcome stays until it is touched
 *      │  └────answerPrompts──► consent? ─► question* ─┴─► goodbye           each: answered and saved, skipped, or left
 *      └─ timeout: nothing was asked, open prompts invite at the next tap
 *
 *   a command:  pending ─saved─► acknowledged      a step advances only when its command was saved; only then a content
 *                 └─not saved, no answer─► failed: shown, with retry           counts as taken
 *
 * Invariants:
 * - Of the visitor's record it holds only the language and the short name, which is shown beside the taken contents.
 * - Every command has a unique number within the session and a time limit, so a late answer matches no other command.
 * - Input that is not a command is dropped with the session.
 */
import type { Answer, OfferItem, Question, Stand } from '../../../src-main/contract/stand.ts';
import { displayTimes } from '../../times.ts';
import type { CapturedEvent } from './outcome.ts';

/** A consent or question that is still open. */
export type Prompt =
  | { readonly kind: 'consent' }
  | { readonly kind: 'question'; readonly question: Question };

export type Step = Prompt | { readonly kind: 'contentPicker' } | { readonly kind: 'goodbye' };

/** The state of the undo. `pending`: requested. `late`: requested after the device's limit. */
export type Undo = 'offered' | 'pending' | 'expired' | 'late' | 'failed';

/** A command to the device for this session. */
export type Command =
  | {
      readonly kind: 'consent';
      readonly language: string;
      readonly agreed: Readonly<Record<string, boolean>>;
    }
  | { readonly kind: 'answer'; readonly language: string; readonly question: string; readonly answer: Answer }
  | { readonly kind: 'skip'; readonly question: string }
  | { readonly kind: 'collect'; readonly content: string; readonly take: boolean }
  | { readonly kind: 'email' };

/** A command that the device has not acknowledged yet. `until`: when it counts as not saved. */
export type PendingCommand = { readonly number: number; readonly until: number; readonly command: Command };

/** The result of a command; `kept` and `notKept` for stored data, the others for the e-mail. */
export type Acknowledgement = 'kept' | 'notKept' | 'sent' | 'queued' | 'impossible';

/** A content that the visitor took or tried to take in this session. `taken`: whether the device saved it. */
export type Selection = {
  readonly item: OfferItem;
  readonly taken: boolean;
  readonly state: 'settled' | 'pending' | 'failed';
};

/** What the screen tells the visitor about their tap. */
export type TapKind = 'first' | 'repeat' | 'checkin';

export type Session = {
  readonly factId: string;
  /** The short name as the outcome showed it; null if unknown. */
  readonly name: string | null;
  /** BCP 47 language of the visitor, if known. */
  readonly language: string | null;
  /** The kind of tap: a first one, one in addition to an older contact (which stays), or a check-in. */
  readonly tapKind: TapKind;
  /** Open consents and questions. The screen invites the visitor to answer them, and asks them only on request. */
  readonly open: readonly Prompt[];
  readonly steps: readonly Step[];
  /** Index into `steps`; -1 while the outcome is shown. */
  readonly at: number;
  readonly undo: Undo;
  /** Start and end of the undo window. */
  readonly undoSince: number;
  readonly undoUntil: number;
  /** The switches, by consent. */
  readonly agreed: Readonly<Record<string, boolean>>;
  /** Answers in progress, by question. */
  readonly drafts: Readonly<Record<string, Answer>>;
  /** The state of the command of this step. */
  readonly saving: 'none' | 'pending' | 'failed';
  /** Ids of saved consents; null while nothing was answered. */
  readonly consented: readonly string[] | null;
  /** Questions whose answer the device saved. */
  readonly answered: readonly string[];
  readonly selections: readonly Selection[];
  readonly email: 'none' | 'pending' | 'failed' | 'sent' | 'queued' | 'impossible';
  readonly pendingCommands: readonly PendingCommand[];
  readonly commandCount: number;
};

/** The session of `event`. `chosen`: contents that are taken with the tap. */
export function startSession(
  event: CapturedEvent,
  known: {
    readonly stand: Stand | null;
    readonly chosen: readonly OfferItem[];
    /** Whether comfort settings are on, which extend the undo window. */
    readonly comfort: boolean;
  },
  now: number,
): Session {
  const told = Math.min(Math.max(event.undoUntil - event.at, 0), displayTimes.undoAtMost);
  const offered = known.comfort && told > 0 ? Math.max(told, displayTimes.undoWithComfort) : told;
  const session: Session = {
    factId: event.factId,
    name: event.visitor?.name.trim() || null,
    language: event.visitor?.language ?? null,
    tapKind: event.checkin ? 'checkin' : event.repeat ? 'repeat' : 'first',
    open: openPrompts(event, known.stand),
    steps: [],
    at: -1,
    undo: offered > 0 ? 'offered' : 'expired',
    undoSince: now,
    undoUntil: now + offered,
    agreed: unticked(known.stand),
    drafts: {},
    saving: 'none',
    consented: null,
    answered: [],
    selections: event.collected ? [{ item: event.collected, taken: true, state: 'settled' }] : [],
    email: 'none',
    pendingCommands: [],
    commandCount: 0,
  };
  return known.chosen.reduce((so, item) => toggleSelection(so, item, now), session);
}

function openPrompts(event: CapturedEvent, stand: Stand | null): readonly Prompt[] {
  if (!stand) return [];
  const consent: readonly Prompt[] =
    event.asksConsent && stand.consents.length > 0 ? [{ kind: 'consent' }] : [];
  const questions = stand.questions.filter(({ id }) => event.openQuestions.includes(id));
  return [...consent, ...questions.map((question): Prompt => ({ kind: 'question', question }))];
}

/** The current step, or null while the outcome is shown. */
export function currentStep(session: Session): Step | null {
  return session.steps[session.at] ?? null;
}

/**
 * The number of the current consent or question among all of them, counted from 1. Null for other steps, or if there
 * is only one.
 */
export function progressOf(session: Session): { readonly at: number; readonly of: number } | null {
  const asked = session.steps.filter(isPrompt);
  const step = currentStep(session);
  const at = step && isPrompt(step) ? asked.indexOf(step) : -1;
  return asked.length > 1 && at >= 0 ? { at: at + 1, of: asked.length } : null;
}

/** The kind of the first open prompt. Consents come before questions. */
export function firstPromptOf({ open }: Pick<Session, 'open'>): 'consent' | 'questions' {
  return open.some(({ kind }) => kind === 'consent') ? 'consent' : 'questions';
}

function isPrompt(step: Step): step is Prompt {
  return step.kind === 'consent' || step.kind === 'question';
}

/** The same session `by` steps further (or back). The state of the previous step is dropped. */
export function moveBy(session: Session, by: number): Session {
  return { ...session, at: session.at + by, saving: 'none' };
}

/** The session with the content picker as the next step, followed by a goodbye. */
export function withContentPicker(session: Session): Session {
  return withSteps(session, [{ kind: 'contentPicker' }]);
}

/** The session with the open prompts as the next steps, followed by a goodbye. */
export function withPrompts(session: Session): Session {
  return withSteps(session, session.open);
}

/** Opens the goodbye at once. Saved answers stay saved. */
export function withGoodbye(session: Session): Session {
  return withSteps(session, []);
}

function withSteps(session: Session, next: readonly Step[]): Session {
  const before = session.steps.slice(0, session.at + 1).filter(({ kind }) => kind !== 'goodbye');
  return { ...session, steps: [...before, ...next, { kind: 'goodbye' }], at: before.length, saving: 'none' };
}

/** The session in which the prompt of `step` is no longer open. */
export function settled(session: Session, step: Step): Session {
  const isSame = (prompt: Prompt): boolean =>
    prompt.kind === step.kind &&
    (prompt.kind !== 'question' || step.kind !== 'question' || prompt.question.id === step.question.id);
  return { ...session, open: session.open.filter((prompt) => !isSame(prompt)) };
}

/** The session with `command` pending, for `session-commands.ts` to send. */
export function issue(session: Session, command: Command, now: number): Session {
  const number = session.commandCount + 1;
  return {
    ...session,
    commandCount: number,
    pendingCommands: [
      ...session.pendingCommands,
      { number, command, until: now + displayTimes.commandTimeout },
    ],
  };
}

/** Takes `item`, returns it, or retries it after a failure. No effect while the content is pending. */
export function toggleSelection(session: Session, item: OfferItem, now: number): Session {
  const selection = session.selections.find((one) => one.item.id === item.id);
  if (selection?.state === 'pending') return session;
  const issued = issue(session, { kind: 'collect', content: item.id, take: !selection?.taken }, now);
  const next: Selection = { item, taken: selection?.taken ?? false, state: 'pending' };
  return {
    ...issued,
    selections: selection
      ? session.selections.map((one) => (one === selection ? next : one))
      : [...session.selections, next],
  };
}

/** The session after the device's answer to command `number`. Unchanged if that command is not pending. */
export function acknowledge(session: Session, number: number, answer: Acknowledgement): Session {
  const found = session.pendingCommands.find((one) => one.number === number);
  if (!found) return session;
  const rest = { ...session, pendingCommands: session.pendingCommands.filter((one) => one !== found) };
  const { command } = found;
  const step = currentStep(session);
  switch (command.kind) {
    case 'email':
      return { ...rest, email: answer === 'kept' || answer === 'notKept' ? 'failed' : answer };
    case 'collect':
      return {
        ...rest,
        selections: settleSelection(session.selections, command.content, command.take, answer === 'kept'),
      };
    case 'skip':
      // The visitor has skipped the question and moved on. At worst the next tap asks it again.
      return rest;
    case 'consent': {
      const here = step?.kind === 'consent';
      if (answer !== 'kept') return here ? { ...rest, saving: 'failed' } : rest;
      const consented = Object.keys(command.agreed).filter((id) => command.agreed[id]);
      const kept = { ...settled(rest, { kind: 'consent' }), consented };
      return here ? moveBy(kept, 1) : kept;
    }
    case 'answer': {
      const here = step?.kind === 'question' && step.question.id === command.question;
      if (answer !== 'kept') return here ? { ...rest, saving: 'failed' } : rest;
      const counted = {
        ...rest,
        open: rest.open.filter(
          (prompt) => prompt.kind !== 'question' || prompt.question.id !== command.question,
        ),
        answered: [...rest.answered.filter((id) => id !== command.question), command.question],
      };
      return here ? moveBy(counted, 1) : counted;
    }
  }
}

/** The effects of time: commands without acknowledgement count as not saved, and the undo expires. */
export function expirePending(session: Session, now: number): Session {
  const over = session.undo === 'offered' && now >= session.undoUntil;
  return session.pendingCommands
    .filter(({ until }) => now >= until)
    .reduce(
      (so, { number }) => acknowledge(so, number, 'notKept'),
      over ? { ...session, undo: 'expired' as const } : session,
    );
}

/** Whether the visitor chose or entered something that the device does not have. */
export function isUnsaved(session: Session): boolean {
  const step = currentStep(session);
  const draft = step?.kind === 'question' ? session.drafts[step.question.id] : undefined;
  const ticked = step?.kind === 'consent' && Object.values(session.agreed).some(Boolean);
  return draft !== undefined || ticked || session.selections.some(({ state }) => state !== 'settled');
}

/** The session after the link was lost, when no pending command can be acknowledged any more. */
export function failPending(session: Session): Session {
  return session.pendingCommands.reduce((so, { number }) => acknowledge(so, number, 'notKept'), session);
}

/** The session after the wording of notice or consents changed: every switch is reset to "no". */
export function resetConsents(session: Session, stand: Stand): Session {
  return { ...session, agreed: unticked(stand) };
}

function unticked(stand: Stand | null): Session['agreed'] {
  return Object.fromEntries((stand?.consents ?? []).map(({ id }) => [id, false]));
}

function settleSelection(
  selections: readonly Selection[],
  content: string,
  take: boolean,
  kept: boolean,
): readonly Selection[] {
  return selections.flatMap((selection): Selection[] => {
    if (selection.item.id !== content) return [selection];
    if (!kept) return [{ ...selection, state: 'failed' }];
    return take ? [{ ...selection, taken: true, state: 'settled' }] : [];
  });
}
