/**
 * Texts for the ids in leads: labels, contents, touchpoints, questions, consents.
 *
 * Invariant: an id without a text is shown as it is, never left out.
 */
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { FormAnswer } from '../../../src-main/contract/lead-fields.ts';
import type { LeadWords } from '../../../src-main/contract/leads.ts';
import type { Answer } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { ownText } from '../../messages/translated-text.ts';
import { staffTimes } from '../../times.ts';

export type Words = {
  readonly label: (id: string) => string;
  /** Labels of the platform, in its order. */
  readonly labels: LeadWords['labels'];
  readonly content: (id: string) => string;
  readonly touchpoint: (id: string | null) => string | null;
  readonly question: (id: string) => string;
  /** An option of a question. Yes, no and numbers need no lookup. */
  readonly option: (question: string, option: string) => string;
  /** An answer as text. */
  readonly answer: (question: string, answer: Answer | FormAnswer) => string;
  readonly consent: (id: string) => string;
  readonly questions: LeadWords['questions'];
  /** The team's own questions. */
  readonly form: LeadWords['form'];
};

const none: LeadWords = { labels: [], contents: [], touchpoints: [], questions: [], form: [], consents: [] };

const WordsContext = createContext<LeadWords>(none);

/** Provides the texts to all components below it. */
export const LeadWordsProvider = WordsContext.Provider;

/** The current texts of the device. */
export function useFetchedWords(link: Link): LeadWords {
  const words = useQuery({
    queryKey: ['lead-words'],
    queryFn: () => link.call((client, signal) => client.leads.words(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  return words.data ?? none;
}

/** The texts in the language of the page. */
export function useLeadWords(): Words {
  const words = useContext(WordsContext);
  const intl = useIntl();
  return useMemo(() => {
    const { locale } = intl;
    const named = (list: readonly { readonly id: string; readonly name: string }[]) => {
      const byId = new Map(list.map(({ id, name }) => [id, name]));
      return (id: string) => byId.get(id) ?? id;
    };
    const asked = [...words.questions, ...words.form];
    const question = (id: string) => asked.find((one) => one.id === id);
    const touchpoint = named(words.touchpoints);
    const option = (of: string, chosen: string): string => {
      const found = question(of)?.options.find((one) => one.id === chosen);
      if (found) return ownText(found.text, locale);
      if (chosen === 'yes' || chosen === 'no') return intl.formatMessage({ id: `answer.${chosen}` });
      return chosen;
    };
    return {
      labels: words.labels,
      label: named(words.labels),
      content: named(words.contents),
      touchpoint: (id) => (id === null ? null : touchpoint(id)),
      questions: words.questions,
      form: words.form,
      question: (id) => ownText(question(id)?.text ?? {}, locale) || id,
      option,
      answer: (of, answer) => {
        if (Array.isArray(answer)) return answer.map((chosen) => option(of, chosen)).join(', ');
        return typeof answer === 'boolean' ? option(of, answer ? 'yes' : 'no') : String(answer);
      },
      consent: (id) => ownText(words.consents.find((one) => one.id === id)?.text ?? {}, locale) || id,
    };
  }, [words, intl]);
}
