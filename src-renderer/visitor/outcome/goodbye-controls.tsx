/** What stands below the goodbye: everything the session has left here, and what a visitor can still do. */
import { UndoOffer } from '../session/undo-offer.tsx';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { ContentPickerOffer } from './content-picker-offer.tsx';
import { DoneButton } from './done-button.tsx';
import { EmailOffer, SessionNotes } from './session-notes.tsx';

type ControlsProps = { readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

/** The controls of a goodbye. */
export function GoodbyeControls({
  session,
  snapshot,
  runtime,
}: ControlsProps & { readonly session: Session }) {
  return (
    <>
      <SessionNotes session={session} stand={snapshot.stand} runtime={runtime} />
      <div className="actions">
        <ContentPickerOffer snapshot={snapshot} runtime={runtime} session={session} />
        <UndoOffer session={session} runtime={runtime} now={snapshot.now} />
        {session.undo === 'pending' ? null : <DoneButton runtime={runtime} />}
      </div>
      {snapshot.stand?.email ? (
        <div className="actions actions-more">
          <EmailOffer session={session} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}
