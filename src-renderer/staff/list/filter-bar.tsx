/**
 * Filters of the list, as chips with the number of matching people, and the sort order.
 *
 * Invariants:
 * - A chip without matching people is hidden unless it is on; an active chip shows a remove symbol.
 * - The counts apply to the current search and filters, or the bar says that they do not.
 */
import { ToggleButton } from 'react-aria-components';
import { ANSWER_SEPARATOR, NOBODY } from '../../../src-main/contract/lead-filters.ts';
import type { LeadFacets, LeadFilter, LeadSort } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { LeadView } from '../address/lead-view.ts';
import { useDayWords } from '../parts/day-words.ts';
import { useFacets } from '../parts/facets.ts';
import { useLeadWords } from '../parts/lead-words.ts';

const flags = ['hot', 'unrated', 'unknown', 'incomplete', 'undelivered', 'parked', 'undone'] as const;
const sorts: readonly LeadSort[] = ['latest', 'hot', 'name', 'company'];
const mostLabels = 6;

type FilterBarProps = {
  readonly link: Link;
  readonly view: LeadView;
  /** The search text once the user pauses typing. */
  readonly searched: string;
  readonly onChange: (change: Partial<LeadView>) => void;
};

/** The bar. */
export function FilterBar({ link, view, searched, onChange }: FilterBarProps) {
  const words = useLeadWords();
  const { filter } = view;
  const { facets, ofAll } = useFacets(link, filter, searched);
  const set = (change: LeadFilter) => onChange({ filter: { ...filter, ...change } });
  const today = facets?.days[0];
  const labels = facets?.labels.slice(0, mostLabels) ?? [];
  return (
    <div className="filters">
      {today ? (
        <Chip
          on={filter.day === today.value}
          count={today.people}
          onChange={(on) => set({ day: on ? today.value : undefined })}
        >
          <DayWord day={today.value} />
        </Chip>
      ) : null}
      {flags.map((flag) => (
        <Chip
          key={flag}
          on={filter[flag] === true}
          count={facets?.[flag] ?? 0}
          onChange={(on) => set({ [flag]: on ? true : undefined })}
        >
          <Text id={`filter.${flag}`} />
        </Chip>
      ))}
      <Followed filter={filter} count={facets?.people ?? 0} onChange={set} />
      {labels.map(({ value, people }) => {
        const on = filter.labels?.includes(value) ?? false;
        const others = (filter.labels ?? []).filter((label) => label !== value);
        const next = on ? others : [...others, value];
        return (
          <Chip
            key={value}
            on={on}
            count={people}
            onChange={() => set({ labels: next.length > 0 ? next : undefined })}
          >
            <bdi>{words.label(value)}</bdi>
          </Chip>
        );
      })}
      {ofAll && facets ? (
        <span className="filters-of">
          <Text id="filter.ofAll" values={{ count: facets.people }} />
        </span>
      ) : null}
    </div>
  );
}

/** Filters with many values, and the sort order. They are on the same line as the counts. */
export function ListChoices({ link, view, searched, onChange }: FilterBarProps) {
  const text = useText();
  const { filter } = view;
  const { facets } = useFacets(link, filter, searched);
  const set = (change: LeadFilter) => onChange({ filter: { ...filter, ...change } });
  return (
    <>
      <Choices facets={facets} filter={filter} onChange={set} />
      <select
        className="filter-choice filter-sort"
        aria-label={text('list.sort')}
        value={view.sort}
        onChange={({ target }) => {
          const sort = sorts.find((one) => one === target.value);
          if (sort) onChange({ sort });
        }}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {text(`sort.${sort}`)}
          </option>
        ))}
      </select>
    </>
  );
}

type FollowedProps = {
  readonly filter: LeadFilter;
  readonly count: number;
  readonly onChange: (change: LeadFilter) => void;
};

/** Filters that were set by clicking a bar on the statistics page. */
function Followed({ filter, count, onChange }: FollowedProps) {
  const text = useText();
  const words = useLeadWords();
  const dayWords = useDayWords();
  const { hour, rating, company, met, answer, again } = filter;
  const from = Number(hour?.slice(11));
  const [question = '', option = ''] = answer?.split(ANSWER_SEPARATOR) ?? [];
  const followed = {
    hour: hour && text('filter.hour', { day: dayWords(hour.slice(0, 10)), from, to: from + 1 }),
    rating: rating && '★'.repeat(rating),
    company,
    met: met === NOBODY ? text('numbers.nobody') : met,
    answer: answer && words.option(question, option),
    again: again === undefined ? undefined : text(again ? 'numbers.more' : 'numbers.once'),
  };
  return Object.entries(followed).map(([name, said]) =>
    said ? (
      <Chip
        key={name}
        on={true}
        count={count}
        onChange={() =>
          onChange(name === 'again' ? { again: undefined, undone: undefined } : { [name]: undefined })
        }
      >
        <bdi>{said}</bdi>
      </Chip>
    ) : null,
  );
}

type ChipProps = {
  readonly on: boolean;
  readonly count: number;
  readonly onChange: (on: boolean) => void;
  readonly children: React.ReactNode;
};

function Chip({ on, count, onChange, children }: ChipProps) {
  if (!on && count === 0) return null;
  return (
    <ToggleButton className="filter-chip" isSelected={on} onChange={onChange}>
      {children}{' '}
      <span className="chip-count">
        <Text id="firstSync.count" values={{ count }} />
      </span>
    </ToggleButton>
  );
}

/** A day of the event as text; "today" for the current day. */
function DayWord({ day }: { readonly day: string }) {
  const words = useDayWords();
  return day === new Date().toLocaleDateString('sv') ? <Text id="filter.today" /> : words(day);
}

type ChoicesProps = {
  readonly facets: LeadFacets | undefined;
  readonly filter: LeadFilter;
  readonly onChange: (change: LeadFilter) => void;
};

/** Filters with many values: days, consents, contents, staff. */
function Choices({ facets, filter, onChange }: ChoicesProps) {
  const text = useText();
  const words = useLeadWords();
  const dayWords = useDayWords();
  if (!facets) return null;
  const kinds = [
    { name: 'day', values: facets.days, word: dayWords, from: 2 },
    { name: 'consent', values: facets.consents, word: words.consent, from: 1 },
    { name: 'content', values: facets.contents, word: words.content, from: 1 },
    { name: 'staff', values: facets.staff, word: (value: string) => value, from: 1 },
  ] as const;
  return kinds
    .filter(({ name, values, from }) => values.length >= from || filter[name])
    .map(({ name, values, word }) => (
      <select
        key={name}
        className="filter-choice"
        data-on={filter[name] !== undefined}
        aria-label={text(`filter.${name}`)}
        value={filter[name] ?? ''}
        onChange={({ target }) => onChange({ [name]: target.value || undefined })}
      >
        <option value="">{text(`filter.${name}`)}</option>
        {values.map(({ value, people }) => (
          <option key={value} value={value}>
            {`${word(value)} (${people})`}
          </option>
        ))}
      </select>
    ));
}
