/**
 * Decides whether a lead is hot, by one rule. Pure.
 *
 * Invariants:
 * - The team's rating takes precedence over answers, answers over collected contents, and collected contents over
 *   repeated visits. The first sign that applies is the reason.
 * - A visitor's rating *of the stand* (a question of kind `rating`) never counts. A number of the team's form does.
 */
import { type Hot, type HotRule, hotRulesSchema } from '../../../contract/leads.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';

/** The default rule of a stand. */
export const USUAL_HOT_RULE: HotRule = { rating: 4, answers: [], contents: 3, visits: 3 };

/** The rules that stand teams set, by partner. An invalid rule is left out. */
export function rulesIn(text: string | null): Readonly<Record<string, HotRule>> {
  return hotRulesSchema.safeParse(parseOrUndefined(text ?? '')).data ?? {};
}

/** The signs that the rule uses. */
export type HotSigns = {
  readonly rating: number | null;
  readonly answers: readonly { readonly question: string; readonly answer: unknown }[];
  /** The team's answers. `answers` includes them. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly contents: number;
  readonly visits: number;
};

/** Whether these signs make a lead hot, and the reason. */
export function hotBy(rule: HotRule, signs: HotSigns): Hot {
  const { rating, contents, visits } = signs;
  if (rating !== null) return { is: rating >= rule.rating, why: { kind: 'rating', rating } };
  const answer = wantedAnswer(rule, signs);
  if (answer !== null) return { is: true, why: { kind: 'answer', ...answer } };
  if (rule.contents !== null && contents >= rule.contents) {
    return { is: true, why: { kind: 'contents', count: contents } };
  }
  if (rule.visits !== null && visits >= rule.visits)
    return { is: true, why: { kind: 'visits', count: visits } };
  return { is: false, why: null };
}

function wantedAnswer(
  rule: HotRule,
  signs: HotSigns,
): { readonly question: string; readonly option: string } | null {
  for (const { question, options, atLeast } of rule.answers) {
    const number = signs.form[question];
    if (atLeast !== undefined && typeof number === 'number' && number >= atLeast)
      return { question, option: String(number) };
    const given = signs.answers.find((answer) => answer.question === question);
    const option =
      given === undefined ? undefined : optionsOf(given.answer).find((id) => options.includes(id));
    if (option !== undefined) return { question, option };
  }
  return null;
}

/** The options that an answer chose. A number (a rating of the stand) and free text choose none. */
export function optionsOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer)) return answer.filter((option) => typeof option === 'string');
  if (typeof answer === 'boolean') return [answer ? 'yes' : 'no'];
  return [];
}
