/**
 * Controls below "captured": the company, the taken contents, and the next choices.
 *
 * Invariants:
 * - A control is shown only while it works.
 * - The offer of contents comes before the questions.
 */
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { QrCode } from '../../widgets/qr-code.tsx';
import { offersContents, offersEmail } from '../state/offers.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { View } from '../state/view.ts';
import { ActivityFacts } from './activity-facts.tsx';
import { PromptInvitation } from './prompt-invitation.tsx';
import { RewardOffer } from './reward-offer.tsx';
import { EmailOffer, SelectionNotes } from './session-notes.tsx';

type ControlsProps = { readonly link: Link; readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

type CapturedView = Extract<View, { kind: 'captured' }>;

/** The controls of a captured tap. */
export function CapturedControls({
  link,
  view,
  snapshot,
  runtime,
}: ControlsProps & { readonly view: CapturedView }) {
  const { session, event } = view;
  const { stand, device } = snapshot;
  const company = event.visitor?.company?.trim();
  const emailed = offersEmail(event, session, stand);
  const rewards = stand !== null && offersContents(session, stand, device);
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
          <SelectionNotes session={session} runtime={runtime} named />
        </ul>
      ) : null}
      <div className="offers" data-code={event.collected?.link ? 'yes' : 'no'}>
        {event.collected?.link ? <PhoneCode address={event.collected.link} /> : null}
        <RewardOffer link={link} snapshot={snapshot} runtime={runtime} session={session} />
        <PromptInvitation session={session} runtime={runtime} primary={!rewards && !event.collected} />
        {emailed && event.collected?.link ? <EmailOffer session={session} runtime={runtime} /> : null}
      </div>
      {emailed && !event.collected?.link ? (
        <div className="actions actions-more">
          <EmailOffer session={session} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}

/** The code for the content of this tap. A phone can read it from one metre away. */
function PhoneCode({ address }: { readonly address: string }) {
  const text = useText();
  return (
    <figure className="qr-card phone-code">
      <QrCode content={address} label={text('offer.phone')} />
      <figcaption>
        <Text id="offer.phone" />
      </figcaption>
    </figure>
  );
}
