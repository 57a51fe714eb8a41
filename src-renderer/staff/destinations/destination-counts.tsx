/** The number of leads in each state at each destination. */
import { useQuery } from '@tanstack/react-query';
import type { Destination } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { PauseOf } from './destination-words.tsx';

/** The destinations of the stand, polled at an interval. */
export function useDestinations(link: Link): readonly Destination[] {
  const destinations = useQuery({
    queryKey: ['destinations'],
    queryFn: () => link.call((client, signal) => client.destinations.list(undefined, { signal })),
    refetchInterval: staffTimes.retry,
  });
  return destinations.data ?? [];
}

/** The number of leads that wait for a destination. */
export function waitingIn({ due = 0, in_flight = 0, uncertain = 0 }: Destination['counts']): number {
  return due + in_flight + uncertain;
}

/**
 * The counts that are not zero, and the time of day for which leads wait. An erasure counts like a lead that waits.
 */
export function CountsOf({ destination }: { readonly destination: Destination }) {
  const { counts, erasures, readsBack, waitsUntil } = destination;
  const { sent = 0, confirmed = 0, parked = 0 } = counts;
  const shown = [
    { state: 'confirmed', count: confirmed },
    { state: readsBack ? 'sent' : 'sentUnread', count: sent },
    { state: 'waiting', count: waitingIn(counts) + erasures },
    { state: 'parked', count: parked },
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
  return useDestinations(link).map((destination) => {
    const { id, name, pause, atHub } = destination;
    return (
      <p key={id} className="counts crm-line">
        <a href={addressOf('crm')}>
          <bdi>{name}</bdi>
        </a>
        : <CountsOf destination={destination} />
        {pause === null ? null : (
          <>
            {' '}
            · <PauseOf pause={pause} atHub={atHub} />
          </>
        )}
      </p>
    );
  });
}
