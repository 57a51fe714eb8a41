/**
 * A warning about an unusual e-mail address, beside its field.
 *
 * Invariant: input is never refused. An address in an unusual form causes one question, and is accepted when it is
 * saved again.
 */
import { useState } from 'react';
import { Text } from '../../messages/text.tsx';

/** One at sign, with text before it and a name with a dot after it. */
const SHAPE = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

export type EmailDoubt = {
  /** The address for which the warning was shown; null while there is none. */
  readonly doubted: string | null;
  /** Whether the address may be saved: it has the usual form, is empty, or the user has already confirmed it. */
  readonly allows: (email: string) => boolean;
};

/** The warnings in one form. */
export function useEmailDoubt(): EmailDoubt {
  const [doubted, setDoubted] = useState<string | null>(null);
  return {
    doubted,
    allows: (email) => {
      const given = email.trim();
      if (given === '' || given === doubted || SHAPE.test(given)) return true;
      setDoubted(given);
      return false;
    },
  };
}

type DoubtWordsProps = { readonly doubt: EmailDoubt; readonly email: string };

/** The warning as text, while the address is unchanged. */
export function DoubtWords({ doubt: { doubted }, email }: DoubtWordsProps) {
  if (doubted === null || doubted !== email.trim()) return null;
  return (
    <span className="correct-doubt" role="status">
      <Text id="lead.emailDoubt" />
    </span>
  );
}
