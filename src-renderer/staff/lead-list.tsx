/**
 * The list of leads, drawn only where it is in view: 50,000 lines cost as much as twenty.
 *
 * Invariants: one line is always the chosen one once there are any; arrows, Home, End and Page keys move it;
 * a line that is still on its way keeps its place.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Lead } from '../../src-main/contract/lead.ts';
import type { Clock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import { Avatar, DeliveryWord, LeadName } from './lead-parts.tsx';
import type { Leads } from './use-leads.ts';

type LeadListProps = {
  readonly leads: Leads;
  readonly clock: Clock;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly onView: (view: { first: number; last: number }) => void;
};

const lineHeight = 4.3;

/** The list; `chosen` is the index of the line whose details are on show. */
export function LeadList({ leads, clock, chosen, onChoose, onView }: LeadListProps) {
  const text = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const total = leads.total ?? 0;
  const lines = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight * unitOf(scroller.current),
    overscan: 8,
  });
  const items = lines.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onView({ first, last }), [first, last, onView]);

  const move = (event: KeyboardEvent) => {
    const page = Math.max(last - first - 16, 1);
    const target = {
      ArrowDown: chosen + 1,
      ArrowUp: chosen - 1,
      PageDown: chosen + page,
      PageUp: chosen - page,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (target === undefined || total === 0) return;
    event.preventDefault();
    const index = Math.min(Math.max(target, 0), total - 1);
    onChoose(index);
    lines.scrollToIndex(index);
  };

  const drawn = items.some(({ index }) => index === chosen);
  return (
    <div
      ref={scroller}
      className="lead-list"
      role="listbox"
      tabIndex={0}
      aria-label={text('staff.leads')}
      aria-activedescendant={drawn ? `lead-${chosen}` : undefined}
      onKeyDown={move}
    >
      <div className="lead-lines" role="presentation" style={{ height: lines.getTotalSize() }}>
        {items.map(({ index, start, size }) => (
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
            style={{ transform: `translateY(${start}px)`, height: size }}
            onClick={() => onChoose(index)}
          >
            <Line lead={leads.at(index)} clock={clock} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Line({ lead, clock }: { readonly lead: Lead | null; readonly clock: Clock }) {
  if (!lead) {
    return (
      <span className="lead-waiting">
        <Text id="staff.loading" />
      </span>
    );
  }
  return (
    <>
      <Avatar lead={lead} />
      <span className="lead-cell lead-who" data-undone={lead.undone}>
        <strong>
          <LeadName lead={lead} />
        </strong>
        <span>{lead.name === null ? <Text id="lead.nameFollows" /> : <bdi>{lead.jobTitle}</bdi>}</span>
      </span>
      <span className="lead-cell lead-where">
        <bdi>{lead.company}</bdi>
        <bdi>{lead.place}</bdi>
      </span>
      <span className="lead-cell lead-when">
        <span>{clock(lead.lastAt)}</span>
        <span>
          <Text id="lead.taps" values={{ count: lead.taps }} />
        </span>
      </span>
      <DeliveryWord lead={lead} />
    </>
  );
}

function unitOf(element: Element | null): number {
  return element ? Number.parseFloat(getComputedStyle(element).fontSize) : 15;
}
