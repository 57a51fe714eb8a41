/**
 * What stands below "captured": the company, what was taken along, and what a visitor can do now.
 *
 * Invariant: a control is there only while it works.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { UndoOffer } from '../session/undo-offer.tsx';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { View } from '../state/view.ts';
import { ActivityFacts } from './activity-facts.tsx';
import { ContentPickerOffer } from './content-picker-offer.tsx';
import { DoneButton } from './done-button.tsx';
import { EmailOffer, SelectionNotes } from './session-notes.tsx';

type ControlsProps = { readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

type CapturedView = Extract<View, { kind: 'captured' }>;

/** The controls of a captured tap. */
export function CapturedControls({
  view,
  snapshot,
  runtime,
}: ControlsProps & { readonly view: CapturedView }) {
  const { session, event } = view;
  const { stand } = snapshot;
  const leadsOn = session.steps.length > 0;
  const company = event.visitor?.company?.trim();
  return (
    <>
      {company ? (
        <p className="company">
          <bdi dir="auto">{company}</bdi>
        </p>
      ) : null}
      {event.checkin && stand?.activity ? (
        <ActivityFacts activity={stand.activity} snapshot={snapshot} seats={false} />
      ) : null}
      {session.selections.some(({ item }) => item.id !== event.collected?.id) ? (
        <ul className="session-notes">
          <SelectionNotes session={session} runtime={runtime} />
        </ul>
      ) : null}
      <div className="actions">
        {leadsOn ? (
          <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'next' })}>
            <Text id="question.next" />
          </Button>
        ) : (
          <ContentPickerOffer snapshot={snapshot} runtime={runtime} session={session} />
        )}
        <UndoOffer session={session} runtime={runtime} now={snapshot.now} />
        {leadsOn || session.undo === 'pending' ? null : <DoneButton runtime={runtime} />}
      </div>
      {!leadsOn && stand?.email && event.visitor ? (
        <div className="actions actions-more">
          <EmailOffer session={session} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}
