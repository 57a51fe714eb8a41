/**
 * The content picker: the partner's contents page by page, with the detail of each.
 *
 * Invariants:
 * - At most four cards per page. The pages are as equally full as possible. A single content opens in detail.
 * - From nine contents on there is a search; its text is dropped when the picker closes.
 * - A card says "taken" only after the device saved it.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { ScreenKeyboard } from '../input/screen-keyboard.tsx';
import { ContentCard } from './content-card.tsx';
import { ContentDetail } from './content-detail.tsx';
import type { SelectionState } from './selection-state.ts';

/** Few per page, so that their pictures are large. */
const onPage = 4;
/** From this number of contents on, there is a search. */
const searchFrom = 9;

type ContentPickerProps = {
  readonly link: Link;
  /** Number of the partner's contents. */
  readonly count: number;
  readonly selectionStateOf: (item: OfferItem) => SelectionState;
  readonly toggle: (item: OfferItem) => void;
  /** Receives the contents that are shown now, for speech. Receives none when the picker closes. */
  readonly onShownItems: (items: readonly OfferItem[]) => void;
  /** Before a tap the visitor selects contents; after it the visitor takes them. */
  readonly choosing: boolean;
};

/** Cards, search and page buttons. */
export function ContentPicker({
  link,
  count,
  selectionStateOf,
  toggle,
  onShownItems,
  choosing,
}: ContentPickerProps) {
  const [search, setSearch] = useState('');
  const [typing, setTyping] = useState(false);
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<OfferItem | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // A search may find any number of contents, so its pages are simply filled.
  const { offset, limit } = search === '' ? evenPage(count, page) : { offset: page * onPage, limit: onPage };
  const { data, isError } = useQuery({
    queryKey: ['offer.list', count, search, offset, limit],
    queryFn: () =>
      link.call((client, signal) => client.offer.list({ search: search.trim(), offset, limit }, { signal })),
    retry: 1,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const total = data?.total ?? 0;
  const only = total === 1 && search === '' ? (data?.items[0] ?? null) : null;
  const detailed = open ?? only;
  const shown = useRef(onShownItems);
  shown.current = onShownItems;
  const items = data?.items;
  useEffect(() => shown.current(detailed ? [detailed] : (items ?? [])), [detailed, items]);
  useEffect(() => () => shown.current([]), []);
  if (detailed) {
    return (
      <ContentDetail
        link={link}
        item={detailed}
        selection={selectionStateOf(detailed)}
        choosing={choosing}
        toggle={() => toggle(detailed)}
        back={open ? () => setOpen(null) : null}
      />
    );
  }
  const pages = Math.max(Math.ceil(total / onPage), 1);
  const find = (words: string) => {
    setSearch(words);
    setPage(0);
  };
  return (
    <div className="content-picker" data-typing={typing}>
      {count > onPage ? (
        <div className="content-picker-tools">
          {count >= searchFrom ? (
            <ContentSearch field={field} value={search} change={find} typing={typing} onTyping={setTyping} />
          ) : (
            <span />
          )}
          <Pages page={Math.min(page, pages - 1)} pages={pages} turn={setPage} />
        </div>
      ) : null}
      <Cards
        count={data ? total : null}
        lost={isError}
        items={data?.items ?? []}
        render={(item) => (
          <ContentCard
            key={item.id}
            link={link}
            item={item}
            selection={selectionStateOf(item)}
            choosing={choosing}
            toggle={() => toggle(item)}
            open={() => setOpen(item)}
          />
        )}
        searching={search !== ''}
      />
      {typing ? <ScreenKeyboard field={field} /> : null}
    </div>
  );
}

/**
 * Page `page` of `count` contents. Pages are as equal as possible, so that no page holds a single card while others
 * are full.
 */
function evenPage(count: number, page: number): { readonly offset: number; readonly limit: number } {
  const pages = Math.max(Math.ceil(count / onPage), 1);
  const least = Math.floor(count / pages);
  const larger = count % pages;
  return {
    offset: page * least + Math.min(page, larger),
    limit: Math.max(page < larger ? least + 1 : least, 1),
  };
}

function Cards({
  count,
  lost,
  items,
  render,
  searching,
}: {
  readonly count: number | null;
  readonly lost: boolean;
  readonly items: readonly OfferItem[];
  readonly render: (item: OfferItem) => ReactNode;
  readonly searching: boolean;
}) {
  if (items.length > 0) {
    return (
      <ul className="cards" data-count={Math.min(items.length, count ?? 0, onPage)}>
        {items.map((item) => (
          <li key={item.id}>{render(item)}</li>
        ))}
      </ul>
    );
  }
  return (
    <p className="content-picker-empty" role="status">
      {lost ? <Text id="offer.lost" /> : null}
      {!lost && count === null ? <Text id="offer.loading" /> : null}
      {!lost && count === 0 ? <Text id={searching ? 'offer.none' : 'offer.empty'} /> : null}
    </p>
  );
}

function ContentSearch({
  field,
  value,
  change,
  typing,
  onTyping,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly typing: boolean;
  readonly onTyping: (typing: boolean) => void;
}) {
  const text = useText();
  return (
    <SearchField
      className="content-picker-search"
      value={value}
      maxLength={100}
      autoComplete="off"
      onChange={change}
      onSubmit={() => onTyping(false)}
    >
      <Label className="only-heard">{text('offer.search')}</Label>
      <svg className="search-sign" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="10.5" cy="10.5" r="6.5" />
        <path d="M15.5 15.5L21 21" />
      </svg>
      {/* A touch opens the on-screen keyboard. A user who uses the Tab key has a real keyboard. */}
      <Input
        ref={field}
        className="content-picker-input"
        onClick={() => onTyping(true)}
        placeholder={text('offer.search')}
        dir="auto"
      />
      {typing ? (
        <Button className="quiet-button" slot={null} onPress={() => onTyping(false)}>
          <Text id="common.close" />
        </Button>
      ) : null}
    </SearchField>
  );
}

function Pages({
  page,
  pages,
  turn,
}: {
  readonly page: number;
  readonly pages: number;
  readonly turn: (page: number) => void;
}) {
  const text = useText();
  if (pages < 2) return null;
  return (
    <div className="pages">
      <Button
        className="pill page-turn"
        aria-label={text('offer.previous')}
        isDisabled={page === 0}
        onPress={() => turn(page - 1)}
      >
        <Arrow />
      </Button>
      <span className="page-at">
        <Text id="offer.page" values={{ at: page + 1, of: pages }} />
      </span>
      <Button
        className="pill page-turn page-next"
        aria-label={text('offer.next')}
        isDisabled={page === pages - 1}
        onPress={() => turn(page + 1)}
      >
        <Arrow />
      </Button>
    </div>
  );
}

function Arrow() {
  return (
    <svg className="arrow" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M15 5l-7 7 7 7" />
    </svg>
  );
}
