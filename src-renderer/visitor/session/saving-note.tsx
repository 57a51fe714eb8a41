/** Whether the device saved the input of a step. */
import { Text } from '../../messages/text.tsx';
import type { Session } from '../state/session.ts';

/** Says that an answer is being saved or was not saved. Otherwise it is empty. */
export function SavingNote({ session }: { readonly session: Session }) {
  return (
    <p className="step-note" role="status" data-tone={session.saving === 'failed' ? 'stop' : 'quiet'}>
      {session.saving === 'failed' ? <Text id="consent.notKept" /> : null}
      {session.saving === 'pending' ? <Text id="offer.saving" /> : null}
    </p>
  );
}
