/**
 * The people of the stand by company: their number, how many are hot, and the last visit. Staff merge companies by hand.
 *
 * Invariants:
 * - Each company links to its people.
 * - The registered names are kept and shown. Putting people under one company name is an edit of each person.
 */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { CompaniesMerged, Company } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { listOf } from '../address/lead-view.ts';

type CompaniesProps = {
  readonly link: Link;
  /** The event's time zone, IANA name. */
  readonly timezone: string | undefined;
};

const AT_ONCE = 50;
const MOST_CHOSEN = 20;

/** The section. */
export function CompaniesSection({ link, timezone }: CompaniesProps) {
  const text = useText();
  const [search, setSearch] = useState('');
  const [from, setFrom] = useState(0);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const found = useQuery({
    queryKey: ['companies', search, from],
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.companies({ search, offset: from, limit: AT_ONCE }, { signal }),
      ),
    placeholderData: keepPreviousData,
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const { companies = [], total = 0 } = found.data ?? {};
  const toggle = (name: string, on: boolean) =>
    setChosen(on ? [...chosen, name].slice(0, MOST_CHOSEN) : chosen.filter((one) => one !== name));
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.companies" />
          </h1>
          <input
            className="search-input"
            type="search"
            aria-label={text('companies.search')}
            placeholder={text('companies.search')}
            maxLength={200}
            value={search}
            onChange={({ target }) => {
              setSearch(target.value);
              setFrom(0);
            }}
          />
          <a className="mini-button title-end" href={addressOf('leads')}>
            <Text id="companies.people" />
          </a>
        </div>
        <p className="counts" role="status">
          {found.data ? (
            <Text id="companies.counts" values={{ count: total }} />
          ) : (
            <Text id={found.failureCount > 0 ? 'staff.listFailed' : 'staff.loading'} />
          )}
        </p>
        {chosen.length > 0 ? (
          <MergeForm key={chosen.join('\n')} link={link} chosen={chosen} onDone={() => setChosen([])} />
        ) : null}
      </header>
      {found.data !== undefined && total === 0 ? (
        <div className="staff-empty" role="status">
          <h2>
            <Text id="companies.none" />
          </h2>
          <p>
            <Text id={search === '' ? 'companies.noneHint' : 'companies.noneFound'} />
          </p>
        </div>
      ) : null}
      {companies.length > 0 ? (
        <ul className="companies">
          {companies.map((company) => (
            <CompanyLine
              key={company.company}
              company={company}
              timezone={timezone}
              chosen={chosen.includes(company.company)}
              onChoose={(on) => toggle(company.company, on)}
            />
          ))}
          {total > AT_ONCE ? (
            <li className="companies-pages">
              <Button
                className="mini-button"
                isDisabled={from === 0}
                onPress={() => setFrom(Math.max(0, from - AT_ONCE))}
              >
                <Text id="letters.before" />
              </Button>
              <Button
                className="mini-button"
                isDisabled={from + AT_ONCE >= total}
                onPress={() => setFrom(from + AT_ONCE)}
              >
                <Text id="letters.next" />
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </>
  );
}

type LineProps = {
  readonly company: Company;
  readonly timezone: string | undefined;
  readonly chosen: boolean;
  readonly onChoose: (on: boolean) => void;
};

function CompanyLine({
  company: { company, people, hot, lastAt, spellings },
  timezone,
  chosen,
  onChoose,
}: LineProps) {
  const text = useText();
  const clock = useClock(timezone);
  const others = spellings.filter((name) => name !== company);
  return (
    <li className="company-line" data-on={chosen}>
      <label className="company-pick">
        <input
          type="checkbox"
          aria-label={text('companies.choose', { company })}
          checked={chosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </label>
      <a className="company-link" href={listOf({ company })}>
        <strong>
          <bdi>{company}</bdi>
        </strong>
        {others.length > 0 ? (
          <span className="company-others">
            <Text id="companies.also" values={{ names: others.join(' · ') }} />
          </span>
        ) : null}
        <span className="company-figures">
          <Text id="companies.figures" values={{ people, hot, time: clock(lastAt) }} />
        </span>
      </a>
    </li>
  );
}

type MergeProps = {
  readonly link: Link;
  readonly chosen: readonly string[];
  readonly onDone: () => void;
};

/** Puts the people of the chosen companies under one company name. */
function MergeForm({ link, chosen, onDone }: MergeProps) {
  const text = useText();
  const queries = useQueryClient();
  const [into, setInto] = useState(chosen[0] ?? '');
  const [answer, setAnswer] = useState<CompaniesMerged | { readonly kind: 'lost' } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const merge = () => {
    setBusy(true);
    link
      .call((client, signal) => client.leads.mergeCompanies({ companies: [...chosen], into }, { signal }))
      .then(
        (merged) => {
          setAnswer(merged);
          for (const key of ['companies', 'lead', 'leads', 'lead-numbers'])
            void queries.invalidateQueries({ queryKey: [key] });
          if (merged.kind === 'kept') onDone();
        },
        () => setAnswer({ kind: 'lost' }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Form
      className="company-merge"
      onSubmit={(event) => {
        event.preventDefault();
        merge();
      }}
    >
      <label>
        <Text id="companies.into" values={{ count: chosen.length }} />{' '}
        <input
          className="small-field"
          list="chosen-companies"
          maxLength={200}
          value={into}
          onChange={({ target }) => setInto(target.value)}
        />
        <datalist id="chosen-companies">
          {chosen.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <Button type="submit" className="staff-button" isDisabled={isBusy || into.trim() === ''}>
        <Text id="companies.merge" />
      </Button>
      <Button className="mini-button" onPress={onDone}>
        {text('staff.cancel')}
      </Button>
      <span role="status">{answer === null ? null : <Text id={`companies.${answer.kind}`} />}</span>
    </Form>
  );
}
