/**
 * The card that leads from an outcome to the offer of contents. It shows the first content's picture, if there is one.
 *
 * Invariant: it is shown only if the partner has contents that were not yet offered in this session.
 */
import { Button } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { ContentPicture } from '../content/content-picture.tsx';
import { offersContents } from '../state/offers.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

type RewardProps = {
  readonly link: Link;
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
  readonly session: Session;
};

/** A card that opens the content picker. */
export function RewardOffer({ link, snapshot, runtime, session }: RewardProps) {
  const { stand, device } = snapshot;
  if (!stand || !offersContents(session, stand, device)) return null;
  const { first, count } = stand.offer;
  return (
    <Button className="reward" onPress={() => runtime.send({ kind: 'openContentPicker' })}>
      {first ? (
        <span className="reward-picture">
          <ContentPicture link={link} item={first} size="small" />
        </span>
      ) : null}
      <span className="reward-words">
        <strong>
          <Text id="offer.open" />
        </strong>
        <span className="offer-note">
          <Text id="offer.waiting" values={{ count }} />
        </span>
      </span>
    </Button>
  );
}
