/** The protocol of an erasure, on screen and on paper. It does not name the erased people. */
import { Button } from 'react-aria-components';
import type { ErasureProtocol } from '../../../src-main/contract/erasure.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';

type ProtocolProps = { readonly protocol: ErasureProtocol; readonly dated: Clock };

/** The protocol. */
export function ProtocolLines({ protocol, dated }: ProtocolProps) {
  const {
    id,
    at,
    event,
    partner,
    people,
    facts,
    undelivered,
    places,
    platformAsked,
    platform,
    destinations = [],
    team,
    chainHead,
  } = protocol;
  return (
    <div className="protocol" role="status">
      <h3>
        <Text id="protocol.title" values={{ id }} />
      </h3>
      <p>
        {dated(at)} · <bdi>{event}</bdi> · <bdi>{partner}</bdi>
      </p>
      <p>
        <Text id="protocol.erased" values={{ people, facts, undelivered }} />{' '}
        {platformAsked ? <Text id="protocol.platformAsked" /> : null}{' '}
        {platform === undefined ? null : <Text id="protocol.platformSeen" values={platform} />}{' '}
        {team === undefined ? null : <Text id={`protocol.team.${team}`} />}
      </p>
      <ul>
        {places.map(({ place, state, why }) => (
          <li key={place}>
            <bdi className="code">{place}</bdi>: <Text id={`protocol.place.${state}`} />{' '}
            {why === null ? null : <Text id={`protocol.why.${why}`} />}
          </li>
        ))}
        {destinations.map(({ name, state }) => (
          <li key={`${state} ${name}`}>
            <Text id={`protocol.destination.${state}`} values={{ name }} />
          </li>
        ))}
      </ul>
      <p>
        <Text id="protocol.chain" values={{ head: chainHead.slice(0, 16) }} />
      </p>
      <Button className="mini-button" onPress={() => window.print()}>
        <Text id="staff.print" />
      </Button>
    </div>
  );
}
