/**
 * Names for ids in leads, in the language of the file: questions, options, consents, contents, labels. Pure.
 *
 * Invariant: an id without a name is shown as the id, so that no answer is lost.
 */
import type { ConsentPurpose, FormQuestion, Question, Texts } from '../../../contract/stand.ts';
import type { ConsentChannel } from './export-lead.ts';

/** Sources of the names. Labels, contents and touchpoints map ids to names. */
export type WordSources = {
  readonly language: string;
  readonly questions: readonly Question[];
  readonly form: readonly FormQuestion[];
  readonly consents: readonly ConsentPurpose[];
  readonly labels: Readonly<Record<string, string>>;
  readonly contents: Readonly<Record<string, { readonly name: string; readonly link: string | null }>>;
  readonly touchpoints: Readonly<Record<string, string>>;
};

export type Words = {
  readonly question: (id: string) => string;
  /** The text of an answer to a question of any kind. */
  readonly answer: (question: string, answer: unknown) => string;
  readonly consent: (id: string) => { readonly text: string; readonly channel: ConsentChannel | null };
  readonly label: (id: string) => string;
  readonly content: (id: string) => { readonly name: string; readonly link: string | null };
  readonly touchpoint: (id: string | null) => string | null;
  /** Why a lead is hot. */
  readonly hotRating: (rating: number) => string;
  readonly hotCount: (kind: 'contents' | 'visits', count: number) => string;
};

/**
 * The best text for a language: the text of the same tag, otherwise of the same language, otherwise English,
 * otherwise any text.
 */
export function nearestText(texts: Texts, language: string): string | null {
  const primary = language.split(/[-_]/u, 1)[0] ?? '';
  return texts[language] ?? texts[primary] ?? texts.en ?? Object.values(texts)[0] ?? null;
}

/** The names that a file needs. */
export function createWords(sources: WordSources): Words {
  const { language } = sources;
  const isGerman = language.toLowerCase().startsWith('de');
  const questions = new Map(
    [...sources.questions, ...sources.form].map((question) => [question.id, question]),
  );
  const consents = new Map(sources.consents.map((consent) => [consent.id, consent]));
  const option = (question: string, id: string): string => {
    const found = questions.get(question)?.options.find((known) => known.id === id);
    return (found === undefined ? null : nearestText(found.text, language)) ?? id;
  };
  return {
    question: (id) => nearestText(questions.get(id)?.text ?? {}, language) ?? id,
    answer: (question, answer) => {
      if (typeof answer === 'boolean')
        return (isGerman ? ['nein', 'ja'] : ['no', 'yes'])[answer ? 1 : 0] ?? '';
      if (Array.isArray(answer)) return answer.map((id) => option(question, String(id))).join('; ');
      return typeof answer === 'string' ? option(question, answer) : String(answer);
    },
    consent: (id) => {
      const found = consents.get(id);
      return { text: nearestText(found?.text ?? {}, language) ?? id, channel: found?.channel ?? null };
    },
    label: (id) => sources.labels[id] ?? id,
    content: (id) => sources.contents[id] ?? { name: id, link: null },
    touchpoint: (id) => (id === null ? null : (sources.touchpoints[id] ?? id)),
    hotRating: (rating) => (isGerman ? `mit ${rating} von 5 bewertet` : `rated ${rating} out of 5`),
    hotCount: (kind, count) => {
      const isOne = count === 1;
      const visits = isGerman ? `Besuch${isOne ? '' : 'e'}` : `visit${isOne ? '' : 's'}`;
      const contents = isGerman
        ? `Inhalt${isOne ? '' : 'e'} mitgenommen`
        : `content${isOne ? '' : 's'} taken`;
      return `${count} ${kind === 'visits' ? visits : contents}`;
    },
  };
}
