/**
 * All leads of this stand: search, filter, sort, one in detail, by keyboard and by touch.
 *
 * Invariants:
 * - The view is in the URL, so Back works and a link restores it.
 * - One lead is always open if there are any.
 * - Printing prints the selected lead, otherwise the list.
 * - The list says when it is empty, loading or unreadable.
 */
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { currentView, isNarrowed, type LeadView, paramsOf } from '../address/lead-view.ts';
import type { Entry } from '../entry/entry.ts';
import type { Edits } from '../lead/edits.ts';
import { LeadDetail } from '../lead/lead-detail.tsx';
import { useKeys } from '../parts/keys.ts';
import { LeadList } from './lead-list.tsx';
import { ListHead, type ShownRule } from './list-head.tsx';
import { PrintedList } from './printed-list.tsx';
import { type InView, useLeadPages } from './use-lead-pages.ts';
import { useView } from './use-view.ts';

type LeadsSectionProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly entry: Entry;
  readonly edits: Edits;
  readonly params: URLSearchParams;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (lead: string) => void;
};

// A keystroke in the search re-renders only the parts that changed.
const Lines = memo(LeadList);
const Details = memo(LeadDetail);

/** The section. */
export function LeadsSection(props: LeadsSectionProps) {
  const { link, device, entry, edits, params, selected, onSelect } = props;
  const clock = useClock(device.event?.timezone);
  const { view, show, showFound } = useView(params);
  const [inView, setInView] = useState<InView>({ first: 0, last: 0 });
  const rule = useRule();
  const pages = useLeadPages(link, view, inView);
  const search = useRef<HTMLInputElement>(null);
  const list = useListFromTop(view);
  const total = pages.counts?.people ?? 0;
  const open = view.lead ?? pages.at(0)?.id ?? null;
  const detailed = useAfterPaint(open);

  const choose = useCallback(
    (index: number) => {
      const lead = pages.at(index);
      if (lead) show({ lead: lead.id }, false);
    },
    [pages, show],
  );
  useOpened(edits, detailed);
  useLeadKeys({ link, edits, open, onSelect, show, search, list });

  return (
    <>
      <ListHead
        {...{ link, device, view, pages, rule, search, show, showFound }}
        selected={selected.size}
        onDone={() => list.current?.focus()}
      />
      {pages.counts === null ? (
        <p className="staff-empty" role="status">
          <Text id={pages.failed ? 'staff.listFailed' : 'staff.loading'} />
        </p>
      ) : null}
      {pages.counts !== null && total === 0 ? <NoLeads narrowed={isNarrowed(view.filter)} /> : null}
      {total > 0 ? (
        <div className="staff-body" data-one={view.lead !== null}>
          <Lines
            scroller={list}
            pages={pages}
            total={total}
            clock={clock}
            chosen={view.lead === null ? 0 : pages.indexOf(view.lead)}
            selected={selected}
            onSelect={onSelect}
            onChoose={choose}
            onView={setInView}
          />
          {detailed === null ? (
            <div className="detail" />
          ) : (
            <Details
              {...{ link, entry, clock, edits }}
              timezone={device.event?.timezone}
              lead={detailed}
              onWhy={rule.open}
            />
          )}
          <PrintedList pages={pages} total={total} clock={clock} />
        </div>
      ) : null}
    </>
  );
}

/** The hot rule, folded until the user asks for it. */
function useRule(): ShownRule {
  const [isShown, show] = useState(false);
  return { isShown, open: useCallback(() => show(true), []), toggle: () => show(!isShown) };
}

/** Returns `value` only after the previous render was painted: lines first, then details. */
function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(value));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}

/** Reports which lead is open, so that undo is offered only for edits of this lead. */
function useOpened({ opened }: Edits, open: string | null): void {
  useEffect(() => opened(open), [opened, open]);
}

/** The list; it scrolls to its top after a change of order or filter. */
function useListFromTop(view: LeadView): React.RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const listed = paramsOf({ ...view, lead: null }).toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (list.current) list.current.scrollTop = 0;
  }, [listed]);
  return list;
}

type LeadKeys = Pick<LeadsSectionProps, 'link' | 'edits' | 'onSelect'> & {
  readonly open: string | null;
  readonly show: (change: Partial<LeadView>, keep: boolean) => void;
  readonly search: React.RefObject<HTMLInputElement | null>;
  readonly list: React.RefObject<HTMLDivElement | null>;
};

/** 1 to 5 rate, 0 clears the rating, n opens the next unrated, u undoes, x selects, / searches, Escape leaves a field. */
function useLeadKeys({ link, edits, open, onSelect, show, search, list }: LeadKeys): void {
  const rate = (rating: number | null) => () => {
    if (open === null) return undefined;
    const edit = edits.edit(open, { rating });
    return () => void edit.then((made) => made?.kind === 'kept' && edits.undo(made.factId));
  };
  useKeys({
    '0': rate(null),
    '1': rate(1),
    '2': rate(2),
    '3': rate(3),
    '4': rate(4),
    '5': rate(5),
    n: () => {
      const { lead: before } = currentView();
      let isTakenBack = false;
      link
        .call((client, signal) => client.leads.nextUnrated({ after: open }, { signal }))
        .then(
          ({ lead }) => lead !== null && !isTakenBack && show({ lead }, false),
          // If the device is lost, the connection indicator shows it.
          () => undefined,
        );
      return () => {
        isTakenBack = true;
        show({ lead: before }, false);
      };
    },
    u: edits.undoLast,
    x: () => {
      if (open === null) return undefined;
      onSelect(open);
      return () => onSelect(open);
    },
    '/': () => search.current?.select(),
    e: () => writeOn(document.querySelector<HTMLTextAreaElement>('.note-input')),
    Escape: () => list.current?.focus({ preventScroll: true }),
  });
}

/** Focuses a note and puts the caret at its end. */
function writeOn(note: HTMLTextAreaElement | null): void {
  note?.focus();
  note?.setSelectionRange(note.value.length, note.value.length);
}

function NoLeads({ narrowed }: { readonly narrowed: boolean }) {
  return (
    <div className="staff-empty" role="status">
      <h2>
        <Text id={narrowed ? 'staff.noneFound' : 'staff.noneYet'} />
      </h2>
      <p>
        <Text id={narrowed ? 'list.noneFoundHint' : 'staff.noneYetHint'} />
      </p>
    </div>
  );
}
