/**
 * The head of the list of leads: search, export, filters, counts.
 *
 * Invariant: a keystroke in the search re-renders only what its answer changes.
 */
import { memo, type RefObject, useCallback, useContext, useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';
import { HealthNotices } from '../delivery/health-notices.tsx';
import { HotRuleLine } from '../hot-rule/hot-rule.tsx';
import { useSettled } from '../parts/facets.ts';
import { OnPhoneContext } from '../parts/on-phone-context.ts';
import { FilterBar, ListChoices } from './filter-bar.tsx';
import { SearchInput } from './search-input.tsx';
import type { LeadPages } from './use-lead-pages.ts';

const Notices = memo(HealthNotices);
const Chips = memo(FilterBar);
const Choices = memo(ListChoices);

/** Whether the rule for hot leads is shown, and the functions that show and hide it. */
export type ShownRule = {
  readonly isShown: boolean;
  readonly open: () => void;
  readonly toggle: () => void;
};

type ListHeadProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly view: LeadView;
  readonly pages: LeadPages;
  readonly rule: ShownRule;
  /** Number of selected leads. */
  readonly selected: number;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Shows another view; `keep` adds a history entry, so that Back returns. */
  readonly show: (change: Partial<LeadView>, keep: boolean) => void;
  /** Shows the result of a search at once. */
  readonly showFound: (view: LeadView) => void;
  /** Ends the search. */
  readonly onDone: () => void;
};

/** The head. */
export function ListHead(props: ListHeadProps) {
  const { link, device, view, pages, rule, selected, search, show, showFound, onDone } = props;
  const searched = useSettled(view.filter.search ?? '');
  const chosen = useChosen(view);
  const onPhone = useContext(OnPhoneContext) !== null;
  const narrow = useCallback(
    ({ filter, ...change }: Partial<LeadView>) => {
      // The text of the field, even while the answer to it is pending.
      const typed = search.current?.value;
      show({ ...change, ...(filter ? { filter: { ...filter, search: typed } } : {}), lead: null }, true);
    },
    [show, search],
  );
  // A wide screen shows these links beside the search. Other screens show them below the filters.
  const ways = (
    <span className="list-ways">
      <a className="mini-button" href={addressOf('worklist')}>
        <Text id="worklist.add" />
      </a>
      {pages.counts?.people ? (
        <a className="mini-button" href={addressOf('companies')}>
          <Text id="staff.companies" />
        </a>
      ) : null}
      {!onPhone && (rule.isShown || pages.counts?.people) ? (
        <Button className="mini-button" aria-expanded={rule.isShown} onPress={rule.toggle}>
          <Text id="hot.rule" />
        </Button>
      ) : null}
    </span>
  );
  return (
    <header className="staff-head">
      <div className="staff-title">
        <h1>
          <Text id="staff.leads" />
        </h1>
        <SearchInput {...{ link, showFound, onDone }} field={search} shown={view.filter.search ?? ''} />
        {ways}
        {onPhone ? null : (
          <Button
            className="staff-button"
            onPress={() => goTo(addressOf('handover', paramsOf({ ...view, lead: null })))}
          >
            <Text
              id="list.export"
              values={{ count: selected > 0 ? selected : (pages.counts?.people ?? 0) }}
            />
          </Button>
        )}
      </div>
      <div className="list-tools">
        <div className="list-chips">
          <Chips link={link} view={chosen} searched={searched} onChange={narrow} />
          <Counts pages={pages} selected={selected} />
        </div>
        <div className="list-line">
          {ways}
          <Choices link={link} view={chosen} searched={searched} onChange={narrow} />
        </div>
      </div>
      {rule.isShown ? <HotRuleLine link={link} /> : null}
      {onPhone ? null : <Notices device={device} />}
    </header>
  );
}

/** The filters without the search. The object stays the same until they change. */
function useChosen({ filter, sort }: LeadView): LeadView {
  const params = paramsOf({ filter: { ...filter, search: undefined }, sort, lead: null }).toString();
  return useMemo(() => viewOf(new URLSearchParams(params)), [params]);
}

/** The counts as text: people, taps and facts are three different numbers. */
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
