/**
 * One content as a card: picture, name, summary; touch it for a closer look, touch its button to take it.
 *
 * Invariants: "taken" is told by word, mark and colour; long names and missing summaries keep the card's shape.
 */
import { Button, ToggleButton } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { Hold } from './content-picker.tsx';
import { OfferPicture } from './content-picture.tsx';

type CardProps = {
  readonly link: Link;
  readonly item: OfferItem;
  readonly hold: Hold;
  readonly choosing: boolean;
  readonly toggle: () => void;
  readonly open: () => void;
};

/** The card of `item`. */
export function OfferCard({ link, item, hold, choosing, toggle, open }: CardProps) {
  return (
    <article className="card" data-hold={hold}>
      <Button className="card-look" onPress={open}>
        <span className="card-picture">
          <OfferPicture link={link} item={item} size="small" />
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
      <TakeButton item={item} hold={hold} choosing={choosing} toggle={toggle} />
    </article>
  );
}

const words: Readonly<Record<Hold, MessageId>> = {
  no: 'offer.take',
  asked: 'offer.saving',
  taken: 'offer.taken',
  chosen: 'choose.chosen',
  failed: 'offer.notSaved',
};

/** "Take it", "Taken", and what may be in between. */
export function TakeButton({
  item,
  hold,
  choosing,
  toggle,
}: {
  readonly item: OfferItem;
  readonly hold: Hold;
  readonly choosing: boolean;
  readonly toggle: () => void;
}) {
  const text = useText();
  const word = choosing && hold === 'no' ? 'choose.choose' : words[hold];
  return (
    <ToggleButton
      className="take"
      data-hold={hold}
      isSelected={hold === 'taken' || hold === 'chosen'}
      onChange={toggle}
      aria-label={`${text(word)}: ${item.name}`}
    >
      <svg className="take-sign" viewBox="0 0 24 24" aria-hidden="true">
        <path d={hold === 'taken' || hold === 'chosen' ? 'M5 12.5l5 5 9-10.5' : 'M12 5v14M5 12h14'} />
      </svg>
      <Text id={word} />
    </ToggleButton>
  );
}
