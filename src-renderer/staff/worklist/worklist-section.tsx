/**
 * Open decisions: badges without a person, refused codes, and people without a badge. Links lead to the list with the
 * leads that are unrated, undelivered or parked.
 *
 * Invariants:
 * - Nothing here is deleted.
 * - Assigning a badge can be undone.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { LeadLine, RefusedEntry } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { type Clock, useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { listOf } from '../address/lead-view.ts';
import type { Edits } from '../lead/edits.ts';
import { useAllFacets } from '../parts/facets.ts';
import { Avatar, LeadName } from '../parts/lead-parts.tsx';
import { ReadsPeopleContext } from '../parts/reads-people-context.ts';
import { AddPerson } from './add-person.tsx';
import { PersonSearch } from './person-search.tsx';

/** The filters of the links to the list. */
const elsewhere = ['unrated', 'undelivered', 'parked'] as const;

type WorklistProps = { readonly link: Link; readonly device: DeviceState; readonly edits: Edits };

/** The section. */
export function WorklistSection({ link, device, edits }: WorklistProps) {
  const hint = useContext(ReadsPeopleContext) ? 'worklist.unknownHint' : 'worklist.namelessHint';
  const text = useText();
  const clock = useClock(device.event?.timezone);
  const { opened } = edits;
  useEffect(() => opened(null), [opened]);
  const found = useQuery({
    queryKey: ['worklist'],
    queryFn: () => link.call((client, signal) => client.leads.worklist(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const { unknown = [], refused = [] } = found.data ?? {};
  const facets = useAllFacets(link);
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.worklist" />
          </h1>
        </div>
        <p className="counts" role="status">
          {found.data ? (
            <Text
              id="worklist.counts"
              values={{ unknown: facets?.unknown ?? unknown.length, refused: refused.length }}
            />
          ) : (
            <Text id={found.failureCount > 0 ? 'staff.listFailed' : 'staff.loading'} />
          )}{' '}
          {edits.answer === null ? null : (
            <>
              {'· '}
              <Text id={`edit.${edits.answer}`} />{' '}
            </>
          )}
          {edits.canUndo ? (
            <Button className="mini-button" aria-label={text('edit.undoLast')} onPress={edits.undoLast}>
              <Text id="edit.undo" />
            </Button>
          ) : null}
        </p>
        <nav className="filters" aria-label={text('staff.leads')}>
          {elsewhere.map((flag) =>
            facets && facets[flag] > 0 ? (
              <a key={flag} className="filter-chip" href={listOf({ [flag]: true })}>
                <Text id={`filter.${flag}`} />{' '}
                <span className="chip-count">
                  <Text id="firstSync.count" values={{ count: facets[flag] }} />
                </span>
              </a>
            ) : null,
          )}
        </nav>
      </header>
      <div className="cards-page">
        <section className="staff-card">
          <h2>
            <Text id="worklist.unknown" />
          </h2>
          <p>
            <Text id={unknown.length > 0 ? hint : 'worklist.unknownNone'} />{' '}
            {facets && facets.unknown > unknown.length ? (
              <Text id="worklist.latest" values={{ count: unknown.length }} />
            ) : null}
          </p>
          <ul className="work-lines">
            {unknown.map((lead) => (
              <UnknownLine key={lead.id} link={link} lead={lead} clock={clock} edits={edits} />
            ))}
          </ul>
        </section>
        <div className="cards-column">
          <AddPerson link={link} edits={edits} />
          <section className="staff-card">
            <h2>
              <Text id="worklist.refused" />
            </h2>
            <p>
              <Text id={refused.length > 0 ? 'worklist.refusedHint' : 'worklist.refusedNone'} />
            </p>
            <ul className="work-lines">
              {refused.map((entry) => (
                <RefusedLine key={entry.id} link={link} entry={entry} clock={clock} />
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}

type UnknownProps = {
  readonly link: Link;
  readonly lead: LeadLine;
  readonly clock: Clock;
  readonly edits: Edits;
};

function UnknownLine({ link, lead, clock, edits }: UnknownProps) {
  const [searching, setSearching] = useState(false);
  return (
    <li>
      <div className="work-line">
        <Avatar lead={lead} />
        <a className="lead-cell" href={addressOf('leads', new URLSearchParams({ lead: lead.id }))}>
          <strong>
            <LeadName lead={lead} />
          </strong>
          <span>
            {clock(lead.lastAt)} · <Text id="lead.taps" values={{ count: lead.taps }} />
          </span>
        </a>
        <Button className="staff-button line-button" onPress={() => setSearching(!searching)}>
          <Text id={searching ? 'staff.cancel' : 'worklist.attach'} />
        </Button>
      </div>
      {searching ? (
        <PersonSearch
          link={link}
          onChoose={({ visitor, lead: into }) => {
            setSearching(false);
            void edits.run((to) =>
              to.call((client, signal) =>
                visitor === null
                  ? client.leads.merge({ lead: lead.id, into: into ?? '' }, { signal })
                  : client.leads.attach({ lead: lead.id, visitor }, { signal }),
              ),
            );
          }}
        />
      ) : null}
    </li>
  );
}

type RefusedProps = { readonly link: Link; readonly entry: RefusedEntry; readonly clock: Clock };

function RefusedLine({ link, entry, clock }: RefusedProps) {
  const queries = useQueryClient();
  return (
    <li className="work-line">
      <span className="lead-cell">
        <bdi className="code">{entry.text}</bdi>
        <span>
          {clock(entry.at)} · <Text id={`source.${entry.source}`} /> ·{' '}
          <Text id="worklist.reason" values={{ reason: entry.reason }} />
        </span>
      </span>
      <Button
        className="staff-button line-button"
        onPress={() => {
          link
            .call((client, signal) => client.leads.settle({ id: entry.id, settled: true }, { signal }))
            .finally(() => {
              for (const key of ['worklist', 'lead-facets'])
                void queries.invalidateQueries({ queryKey: [key] });
            })
            // If the device is lost, the connection indicator shows it.
            .catch(() => undefined);
        }}
      >
        <Text id="worklist.settled" />
      </Button>
    </li>
  );
}
