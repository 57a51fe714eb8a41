/**
 * One content as a card: picture, name, summary. Touching the card opens the detail; its button takes the content.
 *
 * Invariants:
 * - "taken" is shown as a word, a mark and a colour.
 * - The card keeps its shape with a long name or without a summary.
 */
import { Button } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { ContentPicture } from './content-picture.tsx';
import type { SelectionState } from './selection-state.ts';
import { TakeButton } from './take-button.tsx';

type CardProps = {
  readonly link: Link;
  readonly item: OfferItem;
  readonly selection: SelectionState;
  readonly choosing: boolean;
  readonly toggle: () => void;
  readonly open: () => void;
};

/** The card of `item`. */
export function ContentCard({ link, item, selection, choosing, toggle, open }: CardProps) {
  return (
    <article className="card" data-selection={selection}>
      <Button className="card-look" onPress={open}>
        <span className="card-picture">
          <ContentPicture link={link} item={item} size="small" />
        </span>
        <span className="card-words">
          <bdi className="card-name" dir="auto">
            {item.name}
          </bdi>
          {item.summary ? (
            <bdi className="card-summary" dir="auto">
              {item.summary}
            </bdi>
          ) : null}
        </span>
      </Button>
      <TakeButton item={item} selection={selection} choosing={choosing} toggle={toggle} />
    </article>
  );
}
