/**
 * Copies a text and confirms it at the button.
 *
 * Invariant: a browser without clipboard access is reported; the text can be selected by hand.
 */
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';

/** The button; `label` names the copied text. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const [answer, setAnswer] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (answer === null) return;
    const timer = setTimeout(() => setAnswer(null), staffTimes.answer);
    return () => clearTimeout(timer);
  }, [answer]);
  return (
    <Button
      className="mini-button"
      aria-label={label}
      onPress={() => {
        navigator.clipboard.writeText(value).then(
          () => setAnswer('copied'),
          () => setAnswer('failed'),
        );
      }}
    >
      <Text id={answer === null ? 'lead.copy' : `lead.${answer}`} />
    </Button>
  );
}
