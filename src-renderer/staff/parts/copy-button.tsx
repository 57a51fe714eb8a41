/**
 * Copies a text and shows at the button that this worked.
 *
 * Invariant: if the browser denies clipboard access, the button says so, and the user can select the text.
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
