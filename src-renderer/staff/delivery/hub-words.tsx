/**
 * Messages from the hub to the team, shown on every staff page until dismissed, and the notice that the hub has put
 * this device out of order.
 */
import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';

type HubWordsProps = { readonly link: Link; readonly device: DeviceState };

/** The messages. Empty if there are none. */
export function HubWords({ link, device: { staffMessage, outOfOrder, event } }: HubWordsProps) {
  const clock = useClock(event?.timezone);
  const putAway = useMutation({ mutationFn: () => link.call((client) => client.hub.putAway()) });
  if (staffMessage == null && outOfOrder !== true) return null;
  return (
    <div className="hub-words">
      {outOfOrder === true ? (
        <p className="notice" data-tone="wait">
          <Text id="hub.outOfOrder" />
        </p>
      ) : null}
      {staffMessage == null ? null : (
        <div className="notice" data-tone="again" role="status">
          <p>
            <Text id="hub.says" values={{ time: clock(staffMessage.at) }} /> <bdi>{staffMessage.text}</bdi>
          </p>
          <Button className="staff-button line-button" onPress={() => putAway.mutate()}>
            <Text id="hub.putAway" />
          </Button>
        </div>
      )}
    </div>
  );
}
