/** The part below the goodbye: the bag, notes about saved data, the reward, open prompts and the e-mail offer. */
import type { Link } from '../../link/link.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { Bag } from './bag.tsx';
import { PromptInvitation } from './prompt-invitation.tsx';
import { RewardOffer } from './reward-offer.tsx';
import { EmailOffer, SessionNotes } from './session-notes.tsx';

type ControlsProps = { readonly link: Link; readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

/** The part below the goodbye of `session`. */
export function GoodbyeControls({
  link,
  session,
  snapshot,
  runtime,
}: ControlsProps & { readonly session: Session }) {
  return (
    <>
      <Bag link={link} session={session} />
      <SessionNotes session={session} stand={snapshot.stand} runtime={runtime} />
      <div className="offers">
        <RewardOffer link={link} snapshot={snapshot} runtime={runtime} session={session} />
        <PromptInvitation session={session} runtime={runtime} primary={false} />
      </div>
      {snapshot.stand?.email ? (
        <div className="actions actions-more">
          <EmailOffer session={session} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}
