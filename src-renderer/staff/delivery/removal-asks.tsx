/**
 * Records that the platform no longer has, if they are too many to remove without confirmation, and what removing
 * them would do.
 *
 * Invariant: only the technician can confirm, and the losses are shown beside the button.
 */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';

type Ask = DeviceState['mirror']['asks'][number];
type AskProps = { readonly link: Link; readonly ask: Ask; readonly technician: boolean };

/** The questions, one per kind of record. */
export function RemovalAsks({ device, ...props }: Omit<AskProps, 'ask'> & { readonly device: DeviceState }) {
  return device.mirror.asks.map((ask) => <RemovalAsk key={ask.name} ask={ask} {...props} />);
}

function RemovalAsk({ link, ask: { name, wouldRemove }, technician }: AskProps) {
  const loss = useQuery({
    queryKey: ['lead', 'removal', name, wouldRemove],
    queryFn: () => link.call((client, signal) => client.delivery.removal({ resource: name }, { signal })),
  });
  return (
    <div className="notice" data-tone="quiet">
      <p>
        <Text id="asks.notice" values={{ count: wouldRemove, resource: name }} />{' '}
        {loss.data ? <Text id="asks.lost" values={{ leads: loss.data.leads }} /> : null}{' '}
        {technician ? null : <Text id="asks.technician" />}
      </p>
      {technician ? (
        <Button
          className="staff-button"
          onPress={() => {
            // The device drops the question once it is confirmed. If the device is lost, the connection indicator
            // shows it.
            link
              .call((client, signal) => client.mirror.approveRemoval({ resource: name }, { signal }))
              .catch(() => undefined);
          }}
        >
          <Text id="asks.approve" />
        </Button>
      ) : null}
    </div>
  );
}
