/**
 * Leads in a CRM or at a webhook: connect it, map fields, test, send, resolve conflicts.
 *
 * Invariants:
 * - Nothing is sent before the user has chosen when to send, or which leads.
 * - A token is typed here and never shown again.
 * - Every refusal is shown as text beside the item it concerns.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Destination, PlannedPush } from '../../../src-main/contract/destinations.ts';
import type { LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { destinationTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { ConflictPart } from './conflict-part.tsx';
import { AccessForm, ConnectCard } from './connect-card.tsx';
import { CountsOf, refreshDestinations, useDestinations, waitingIn } from './destination-counts.tsx';
import { PauseOf } from './destination-words.tsx';
import { Differences, Properties } from './field-words.tsx';
import { MappingPart } from './mapping-part.tsx';
import { OfferedCard } from './offered-card.tsx';
import { RulePart } from './rule-part.tsx';

type SectionProps = { readonly link: Link; readonly selected: ReadonlySet<string> };

/** The section. */
export function DestinationsSection({ link, selected }: SectionProps) {
  const destinations = useDestinations(link);
  const lost = useQuery({
    queryKey: ['destinations', 'lost'],
    queryFn: () => link.call((client, signal) => client.destinations.lost(undefined, { signal })),
  });
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.crm" />
          </h1>
        </div>
        <p className="counts">
          <Text id="crm.hint" />
        </p>
      </header>
      <div className="cards-page">
        {lost.data === true ? (
          <p className="notice" data-tone="wait" role="status">
            <Text id="crm.lost" />
          </p>
        ) : null}
        {(destinations ?? []).map((destination) => (
          <DestinationCard key={destination.id} {...{ link, destination, selected }} />
        ))}
        <OfferedCard link={link} />
        <ConnectCard link={link} />
      </div>
    </>
  );
}

type CardProps = {
  readonly link: Link;
  readonly destination: Destination;
  readonly selected: ReadonlySet<string>;
};

function DestinationCard({ link, destination, selected }: CardProps) {
  const { id, name, host, counts, erasures, pause, isBroken, conflicts, atHub, scopes } = destination;
  const isNew = Object.values(counts).every((count) => count === 0);
  const [asked, setAsked] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const isRefused = !atHub && (pause === 'keyRefused' || pause === 'keyMissing');
  const queries = useQueryClient();
  const refresh = () => refreshDestinations(queries);
  const test = useMutation({
    mutationFn: () =>
      link.call((client, signal) => client.destinations.test({ id }, { signal }), destinationTimes.ask),
  });
  const forget = useMutation({
    mutationFn: () => link.call((client, signal) => client.destinations.forget({ id }, { signal })),
    onSettled: refresh,
  });
  return (
    <section className="staff-card crm-card" aria-label={name}>
      <h2>
        <bdi>{name}</bdi> {host === name ? null : <span className="choice-hint code">{host}</span>}
      </h2>
      <p className="crm-counts" role="status">
        <CountsOf destination={destination} />
      </p>
      {atHub ? (
        <p className="choice-hint">
          <Text id="crm.atHub" />
        </p>
      ) : null}
      {pause === null ? null : (
        <p className="notice" data-tone={isBroken ? 'stop' : 'wait'}>
          <PauseOf pause={pause} atHub={atHub} />
          {pause === 'forbidden' ? <span className="code"> {scopes.join(', ')}</span> : null}
        </p>
      )}
      {isReplacing || isRefused ? <AccessForm link={link} replaced={destination} /> : null}
      {isNew && pause === null ? (
        <p className="choice-hint">
          <Text id="crm.next" />
        </p>
      ) : null}
      {conflicts > 0 ? <ConflictPart link={link} destination={destination} /> : null}
      {(counts.parked ?? 0) > 0 ? (
        <ParkedPart link={link} destination={destination} onRetried={refresh} />
      ) : null}
      <MappingPart link={link} destination={destination} onSaved={refresh} />
      <RulePart link={link} destination={destination} onSaved={refresh} />
      <SendPart link={link} destination={destination} selected={selected} />
      {asked && waitingIn(counts) + erasures > 0 ? (
        <p className="notice" data-tone="wait" role="status">
          <Text id="crm.forgetWaiting" values={{ leads: waitingIn(counts), erasures }} />
        </p>
      ) : null}
      <div className="crm-part crm-ways">
        <Button className="mini-button" isDisabled={test.isPending} onPress={() => test.mutate()}>
          <Text id="crm.test" />
        </Button>
        {atHub || isRefused ? null : (
          <Button
            className="mini-button"
            aria-expanded={isReplacing}
            onPress={() => setReplacing(!isReplacing)}
          >
            <Text id="crm.replace" />
          </Button>
        )}
        {asked ? (
          <>
            <Button
              className="staff-button danger-button"
              isDisabled={forget.isPending}
              onPress={() => forget.mutate()}
            >
              <Text id={atHub ? 'crm.forgetStates' : 'crm.forgetReally'} />
            </Button>
            <Button className="mini-button" onPress={() => setAsked(false)}>
              <Text id="staff.cancel" />
            </Button>
          </>
        ) : (
          <Button className="mini-button" onPress={() => setAsked(true)}>
            <Text id="crm.forget" />
          </Button>
        )}
        <span role="status">
          {test.isPending ? <Text id="crm.asking" /> : null}
          {test.isError ? <Text id="crm.noAnswer" /> : null}
          {test.data === undefined ? null : test.data.pause === null ? (
            <Text id="crm.works" />
          ) : (
            <PauseOf pause={test.data.pause} atHub={atHub} />
          )}
        </span>
      </div>
    </section>
  );
}

