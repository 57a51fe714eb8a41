/**
 * The bag: pictures of everything taken, and one code for all of it.
 *
 * Invariant: it contains only what the device saved.
 */
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { QrCode } from '../../widgets/qr-code.tsx';
import { ContentPicture } from '../content/content-picture.tsx';
import type { Session } from '../state/session.ts';

/** Further pictures are counted. */
const inSight = 4;

/** What `session` took; empty if it took nothing. */
export function Bag({ link, session }: { readonly link: Link; readonly session: Session }) {
  const text = useText();
  const taken = session.selections.filter((selection) => selection.taken).map(({ item }) => item);
  const address = addressOfAll(taken);
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
      {address ? (
        <figure className="qr-card">
          <QrCode address={address} label={text('bag.phone')} />
          <figcaption>
            <Text id="bag.phone" />
          </figcaption>
        </figure>
      ) : null}
    </div>
  );
}

/** The page of the first content, with the others as parameters (docs/interface/undocumented.md#several-contents-behind-one-code). */
export function addressOfAll(taken: readonly OfferItem[]): string | null {
  const linked = taken.filter(({ link }) => link !== null);
  const [first, ...others] = linked;
  if (!first?.link) return null;
  return others.length === 0
    ? first.link
    : `${first.link}?with=${others.map(({ id }) => encodeURIComponent(id)).join(',')}`;
}
