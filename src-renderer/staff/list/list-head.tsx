/**
 * The head of the list of leads: search, export, what narrows it, what is counted.
 *
 * Invariant: a key in the search draws nothing anew but what its answer changes.
 */
import { memo, type RefObject, useCallback, useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';
import { HealthNotices } from '../delivery/health-notices.tsx';
import { HotRuleLine } from '../hot-rule/hot-rule.tsx';
import { useSettled } from '../parts/facets.ts';
import { FilterBar, ListChoices } from './filter-bar.tsx';
import { SearchInput } from './search-input.tsx';
import type { LeadPages } from './use-lead-pages.ts';

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
  /** Shows what a search found, at once. */
  readonly showFound: (view: LeadView) => void;
  /** The search is done with. */
  readonly onDone: () => void;
};

/** The head. */
export function ListHead(props: ListHeadProps) {
  const { link, device, view, pages, rule, selected, search, show, showFound, onDone } = props;
  const searched = useSettled(view.filter.search ?? '');
  const chosen = useChosen(view);
  const narrow = useCallback(
    ({ filter, ...change }: Partial<LeadView>) => {
      // What stands in the field, even if its answer is still on its way.
      const typed = search.current?.value;
      show({ ...change, ...(filter ? { filter: { ...filter, search: typed } } : {}), lead: null }, true);
    },
    [show, search],
  );
  return (
    <header className="staff-head">
      <div className="staff-title">
        <h1>
          <Text id="staff.leads" />
        </h1>
        <SearchInput {...{ link, showFound, onDone }} field={search} shown={view.filter.search ?? ''} />
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
