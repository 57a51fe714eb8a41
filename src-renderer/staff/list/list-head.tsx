/**
 * The head of the list of leads: search, export, what narrows it, what is counted.
 *
 * Invariants: what is typed is asked for before it is drawn; a key in the search draws anew only what it changes.
 */
import { memo, type RefObject, useCallback, useMemo } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { currentView, type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';
import { HealthNotices } from '../delivery/health-notices.tsx';
import { HotRuleLine } from '../hot-rule/hot-rule.tsx';
import { useSettled } from '../parts/facets.ts';
import { FilterBar, ListChoices } from './filter-bar.tsx';
import { type LeadPages, useAskAhead } from './use-lead-pages.ts';

const Notices = memo(HealthNotices);
const Chips = memo(FilterBar);
const Choices = memo(ListChoices);

/** Whether the rule of hot is shown, and how that changes. */
export type ShownRule = {
  readonly isShown: boolean;
  readonly open: () => void;
  /** Null where it stays. */
  readonly close: (() => void) | null;
};

type ListHeadProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly view: LeadView;
  readonly pages: LeadPages;
  readonly rule: ShownRule;
  /** How many leads are selected. */
  readonly selected: number;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Shows another view; `keep`: as a step of its own that Back returns from. */
  readonly show: (change: Partial<LeadView>, keep: boolean) => void;
  /** The search is done with. */
  readonly onDone: () => void;
};

/** The head. */
export function ListHead(props: ListHeadProps) {
  const { link, device, view, pages, rule, selected, search, show, onDone } = props;
  const searched = useSettled(view.filter.search ?? '');
  const askAhead = useAskAhead(link);
  const chosen = useChosen(view);
  const narrow = useCallback(
    ({ filter, ...change }: Partial<LeadView>) => {
      const typed = currentView().filter.search;
      show({ ...change, ...(filter ? { filter: { ...filter, search: typed } } : {}), lead: null }, true);
    },
    [show],
  );
  return (
    <header className="staff-head">
      <div className="staff-title">
        <h1>
          <Text id="staff.leads" />
        </h1>
        <Search
          field={search}
          value={view.filter.search ?? ''}
          onChange={(typed) => {
            const narrowed = viewOf(
              paramsOf({ ...view, filter: { ...view.filter, search: typed }, lead: null }),
            );
            askAhead(narrowed);
            show(narrowed, false);
          }}
          onDone={onDone}
        />
        <Button
          className="staff-button"
          onPress={() => goTo(addressOf('handover', paramsOf({ ...view, lead: null })))}
        >
          <Text id="list.export" values={{ count: selected > 0 ? selected : (pages.counts?.people ?? 0) }} />
        </Button>
      </div>
      <Chips link={link} view={chosen} searched={searched} onChange={narrow} />
      <div className="list-line">
        <Counts pages={pages} selected={selected} />
        {rule.isShown || !pages.counts?.people ? null : (
          <Button className="mini-button" onPress={rule.open}>
            <Text id="hot.rule" />
          </Button>
        )}
        <Choices link={link} view={chosen} searched={searched} onChange={narrow} />
      </div>
      {rule.isShown ? <HotRuleLine link={link} onClose={rule.close} /> : null}
      <Notices device={device} />
    </header>
  );
}

/** What the list is narrowed to besides the search: the same object until it changes. */
function useChosen({ filter, sort }: LeadView): LeadView {
  const params = paramsOf({ filter: { ...filter, search: undefined }, sort, lead: null }).toString();
  return useMemo(() => viewOf(new URLSearchParams(params)), [params]);
}

type SearchProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (typed: string) => void;
  readonly onDone: () => void;
};

function Search({ field, value, onChange, onDone }: SearchProps) {
  const text = useText();
  return (
    <SearchField className="search" value={value} maxLength={200} onChange={onChange} onSubmit={onDone}>
      <Label className="only-heard">{text('list.search')}</Label>
      <Input ref={field} className="search-input" placeholder={text('list.search')} />
    </SearchField>
  );
}

/** What is counted, said: people, taps and facts are three numbers. */
function Counts({ pages, selected }: { readonly pages: LeadPages; readonly selected: number }) {
  const { counts, ready } = pages;
  return (
    <p className="counts" role="status">
      {counts === null ? null : <Text id="list.counts" values={counts} />}
      {selected > 0 ? (
        <strong>
          {' · '}
          <Text id="list.selected" values={{ count: selected }} />
        </strong>
      ) : null}
      {ready ? null : (
        <>
          {' · '}
          <Text id="list.reading" />
        </>
      )}
    </p>
  );
}
