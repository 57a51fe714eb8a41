/** Destinations whose token is at the hub. Each one is connected with one press. Empty if the hub offers none. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { destinationTimes, staffTimes } from '../../times.ts';
import { refreshDestinations } from './destination-counts.tsx';
import { PauseOf, RefusalOf } from './destination-words.tsx';

/** The card. */
export function OfferedCard({ link }: { readonly link: Link }) {
  const text = useText();
  const queries = useQueryClient();
  const offered = useQuery({
    queryKey: ['destinations', 'offered'],
    queryFn: () => link.call((client, signal) => client.destinations.offered(undefined, { signal })),
    refetchInterval: staffTimes.retry,
  });
  const connect = useMutation({
    mutationFn: (id: string) =>
      link.call(
        (client, signal) => client.destinations.connectOffered({ id }, { signal }),
        destinationTimes.ask,
      ),
    onSettled: () => refreshDestinations(queries),
  });
  const { offers = [], fault = null } = offered.data ?? {};
  const { data } = connect;
  // When the last offer is connected, its own card says what comes next.
  const isRefused = connect.isError || (data !== undefined && data.kind !== 'connected');
  if (offers.length === 0 && fault === null && !isRefused) return null;
  return (
    <section className="staff-card" aria-label={text('crm.offered')}>
      <h2>
        <Text id="crm.offered" />
      </h2>
      <p className="choice-hint">
        <Text id="crm.offeredHint" />
      </p>
      {fault === null ? null : (
        <p className="notice" data-tone="wait">
          <PauseOf pause={fault} atHub />
        </p>
      )}
      {offers.map(({ id, name, host }) => (
        <div key={id} className="crm-ways">
          <bdi>{name}</bdi> <span className="choice-hint code">{host}</span>
          <Button
            className="staff-button"
            aria-label={text('crm.connectOffered', { name })}
            isDisabled={connect.isPending}
            onPress={() => connect.mutate(id)}
          >
            <Text id="crm.connectHere" />
          </Button>
        </div>
      ))}
      <p role="status">
        {data?.kind === 'connected' ? <Text id="crm.connected" /> : null}
        {data?.kind === 'refused' ? <RefusalOf pause={data.pause} atHub /> : null}
        {data?.kind === 'failed' || connect.isError ? <Text id="crm.failed" /> : null}
      </p>
    </section>
  );
}
