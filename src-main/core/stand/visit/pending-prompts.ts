/**
 * The prompts for a visitor at this stand. Known answers come from the device's own facts, and from the platform's
 * connection, which also has the answers from other devices of the partner.
 *
 * Invariants:
 * - Consents and answers belong to a partner. A touchpoint without a partner asks nothing.
 * - A check-in asks no consents and questions, unless the organiser enables them.
 * - A consent with an answer (yes or no) under the current version of the notice is not asked again. Neither is a
 *   question that was answered or skipped.
 * - The device's own facts take precedence over the platform's data, because these facts may not have arrived there
 *   yet.
 */
import type { Answer, Question } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Answers, Consent, Fact } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { answersIn, consentIn } from '../../journal/facts/replies.ts';
import type { StandSettings } from './settings.ts';

type TapFact = Pick<Fact, 'touchpoint' | 'partner' | 'payload'>;

export type PendingPrompts = {
  /** The open prompts for the lead of this tap. */
  readonly of: (
    tap: TapFact,
    lead: string,
  ) => { readonly asksConsent: boolean; readonly openQuestions: string[] };
  /**
   * The consent for a new fact, including the lead's earlier consents under the same notice. Null if the stand asks
   * for none.
   */
  readonly consent: (
    tap: TapFact,
    lead: string,
    language: string,
    agreed: Readonly<Record<string, boolean>>,
  ) => Consent | null;
  /** The question of this stand with this id, or null. */
  readonly question: (tap: TapFact, id: string) => Question | null;
  /** Questions that the visitor of the lead skipped. */
  readonly skipped: (lead: string) => readonly string[];
  /** Every answer of the lead so far. */
  readonly answers: (tap: TapFact, lead: string) => Answers;
};

type PendingPromptsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly settings: Pick<StandSettings, 'notice' | 'consents' | 'questions' | 'door'>;
  /** Whether this is a check-in. */
  readonly checksIn: () => boolean;
};

/** The prompts of a stand with these settings. */
export function createPendingPrompts(ports: PendingPromptsPorts): PendingPrompts {
  const { journal, mirror } = ports;
  const { notice, consents, questions, door } = ports.settings;

  const reportedOf = ({ partner, payload }: TapFact): Readonly<Record<string, unknown>> => {
    if (partner === null || payload?.visitor === undefined) return {};
    return mirror.stand.connectionOf(payload.visitor, partner) ?? {};
  };
  const consentOf = (tap: TapFact, lead: string): Consent | null =>
    journal.replies.consentOf(lead) ?? consentIn(reportedOf(tap).consent);
  const answersOf = (tap: TapFact, lead: string): Answers => ({
    ...answersIn(reportedOf(tap).answers),
    ...journal.replies.answersOf(lead),
  });

  const isAsked = (tap: TapFact): boolean => isOfPartner(tap) && (door.asks || !ports.checksIn());
  const asksConsent = (tap: TapFact, lead: string): boolean =>
    consents.length > 0 && consentOf(tap, lead)?.notice !== notice?.version;
  const openQuestions = (tap: TapFact, lead: string): string[] => {
    if (questions.length === 0) return [];
    const known = answersOf(tap, lead);
    const skipped = new Set(journal.replies.skippedOf(lead));
    return questions.flatMap(({ id }) => (Object.hasOwn(known, id) || skipped.has(id) ? [] : [id]));
  };

  return {
    of: (tap, lead) => {
      if (!isAsked(tap)) return { asksConsent: false, openQuestions: [] };
      return { asksConsent: asksConsent(tap, lead), openQuestions: openQuestions(tap, lead) };
    },
    consent: (tap, lead, language, agreed) => {
      const said = consents
        .filter(({ id }) => Object.hasOwn(agreed, id))
        .map(({ id }) => [id, agreed[id] === true]);
      if (notice === null || said.length === 0 || !isOfPartner(tap)) return null;
      const before = consentOf(tap, lead);
      const kept = before?.notice === notice.version ? before.agreed : {};
      return { notice: notice.version, language, agreed: { ...kept, ...Object.fromEntries(said) } };
    },
    question: (tap, id) =>
      isOfPartner(tap) ? (questions.find((question) => question.id === id) ?? null) : null,
    skipped: journal.replies.skippedOf,
    answers: answersOf,
  };
}

/** While a device's touchpoint is unknown, it is treated as one with a partner. */
function isOfPartner({ touchpoint, partner }: TapFact): boolean {
  return touchpoint === null || partner !== null;
}

/** Whether `answer` is valid for this question. */
export function isAnswerTo({ kind, options }: Question, answer: Answer): boolean {
  const offered = (ids: readonly string[]): boolean =>
    new Set(ids).size === ids.length && ids.every((id) => options.some((option) => option.id === id));
  switch (kind) {
    case 'choice':
      return Array.isArray(answer) && answer.length === 1 && offered(answer);
    case 'several':
      return Array.isArray(answer) && offered(answer);
    case 'rating':
      return typeof answer === 'number';
    case 'yesNo':
      return typeof answer === 'boolean';
    case 'text':
      return typeof answer === 'string' && answer.trim() !== '';
  }
}
