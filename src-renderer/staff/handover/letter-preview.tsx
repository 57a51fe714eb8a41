/**
 * A preview of the letters to hot leads. The texts are exactly those in the files.
 *
 * Invariants:
 * - The device composes them.
 * - A change of a lead appears in the next preview.
 * - No file is written here.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Letter } from '../../../src-main/contract/exports.ts';
import type { LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';

type LetterPreviewProps = { readonly link: Link; readonly filter: LeadFilter };

/** One letter at a time, with buttons for the others. */
export function LetterPreview({ link, filter }: LetterPreviewProps) {
  const text = useText();
  const { locale } = useIntl();
  const [at, setAt] = useState(0);
  const found = useQuery({
    queryKey: ['letters', filter, locale],
    queryFn: () =>
      link.call((client, signal) => client.exports.letters({ filter, language: locale }, { signal })),
    gcTime: 0,
    staleTime: 0,
  });
  if (found.data === undefined)
    return (
      <p className="choice-hint" role="status">
        <Text id={found.isError ? 'refusal.lost' : 'letters.loading'} />
      </p>
    );
  const { letters, count, why } = found.data;
  const letter = letters[Math.min(at, letters.length - 1)];
  if (letter === undefined)
    return (
      <p className="notice" data-tone="quiet" role="status">
        <Text id={why === null ? 'letters.none' : `result.${why}`} />
      </p>
    );
  return (
    <section className="letter" aria-label={text('letters.preview')}>
      <p className="letter-steps" role="status">
        <Text id="letters.at" values={{ at: Math.min(at, letters.length - 1) + 1, count }} />
        <Button className="mini-button" isDisabled={at === 0} onPress={() => setAt(at - 1)}>
          <Text id="letters.before" />
        </Button>
        <Button className="mini-button" isDisabled={at >= letters.length - 1} onPress={() => setAt(at + 1)}>
          <Text id="letters.next" />
        </Button>
      </p>
      <Paper letter={letter} />
    </section>
  );
}

function Paper({ letter }: { readonly letter: Letter }) {
  const { to, name, subject, body, by, language, appointment } = letter;
  return (
    <div className="letter-paper" lang={language} dir="auto">
      <p>
        <bdi>{name}</bdi> <bdi className="letter-to">{to}</bdi>
      </p>
      <p>
        <strong>
          <bdi>{subject}</bdi>
        </strong>
      </p>
      <p className="letter-body">{body}</p>
      <p className="choice-hint">
        {by === null ? <Text id="letters.byStand" /> : <Text id="letters.by" values={{ name: by }} />}
        {appointment ? (
          <>
            {' · '}
            <Text id="letters.appointment" />
          </>
        ) : null}
      </p>
    </div>
  );
}
