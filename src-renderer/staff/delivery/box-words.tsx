/**
 * What the box in the hall has to say to the team, on every page of it, until somebody puts it away; and that it has put this
 * device out of order.
 */
import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';

type BoxWordsProps = { readonly link: Link; readonly device: DeviceState };

/** The words; nothing where there are none. */
export function BoxWords({ link, device: { staffMessage, outOfOrder, event } }: BoxWordsProps) {
  const clock = useClock(event?.timezone);
  const putAway = useMutation({ mutationFn: () => link.call((client) => client.box.putAway()) });
  if (staffMessage == null && outOfOrder !== true) return null;
  return (
    <div className="box-words">
      {outOfOrder === true ? (
        <p className="notice" data-tone="wait">
          <Text id="box.outOfOrder" />
        </p>
      ) : null}
      {staffMessage == null ? null : (
        <div className="notice" data-tone="again" role="status">
          <p>
            <Text id="box.says" values={{ time: clock(staffMessage.at) }} /> <bdi>{staffMessage.text}</bdi>
          </p>
          <Button className="staff-button" onPress={() => putAway.mutate()}>
            <Text id="box.putAway" />
          </Button>
        </div>
      )}
    </div>
  );
}
