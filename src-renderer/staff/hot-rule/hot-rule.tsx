/**
 * The rule for hot leads: shown in words above the list on request, edited in place, reset to the stand's default.
 *
 * Invariants:
 * - The order of the rule is fixed (rating, answers, contents, visits) and shown.
 * - Visitors' ratings of the stand are never part of the rule.
 * - A change applies to this stand on this device at once.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { HotRule } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useLeadWords, type Words } from '../parts/lead-words.ts';
import { HotRuleForm, isUsed } from './hot-rule-form.tsx';

/** The rule in one line, and the form that edits it. */
export function HotRuleLine({ link }: { readonly link: Link }) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState(false);
  const found = useQuery({
    queryKey: ['hot-rule'],
    queryFn: () => link.call((client, signal) => client.leads.hotRule(undefined, { signal })),
  });
  if (!found.data) return null;
  const { rule, changed } = found.data;
  const keep = (next: HotRule | null) => {
    link
      .call((client, signal) => client.leads.changeHotRule({ rule: next }, { signal }))
      .then(
        ({ kept }) => {
          setFailed(!kept);
          if (kept) setOpen(false);
        },
        () => setFailed(true),
      )
      .finally(() => {
        for (const key of ['hot-rule', 'lead', 'leads', 'lead-facets'])
          void queries.invalidateQueries({ queryKey: [key] });
      });
  };
  return (
    <div className="hot-rule">
      <p className="hot-rule-line">
        <span>
          <RuleWords rule={rule} />
        </span>
        <Button className="mini-button" aria-expanded={open} onPress={() => setOpen(!open)}>
          <Text id={open ? 'staff.cancel' : 'rule.change'} />
        </Button>
        {changed ? (
          <Button className="mini-button" onPress={() => keep(null)}>
            <Text id="rule.back" />
          </Button>
        ) : null}
      </p>
      {failed ? (
        <p role="status">
          <Text id="edit.failed" />
        </p>
      ) : null}
      {open ? <HotRuleForm rule={rule} onKeep={keep} /> : null}
    </div>
  );
}

/** The rule in words: its criteria, and how it treats unrated leads. */
function RuleWords({ rule }: { readonly rule: HotRule }) {
  const text = useText();
  const intl = useIntl();
  const words = useLeadWords();
  const parts = [
    ...rule.answers.filter(isUsed).map((one) => answerWords(text, words, one)),
    ...(rule.contents === null ? [] : [text('rule.contents', { count: rule.contents })]),
    ...(rule.visits === null ? [] : [text('rule.visits', { count: rule.visits })]),
  ];
  return (
    <>
      <Text id="rule.rating" values={{ rating: rule.rating }} />
      {parts.length === 0 ? null : (
        <>
          {' '}
          <Text id="rule.sentence" values={{ parts: intl.formatList(parts, { type: 'disjunction' }) }} />
        </>
      )}
    </>
  );
}

function answerWords(
  text: ReturnType<typeof useText>,
  words: Words,
  { question, options, atLeast }: HotRule['answers'][number],
): string {
  if (atLeast !== undefined)
    return text('rule.atLeast', { question: words.question(question), number: String(atLeast) });
  const answers = options.map((option) => words.option(question, option)).join(' / ');
  return text('rule.answer', { question: words.question(question), answers });
}
