/**
 * The states of all captured facts, as a sum that adds up, and the reason if delivery is paused.
 *
 * Invariant (docs/laws.md#law-2): the shown states always add up to the number of captured facts.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { HealthNotices, HubNotice } from './health-notices.tsx';
import { RemovalAsks } from './removal-asks.tsx';

/** The sum, the faults of the device, and the reason for a pause if there is one. */
export function DeliverySummary({
  device,
  link,
  technician,
}: {
  readonly device: DeviceState;
  readonly link: Link;
  /** Whether the technician is signed in, who may remove records that the platform no longer has. */
  readonly technician: boolean;
}) {
  const { delivery, hub } = device;
  const { atHub = 0 } = delivery;
  const parts = [
    { state: 'waiting' as const, count: delivery.due + delivery.inFlight, always: true },
    { state: 'uncertain' as const, count: delivery.uncertain, always: false },
    { state: 'atHub' as const, count: atHub, always: hub != null },
    { state: 'sent' as const, count: delivery.sent - atHub, always: false },
    { state: 'confirmed' as const, count: delivery.confirmed, always: true },
    { state: 'parked' as const, count: delivery.parked, always: false },
  ].filter(({ count, always }) => always || count > 0);
  return (
    <div className="summary">
      <ul className="sum">
        <li>
          <strong className="sum-count">
            <Text id="firstSync.count" values={{ count: delivery.captured }} />
          </strong>
          <Text id="delivery.captured" />
        </li>
        {parts.map(({ state, count }) => (
          <li key={state}>
            <strong className="sum-count" data-state={state} data-none={count === 0}>
              <Text id="firstSync.count" values={{ count }} />
            </strong>
            <Text id={`delivery.${state}`} />
          </li>
        ))}
      </ul>
      <HealthNotices device={device} />
      {hub != null && hub.upstream !== 'away' ? <HubNotice device={device} hub={hub} /> : null}
      <RemovalAsks link={link} device={device} technician={technician} />
    </div>
  );
}
