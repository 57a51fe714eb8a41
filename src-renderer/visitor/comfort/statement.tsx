/**
 * The accessibility statement: the standards that this screen follows, its features, its gaps, and who helps.
 *
 * Invariant: it claims no more than `docs/accessibility.md`. It is read aloud while the voice is on.
 */
import { useEffect, useRef } from 'react';
import { Button, Heading } from 'react-aria-components';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text } from '../../messages/text.tsx';
import { useScrollEnd } from '../../widgets/scroll-end.ts';
import type { Speech } from '../speech/speech.ts';

const parts = [
  'statement.made',
  'statement.can',
  'statement.limits',
  'statement.help',
] as const satisfies readonly MessageId[];

/** The statement and its `back` button. */
export function Statement({ speech, back }: { readonly speech: Speech; readonly back: () => void }) {
  const { read } = speech;
  const begun = useRef(false);
  const way = useRef<HTMLButtonElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const wholeInSight = useScrollEnd(words);
  // Otherwise the browser would scroll before the panel has its final position.
  useEffect(() => way.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    read(['statement.open', ...parts]);
  }, [read]);
  return (
    <div className="statement">
      <Heading slot="title" className="statement-title">
        <Text id="statement.open" />
      </Heading>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <div className="statement-text" tabIndex={0} ref={words} data-more={!wholeInSight}>
        {parts.map((id) => (
          <p key={id}>
            <Text id={id} />
          </p>
        ))}
      </div>
      <Button className="pill comfort-choice" ref={way} onPress={back}>
        <Text id="question.back" />
      </Button>
    </div>
  );
}
