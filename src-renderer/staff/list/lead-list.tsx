/**
 * The list of leads. Only visible lines are rendered, so 50,000 lines cost as much as twenty.
 *
 * Invariants:
 * - Arrow, Home, End and Page keys select another line, unless the focus is in a field. If the current lead left the
 *   list, they continue from its former position.
 * - A line that was chosen while it was loading opens after it has loaded.
 * - A line that is still loading keeps its height.
 * - Pressing the initials of a lead, which show a check mark, selects the lead. Pressing anywhere else opens it.
 * - A line mentions only unusual states. A missing rating and a confirmed delivery are not mentioned.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useContext, useEffect, useRef } from 'react';
import type { LeadLine } from '../../../src-main/contract/leads.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useKeys } from '../parts/keys.ts';
import { Avatar, DeliveryWord, HotWord, LeadName, Stars } from '../parts/lead-parts.tsx';
import { usePlaceWords } from '../parts/place-words.ts';
import { ReadsPeopleContext } from '../parts/reads-people-context.ts';
import type { InView, LeadPages } from './use-lead-pages.ts';

type LeadListProps = {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly pages: LeadPages;
  readonly total: number;
  readonly clock: Clock;
  /** Index of the open line, or -1 if it is not among the visible lines. */
  readonly chosen: number;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (lead: string) => void;
  readonly onChoose: (index: number) => void;
  readonly onView: (view: InView) => void;
};

const lineHeight = 4.3;

/** The list. */
export function LeadList(props: LeadListProps) {
  const { scroller, pages, total, clock, chosen, selected, onSelect, onChoose, onView } = props;
  const text = useText();
  const lines = useLines(scroller, total);
  const items = lines.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onView({ first, last }), [first, last, onView]);

  useArrows(scroller);

  // A lead that was just rated may have left a filtered list. The next lead is the one that moved to its position.
  const place = useRef(0);
  if (chosen >= 0) place.current = chosen;
  const left = chosen < 0 && place.current >= first && place.current <= last;

  // If the total differs, it is another list.
  const wanted = useRef<{ readonly index: number; readonly total: number } | null>(null);
  const choose = (index: number) => {
    wanted.current = pages.at(index) === null ? { index, total } : null;
    onChoose(index);
  };
  useEffect(() => {
    if (wanted.current === null || pages.at(wanted.current.index) === null) return;
    const { index, total: of } = wanted.current;
    wanted.current = null;
    if (of === total) onChoose(index);
  }, [pages, total, onChoose]);

  const from = () => wanted.current?.index ?? (left ? place.current : chosen >= 0 ? chosen : first);
  const page = () => {
    const line = lines.getTotalSize() / total;
    return Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / line) - 1, 1);
  };
  const moveTo = (target: number) => {
    const index = Math.min(Math.max(target, 0), total - 1);
    scroller.current?.focus({ preventScroll: true });
    lines.scrollToIndex(index);
    choose(index);
  };
  useKeys({
    ArrowDown: () => moveTo(left ? from() : from() + 1),
    ArrowUp: () => moveTo(from() - 1),
    PageDown: () => moveTo(from() + page()),
    PageUp: () => moveTo(from() - page()),
    Home: () => moveTo(0),
    End: () => moveTo(total - 1),
  });

  const drawn = items.some(({ index }) => index === chosen);
  return (
    <div
      ref={scroller}
      className="lead-list"
      role="listbox"
      tabIndex={0}
      aria-label={text('staff.leads')}
      aria-activedescendant={drawn ? `lead-${chosen}` : undefined}
    >
      <div className="lead-lines" role="presentation" style={{ height: lines.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const lead = pages.at(index);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself listens to the keys
            // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the list (aria-activedescendant)
            <div
              key={index}
              id={`lead-${index}`}
              className="lead-line"
              role="option"
              aria-selected={index === chosen}
              aria-setsize={total}
              aria-posinset={index + 1}
              data-picked={lead !== null && selected.has(lead.id)}
              data-placeless={lead !== null && !lead.company && !lead.place}
              style={{ transform: `translateY(${start}px)`, height: size }}
              onClick={({ target }) => {
                const isPicture = target instanceof Element && target.closest('.lead-picture') !== null;
                if (isPicture && lead) onSelect(lead.id);
                else choose(index);
              }}
            >
              <StillLine lead={lead} clock={clock} picked={lead !== null && selected.has(lead.id)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The rendered lines and their positions. */
function useLines(scroller: LeadListProps['scroller'], count: number) {
  // Computed once instead of for each of 50,000 lines.
  const height = lineHeight * unitOf(scroller.current);
  return useVirtualizer({
    ...{ count, overscan: 2 },
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
  });
}

/** If nothing has the focus, as after sign-in, the list takes it, so that arrow keys work. */
function useArrows(scroller: LeadListProps['scroller']): void {
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [scroller]);
}

type LineProps = { readonly lead: LeadLine | null; readonly clock: Clock; readonly picked: boolean };

/** Rendered again only for another lead, or when the lead has changed. */
const StillLine = memo(Line);

function Line({ lead, clock, picked }: LineProps) {
  const readsNames = useContext(ReadsPeopleContext);
  const placeWords = usePlaceWords();
  if (!lead) {
    return (
      <span className="lead-waiting">
        <Text id="staff.loading" />
      </span>
    );
  }
  return (
    <>
      <span className="lead-picture">
        <Avatar lead={lead} />
        <span className="lead-check" data-on={picked} aria-hidden="true">
          {picked ? '✓' : ''}
        </span>
        {picked ? (
          <span className="only-heard">
            <Text id="list.picked" />
          </span>
        ) : null}
      </span>
      <span className="lead-cell lead-who" data-undone={lead.undone}>
        <strong>
          <LeadName lead={lead} />
        </strong>
        <span>
          {lead.name === null ? (
            <Text id={readsNames ? 'lead.nameFollows' : 'lead.nameless'} />
          ) : (
            <bdi>{lead.jobTitle}</bdi>
          )}
        </span>
      </span>
      <span className="lead-cell lead-where">
        <bdi>{lead.company}</bdi>
        <bdi>{placeWords(lead.place)}</bdi>
      </span>
      <span className="lead-cell lead-worth">
        {lead.rating === null && !lead.hot.is ? null : (
          <span>
            <Stars rating={lead.rating} /> <HotWord hot={lead.hot} />
          </span>
        )}
        {lead.note === null || (lead.rating === null && lead.hot.is) ? null : <bdi>{lead.note}</bdi>}
      </span>
      <span className="lead-cell lead-when">
        <span>
          {clock(lead.lastAt)}
          {lead.taps > 1 ? (
            <>
              {' · '}
              <Text id="list.times" values={{ count: lead.taps }} />
            </>
          ) : null}
        </span>
        {lead.delivery === 'confirmed' && !lead.undone ? null : <DeliveryWord lead={lead} />}
      </span>
    </>
  );
}

function unitOf(element: Element | null): number {
  return element ? Number.parseFloat(getComputedStyle(element).fontSize) : 15;
}
