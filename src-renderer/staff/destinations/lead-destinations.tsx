/** The state of a lead at each destination. Empty without destinations. */
import { useQuery } from '@tanstack/react-query';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { useDestinations } from './destination-counts.tsx';
import { PauseOf } from './destination-words.tsx';
import { Differences } from './field-words.tsx';

/** A part of the page of a lead. */
export function LeadDestinations({ link, lead }: { readonly link: Link; readonly lead: string }) {
  const places = useQuery({
    queryKey: ['lead', lead, 'destinations'],
    queryFn: () => link.call((client, signal) => client.destinations.ofLead({ lead }, { signal })),
    refetchInterval: staffTimes.retry,
  });
  const destinations = useDestinations(link);
  if (places.data === undefined || places.data.length === 0) return null;
  return (
    <section className="detail-part">
      <h3>
        <Text id="staff.crm" />
      </h3>
      <ul>
        {places.data.map(({ id, name, state, reason, why, conflicts, pause, waitsUntil, atHub }) => (
          <li key={id}>
            <a className="crm-link" href={addressOf('crm')}>
              <bdi>{name}</bdi>
            </a>
            : <Text id={`crm.state.${state}`} />
            {reason === null ? null : (
              <>
                {' '}
                · <Text id={`crm.reason.${reason}`} /> <bdi className="choice-hint code">{why}</bdi>
              </>
            )}
            {pause === null ? null : (
              <>
                {' '}
                · <PauseOf pause={pause} atHub={atHub} />
              </>
            )}
            {waitsUntil === null ? null : (
              <>
                {' '}
                · <Text id="crm.waitsUntil" values={{ time: waitsUntil }} />
              </>
            )}
            {(destinations ?? [])
              .filter((one) => one.id === id)
              .map((destination) => (
                <Differences key={id} destination={destination} names={conflicts} />
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