const WHICH = ['hot', 'all', 'selected'] as const;
type Which = (typeof WHICH)[number];

/** Sends leads by hand, after a dry run if the user wishes. */
function SendPart({ link, destination, selected }: CardProps) {
  const { id, counts, waitsUntil, atHub } = destination;
  const [which, setWhich] = useState<Which>(selected.size > 0 ? 'selected' : 'hot');
  const [isDone, setDone] = useState(false);
  const text = useText();
  const queries = useQueryClient();
  const filters: Readonly<Record<Which, LeadFilter>> = {
    hot: { hot: true },
    all: {},
    selected: { ids: [...selected] },
  };
  const input = { id, filter: { ...filters[which], undone: false } };
  const dry = useMutation({
    mutationFn: () =>
      link.call((client, signal) => client.destinations.dryRun(input, { signal }), destinationTimes.ask),
  });
  const send = useMutation({
    mutationFn: () =>
      link.call((client, signal) => client.destinations.send(input, { signal }), destinationTimes.ask),
    onMutate: () => setDone(false),
    // What the dry run said is no longer true.
    onSuccess: dry.reset,
    onSettled: () => refreshDestinations(queries),
  });
  // Leads that wait from then on are not those of this send.
  if (send.isSuccess && !isDone && waitingIn(counts) === 0) setDone(true);
  return (
    <div className="crm-part">
      <div className="crm-ways">
        <label className="choice">
          <Text id="crm.which" />
          <select
            className="small-field"
            value={which}
            onChange={({ target }) => {
              setWhich(WHICH.find((one) => one === target.value) ?? 'hot');
              dry.reset();
              send.reset();
            }}
          >
            {WHICH.filter((one) => one !== 'selected' || selected.size > 0).map((one) => (
              <option key={one} value={one}>
                {text(`crm.which.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Button className="staff-button line-button" isDisabled={dry.isPending} onPress={() => dry.mutate()}>
          <Text id="crm.dryRun" />
        </Button>
        <Button className="staff-button" isDisabled={send.isPending} onPress={() => send.mutate()}>
          <Text id="crm.send" />
        </Button>
        <span role="status">
          {dry.isPending ? <Text id="crm.asking" /> : null}
          {send.isSuccess && (!isDone || send.data.queued === 0) ? (
            <Text id="crm.queued" values={{ queued: send.data.queued }} />
          ) : null}{' '}
          {send.isSuccess && send.data.skipped + send.data.unchanged > 0 ? (
            <Text id="crm.notQueued" values={send.data} />
          ) : null}{' '}
          {send.isSuccess && !isDone && waitsUntil !== null ? (
            <Text id="crm.waitsUntil" values={{ time: waitsUntil }} />
          ) : null}
          {send.isError || dry.isError ? <Text id="crm.failed" /> : null}
        </span>
      </div>
      {dry.data === undefined ? null : dry.data.pause !== null ? (
        <p className="notice" data-tone="wait" role="status">
          <PauseOf pause={dry.data.pause} atHub={atHub} />
        </p>
      ) : (
        <DryRun destination={destination} planned={dry.data.planned} total={dry.data.total} />
      )}
    </div>
  );
}

type DryRunProps = {
  readonly destination: Destination;
  readonly planned: readonly PlannedPush[];
  readonly total: number;
};

/** What sending would do, lead by lead. */
function DryRun({ destination, planned, total }: DryRunProps) {
  const { readsBack } = destination;
  return (
    <>
      <p role="status">
        <Text id={readsBack ? 'crm.planned' : 'crm.plannedUnread'} values={countsOf(planned)} />{' '}
        {planned.length < total ? (
          <Text id="crm.plannedFirst" values={{ shown: planned.length, total }} />
        ) : null}
      </p>
      {planned.length === 0 ? null : (
        <div className="crm-table crm-plan-table">
          <table>
            <thead>
              <tr>
                <th>
                  <Text id="crm.lead" />
                </th>
                <th>
                  <Text id="crm.effect" />
                </th>
                <th>
                  <Text id="crm.detail" />
                </th>
              </tr>
            </thead>
            <tbody>
              {planned.map(({ lead, name, does, reason, writes, conflicts, unknownOwner }) => (
                <tr key={lead}>
                  <td>
                    <bdi>{name ?? <Text id="lead.nobody" />}</bdi>
                  </td>
                  <td>
                    <Text id={`crm.${readsBack ? 'does' : 'doesUnread'}.${does}`} />
                  </td>
                  <td>
                    {reason === null ? null : <Text id={`crm.reason.${reason}`} />}
                    <Properties destination={destination} names={writes} />
                    <Differences destination={destination} names={conflicts} />
                    {unknownOwner === null ? null : (
                      <span className="crm-differs">
                        <Text id="crm.noOwner" values={{ email: unknownOwner }} />
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function countsOf(planned: readonly PlannedPush[]): Record<PlannedPush['does'], number> {
  const counts = { create: 0, update: 0, nothing: 0, skip: 0 };
  for (const { does } of planned) counts[does] += 1;
  return counts;
}

type ParkedProps = {
  readonly link: Link;
  readonly destination: Destination;
  readonly onRetried: () => Promise<void>;
};

/** Leads that the destination refused, in plain words. */
function ParkedPart({ link, destination: { id, counts }, onRetried }: ParkedProps) {
  const parked = useQuery({
    queryKey: ['destinations', id, 'parked', counts.parked],
    queryFn: () => link.call((client, signal) => client.destinations.parked({ id }, { signal })),
  });
  const retry = useMutation({
    mutationFn: (lead: string | null) =>
      link.call((client, signal) =>
        client.destinations.retry({ id, ...(lead === null ? {} : { lead }) }, { signal }),
      ),
    onSettled: onRetried,
  });
  return (
    <div className="crm-part">
      <h3>
        <Text id="crm.parked" />{' '}
        <Button className="mini-button" isDisabled={retry.isPending} onPress={() => retry.mutate(null)}>
          <Text id="delivery.retryAll" />
        </Button>
      </h3>
      <p role="status">
        {retry.data !== undefined && retry.data.leftOut > 0 ? (
          <Text id="crm.leftOut" values={{ count: retry.data.leftOut }} />
        ) : null}
        {retry.isError ? <Text id="crm.failed" /> : null}
      </p>
      <ul className="crm-plan">
        {(parked.data ?? []).map(({ lead, name, reason, why }) => (
          <li key={lead}>
            <a className="crm-link" href={addressOf('leads', new URLSearchParams({ lead }))}>
              <bdi>{name ?? <Text id="lead.nobody" />}</bdi>
            </a>
            : <Text id={`crm.reason.${reason}`} /> <bdi className="choice-hint code">{why}</bdi>{' '}
            <Button className="mini-button" isDisabled={retry.isPending} onPress={() => retry.mutate(lead)}>
              <Text id={reason === 'deletedThere' ? 'crm.createAgain' : 'delivery.retry'} />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
