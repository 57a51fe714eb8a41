/**
 * A doubt about an e-mail address, said beside its field.
 *
 * Invariant: what somebody typed is never refused; an address without the shape of one is asked about once and kept when
 * it is saved again.
 */
import { useState } from 'react';
import { Text } from '../../messages/text.tsx';

/** One at sign between something and a name with a dot in it. */
const SHAPE = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

export type EmailDoubt = {
  /** The address as it was when the doubt was said; null while there is none. */
  readonly doubted: string | null;
  /** Whether an address may be saved now: it has the shape of one, is empty, or was doubted before. */
  readonly allows: (email: string) => boolean;
};

/** The doubts of one form. */
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

/** The doubt in words, as long as the address stands as it was doubted. */
export function DoubtWords({ doubt: { doubted }, email }: DoubtWordsProps) {
  if (doubted === null || doubted !== email.trim()) return null;
  return (
    <span className="correct-doubt" role="status">
      <Text id="lead.emailDoubt" />
    </span>
  );
}
