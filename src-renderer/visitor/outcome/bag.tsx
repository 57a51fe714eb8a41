/**
 * The bag: pictures of the first contents that were taken, and in the ring one code for all of them.
 *
 * Invariants:
 * - It contains only contents that the device saved.
 * - The code is at least a quarter of the screen's height.
 */
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { QrCode } from '../../widgets/qr-code.tsx';
import { ContentPicture } from '../content/content-picture.tsx';
import type { Snapshot } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { codeOfBag } from './bag-code.ts';

/** Number of pictures shown. Further ones are only counted. */
const inSight = 4;

/** The contents that were taken in `session`. Empty if there are none. */
export function Bag({ link, session }: { readonly link: Link; readonly session: Session }) {
  const taken = takenOf(session);
  if (taken.length === 0) return null;
  const rest = taken.length - inSight;
  return (
    <div className="bag">
      <ul className="bag-pictures">
        {taken.slice(0, inSight).map((item) => (
          <li key={item.id}>
            <span className="bag-picture">
              <ContentPicture link={link} item={item} size="small" />
            </span>
            <bdi className="bag-name" dir="auto">
              {item.name}
            </bdi>
          </li>
        ))}
        {rest > 0 ? (
          <li className="bag-rest">
            <Text id="bag.more" values={{ count: rest }} />
          </li>
        ) : null}
      </ul>
    </div>
  );
}

/** The code for all taken contents. Empty if there is no code for them. */
export function BagCode({ snapshot, session }: { readonly snapshot: Snapshot; readonly session: Session }) {
  const text = useText();
  const code = codeOfBag(takenOf(session), pageOfBag(session, snapshot));
  if (code === null) return null;
  return (
    <figure className="qr-card bag-code">
      <QrCode content={code} label={text('bag.phone')} />
      <figcaption>
        <Text id="bag.phone" />
      </figcaption>
    </figure>
  );
}

function takenOf({ selections }: Session): readonly OfferItem[] {
  return selections.filter(({ taken }) => taken).map(({ item }) => item);
}

/**
 * The platform's page of the contents taken in `session`. Null if there is no page, or if the tap cannot be delivered
 * now.
 */
function pageOfBag({ factId }: Session, { stand, device }: Snapshot): string | null {
  const base = stand?.offer.bag ?? null;
  return base === null || device?.network === 'offline' ? null : `${base}/${factId}`;
}
