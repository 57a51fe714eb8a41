/** The number of leads in each state at each destination. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Destination } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { PauseOf } from './destination-words.tsx';

/** The query of the stand's destinations, polled every `everyMs`. */
export function useDestinationsQuery(link: Link, everyMs: number = staffTimes.retry) {
  return useQuery({
    queryKey: ['destinations'],
    queryFn: () => link.call((client, signal) => client.destinations.list(undefined, { signal })),
    refetchInterval: everyMs,
  });
}

/** The destinations of the stand, polled every `everyMs`. Null before the first answer. */
export function useDestinations(link: Link, everyMs?: number): readonly Destination[] | null {
  return useDestinationsQuery(link, everyMs).data ?? null;
}

/**
 * Reads the list of destinations again. The other queries about them follow, but nothing waits for those, because some
 * of them ask the CRM or the hub.
 */
export function refreshDestinations(queries: QueryClient): Promise<void> {
  const queryKey = ['destinations'];
  void queries.invalidateQueries({ queryKey, predicate: (query) => query.queryKey.length > 1 });
  return queries.invalidateQueries({ queryKey, exact: true });
}

/** The number of leads that wait for a destination. */
export function waitingIn({ due = 0, in_flight = 0, uncertain = 0 }: Destination['counts']): number {
  return due + in_flight + uncertain;
}

/** How many things at a destination wait for staff: refused leads, leads to decide about, and an access to mend. */
export function tasksAt({ refused, conflicts, isBroken }: Destination): number {
  return refused + conflicts + (isBroken ? 1 : 0);
}

/**
 * The counts that are not zero, and the time before which no lead is sent. An erasure counts like a lead that waits.
 */
export function CountsOf({ destination }: { readonly destination: Destination }) {
  const { counts, erasures, conflicts, readsBack, waitsUntil } = destination;
  const { sent = 0, confirmed = 0, parked = 0 } = counts;
  const shown = [
    { state: 'confirmed', count: confirmed },
    { state: readsBack ? 'sent' : 'sentUnread', count: sent },
    { state: 'waiting', count: waitingIn(counts) + erasures },
    { state: 'parked', count: parked },
    { state: 'conflicts', count: conflicts },
  ] as const;
  const some = shown.filter(({ count }) => count > 0);
  return (
    <>
      {some.length === 0 ? <Text id="crm.count.none" /> : null}
      {some.map(({ state, count }, at) => (
        <span key={state}>
          {at === 0 ? null : ' · '}
          <span className="crm-count" data-state={state}>
            <Text id={`crm.count.${state}`} values={{ count }} />
          </span>
        </span>
      ))}
      {waitingIn(counts) === 0 || waitsUntil === null ? null : (
        <>
          {' '}
          · <Text id="crm.waitsUntil" values={{ time: waitsUntil }} />
        </>
      )}
    </>
  );
}

/** A line per destination, for the delivery page. Empty without destinations. */
export function DestinationLines({ link }: { readonly link: Link }) {
  return (useDestinations(link) ?? []).map((destination) => {
    const { id, name, pause, isBroken, atHub } = destination;
    return (
      <p key={id} className="counts crm-counts crm-line">
        <a href={addressOf('crm')}>
          <bdi>{name}</bdi>
        </a>
        : <CountsOf destination={destination} />
        {pause === null ? null : (
          <>
            {' '}
            ·{' '}
            <span className="crm-pause" data-tone={isBroken ? 'stop' : 'wait'}>
              <PauseOf pause={pause} atHub={atHub} />
            </span>
          </>
        )}
      </p>
    );
  });
}
