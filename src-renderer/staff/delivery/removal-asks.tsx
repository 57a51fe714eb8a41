/**
 * Records that the platform has no longer and that were too many to believe it: what a yes takes with it here.
 *
 * Invariant: the yes is the technician's, and what will be lost stands beside it.
 */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';

type Ask = DeviceState['mirror']['asks'][number];
type AskProps = { readonly link: Link; readonly ask: Ask; readonly technician: boolean };

/** The questions, one for each kind of record. */
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
            // The device tells of the approval by asking no longer; a lost device shows itself.
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
