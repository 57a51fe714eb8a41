/**
 * One content in detail: large picture, text, a code for the phone.
 *
 * Invariants:
 * - The text keeps its own reading direction.
 * - A long text scrolls by finger and by keys, and shows that more follows.
 */
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { QrCode } from '../../widgets/qr-code.tsx';
import { useScrollEnd } from '../../widgets/scroll-end.ts';
import { ContentPicture } from './content-picture.tsx';
import type { SelectionState } from './selection-state.ts';
import { TakeButton } from './take-button.tsx';

type DetailProps = {
  readonly link: Link;
  readonly item: OfferItem;
  readonly selection: SelectionState;
  readonly choosing: boolean;
  readonly toggle: () => void;
  /** Returns to the other contents. Null if `item` is the only content. */
  readonly back: (() => void) | null;
};

/** A single `item` in the content picker. */
export function ContentDetail({ link, item, selection, choosing, toggle, back }: DetailProps) {
  const text = useText();
  const article = useRef<HTMLElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  const wholeInSight = useScrollEnd(words);
  const alone = back === null;
  useEffect(() => {
    if (!alone) article.current?.focus({ preventScroll: true });
  }, [alone]);
  const lines = item.description ?? item.summary;
  return (
    <article className="content-detail" ref={article} tabIndex={-1} aria-labelledby="content-detail-name">
      <div className="content-detail-picture">
        <ContentPicture link={link} item={item} size="large" />
      </div>
      <div className="content-detail-words">
        <h2 className="content-detail-name" id="content-detail-name" dir="auto">
          {item.name}
        </h2>
        {lines ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
          <p className="content-detail-text" dir="auto" tabIndex={0} ref={words} data-more={!wholeInSight}>
            {lines}
          </p>
        ) : null}
        <div className="content-detail-actions">
          <TakeButton item={item} selection={selection} choosing={choosing} toggle={toggle} />
          {back ? (
            <Button className="pill action" onPress={back}>
              <Text id="question.back" />
            </Button>
          ) : null}
        </div>
        {item.link ? (
          <figure className="qr-card">
            <QrCode content={item.link} label={text('offer.phone')} />
            <figcaption>
              <Text id="offer.phone" />
              <bdi className="address" dir="ltr">
                {item.link.replace(/^https?:\/\//, '')}
              </bdi>
            </figcaption>
          </figure>
        ) : null}
      </div>
    </article>
  );
}
