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

/** The counts as a sentence. An erasure that waits counts like a lead that waits. */
export function CountsOf({ counts, erasures }: Pick<Destination, 'counts' | 'erasures'>) {
  const { sent = 0, confirmed = 0, parked = 0 } = counts;
  return <Text id="crm.counts" values={{ waiting: waitingIn(counts) + erasures, sent, confirmed, parked }} />;
}

/** A line per destination, for the delivery page. Empty without destinations. */
export function DestinationLines({ link }: { readonly link: Link }) {
  return useDestinations(link).map(({ id, name, counts, erasures, pause, atHub }) => (
    <p key={id} className="counts">
      <a href={addressOf('crm')}>
        <bdi>{name}</bdi>
      </a>
      : <CountsOf counts={counts} erasures={erasures} />{' '}
      {pause === null ? null : <PauseOf pause={pause} atHub={atHub} />}
    </p>
  ));
}
