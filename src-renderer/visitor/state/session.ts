/**
 * A visitor's session: what one captured tap leads on to, from the first step to the goodbye. Pure.
 *
 *   captured ─openContentPicker─► contentPicker ─────┐                     the outcome stays until somebody touches it
 *      │  └────answerPrompts──► consent? ─► question* ─┴─► goodbye           each: answered and kept, skipped, or left
 *      └─ time over: nothing was asked, what is open invites at the next tap
 *
 *   a command:  pending ─kept─► acknowledged      a step goes on only when its command was kept; a content counts as
 *                 └─not kept, no answer─► failed: said so, offered again           taken only then
 *
 * Invariants: of who the visitor is there is only the short name, for the mark beside what they take; every command has a number of its own within the session
 * and an end, so that a late answer meets nothing else; what is no command is gone with the session.
 */
import type { Answer, OfferItem, Question, Stand } from '../../../src-main/contract/stand.ts';
import { displayTimes } from '../../times.ts';
import type { CapturedEvent } from './outcome.ts';

/** A consent or question that is open. */
export type Prompt =
  | { readonly kind: 'consent' }
  | { readonly kind: 'question'; readonly question: Question };

export type Step = Prompt | { readonly kind: 'contentPicker' } | { readonly kind: 'goodbye' };

/** Where "take it back" stands: on offer, requested, its time over, pressed too late, not possible. */
export type Undo = 'offered' | 'pending' | 'expired' | 'late' | 'failed';

/** What the device is to do for this session. */
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

/** A command the device has not acknowledged yet; `until` is when it counts as not kept. */
export type PendingCommand = { readonly number: number; readonly until: number; readonly command: Command };

/** What became of a command; `kept` and `notKept` for what is written down, the others for the e-mail. */
export type Acknowledgement = 'kept' | 'notKept' | 'sent' | 'queued' | 'impossible';

/** A content this session took, or tried to. `taken` is what the device keeps. */
export type Selection = {
  readonly item: OfferItem;
  readonly taken: boolean;
  readonly state: 'settled' | 'pending' | 'failed';
};

/** What a tap was to its visitor. */
export type TapKind = 'first' | 'repeat' | 'checkin';

export type Session = {
  readonly factId: string;
  /** The short name as the outcome showed it; null where it is not known. */
  readonly name: string | null;
  /** BCP 47 language the visitor is known to speak. */
  readonly language: string | null;
  /** What the tap was: a first one, one beside an older contact, which stays, or a check-in. */
  readonly tapKind: TapKind;
  /** What is still open of consents and questions: it invites, and comes only when somebody says so. */
  readonly open: readonly Prompt[];
  readonly steps: readonly Step[];
  /** Index into `steps`; -1 while the outcome is shown. */
  readonly at: number;
  readonly undo: Undo;
  /** From when to when taking back is offered. */
  readonly undoSince: number;
  readonly undoUntil: number;
  /** Switches as they stand, by consent. */
  readonly agreed: Readonly<Record<string, boolean>>;
  /** Answers in the making, by question. */
  readonly drafts: Readonly<Record<string, Answer>>;
  /** Where the command of this step stands. */
  readonly saving: 'none' | 'pending' | 'failed';
  /** Ids agreed to as the device keeps them; null while nothing was answered. */
  readonly consented: readonly string[] | null;
  /** Questions whose answer the device keeps. */
  readonly answered: readonly string[];
  readonly selections: readonly Selection[];
  readonly email: 'none' | 'pending' | 'failed' | 'sent' | 'queued' | 'impossible';
  readonly pendingCommands: readonly PendingCommand[];
  readonly commandCount: number;
};

/** The session that begins with `event`; `chosen` is taken along with it. */
export function startSession(
  event: CapturedEvent,
  known: {
    readonly stand: Stand | null;
    readonly chosen: readonly OfferItem[];
    /** Whether comfort is on: then there is more time to take back. */
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

/** The step the session stands at, or null while the outcome is shown. */
export function currentStep(session: Session): Step | null {
  return session.steps[session.at] ?? null;
}

/** Which of how many consents and questions this is, counted from 1; null where there is nothing to count. */
export function progressOf(session: Session): { readonly at: number; readonly of: number } | null {
  const asked = session.steps.filter(isPrompt);
  const step = currentStep(session);
  const at = step && isPrompt(step) ? asked.indexOf(step) : -1;
  return asked.length > 1 && at >= 0 ? { at: at + 1, of: asked.length } : null;
}

function isPrompt(step: Step): step is Prompt {
  return step.kind === 'consent' || step.kind === 'question';
}

/** The same session, `by` steps further (or back); what became of the step before no longer matters here. */
export function moveBy(session: Session, by: number): Session {
  return { ...session, at: session.at + by, saving: 'none' };
}

/** With the content picker as the next step, wherever the session stands; a goodbye follows it. */
export function withContentPicker(session: Session): Session {
  return withSteps(session, [{ kind: 'contentPicker' }]);
}

/** With what is open as the next steps; a goodbye follows them. */
export function withPrompts(session: Session): Session {
  return withSteps(session, session.open);
}

/** The goodbye at once: whoever leaves a step keeps what was kept. */
export function withGoodbye(session: Session): Session {
  return withSteps(session, []);
}

function withSteps(session: Session, next: readonly Step[]): Session {
  const before = session.steps.slice(0, session.at + 1).filter(({ kind }) => kind !== 'goodbye');
  return { ...session, steps: [...before, ...next, { kind: 'goodbye' }], at: before.length, saving: 'none' };
}

/** Without the prompt of `step` among what is open. */
export function settled(session: Session, step: Step): Session {
  const isSame = (prompt: Prompt): boolean =>
    prompt.kind === step.kind &&
    (prompt.kind !== 'question' || step.kind !== 'question' || prompt.question.id === step.question.id);
  return { ...session, open: session.open.filter((prompt) => !isSame(prompt)) };
}

/** With `command` pending, for `session-commands.ts` to send. */
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

/** Takes `item` along, puts it back, or tries again what was not kept; nothing while that is pending. */
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

/** After the device's answer to command `number`; unchanged when that is not pending (any more). */
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
      // Whoever skipped has gone on; at worst the question invites once more at the next tap.
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

/** What time settles: commands nobody acknowledged count as not kept, and undo is no longer offered. */
export function expirePending(session: Session, now: number): Session {
  const over = session.undo === 'offered' && now >= session.undoUntil;
  return session.pendingCommands
    .filter(({ until }) => now >= until)
    .reduce(
      (so, { number }) => acknowledge(so, number, 'notKept'),
      over ? { ...session, undo: 'expired' as const } : session,
    );
}

/** Whether something was chosen or said that the device does not keep. */
export function isUnsaved(session: Session): boolean {
  const step = currentStep(session);
  const draft = step?.kind === 'question' ? session.drafts[step.question.id] : undefined;
  const ticked = step?.kind === 'consent' && Object.values(session.agreed).some(Boolean);
  return draft !== undefined || ticked || session.selections.some(({ state }) => state !== 'settled');
}

/** The session when nothing that is pending can be acknowledged any more. */
export function failPending(session: Session): Session {
  return session.pendingCommands.reduce((so, { number }) => acknowledge(so, number, 'notKept'), session);
}

/** The session when the wording of notice or consents has changed: every switch is back at no. */
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
