/**
 * Notices for staff about this device's health, in plain words. They report faults, missing rights, settings that have
 * no effect, a wrong clock, another device on a copy of this data folder, possible duplicates at the platform, badges
 * that were only partly read, the reason for a pause, and a hub that cannot reach the platform.
 *
 * Invariant: a healthy device shows nothing.
 */

import type { DeviceState } from '../../../src-main/contract/device.ts';
import { faultOf } from '../../device/fault.ts';
import { readsPeople } from '../../device/reads-people.ts';
import { useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { PauseWords } from '../parts/pause-words.tsx';

/** All notices that apply. */
export function HealthNotices({ device }: { readonly device: DeviceState }) {
  const { assignmentFault, clock, lostNdef = 0 } = device;
  const fault = faultOf(device);
  const { possiblyTwice = 0 } = device.delivery;
  return (
    <>
      {fault ? (
        <p className="notice" data-tone="stop">
          <Text id={`fault.${fault}`} /> <span className="notice-code">{fault}</span>
        </p>
      ) : null}
      {assignmentFault?.kind === 'missing' ? (
        <p className="notice" data-tone="stop">
          <Text id="health.touchpointMissing" values={{ touchpoint: assignmentFault.touchpoint }} />
        </p>
      ) : null}
      {assignmentFault?.kind === 'unknownPurpose' ? (
        <p className="notice" data-tone="stop">
          <Text
            id="health.unknownPurpose"
            values={{ touchpoint: assignmentFault.touchpoint, word: assignmentFault.purpose }}
          />
        </p>
      ) : null}
      <MissingRights device={device} />
      {clock.platformDoubted ? (
        <p className="notice" data-tone="wait">
          <Text id="health.clockOff" values={{ kind: 'doubted', seconds: 0 }} />
        </p>
      ) : null}
      {clock.suspect ? (
        <p className="notice" data-tone="wait">
          <Text id="health.clock" />
        </p>
      ) : null}
      {possiblyTwice > 0 ? (
        <p className="notice" data-tone="wait">
          <Text id="health.possiblyTwice" values={{ count: possiblyTwice }} />
        </p>
      ) : null}
      {lostNdef > 0 ? (
        <p className="notice" data-tone="quiet">
          <Text id="health.lostNdef" values={{ count: lostNdef }} />
        </p>
      ) : null}
      {device.delivery.pause ? (
        <p className="notice" data-tone="wait">
          <PauseWords pause={device.delivery.pause} hub={device.hub} />
        </p>
      ) : null}
      {device.hub?.alsoSentBy?.map(({ device: other, facts }) => (
        <p key={other} className="notice" data-tone="stop">
          <Text id="hub.alsoSentBy" values={{ device: other, count: facts }} />
        </p>
      ))}
      {device.hub?.upstream === 'away' ? <HubNotice device={device} hub={device.hub} /> : null}
    </>
  );
}

type HubNoticeProps = {
  readonly device: DeviceState;
  readonly hub: NonNullable<DeviceState['hub']>;
};

/** The hub of this device, and whether it reaches the platform. Empty while delivery is paused. */
export function HubNotice({ device, hub: { name, upstream, since } }: HubNoticeProps) {
  const clock = useClock(device.event?.timezone);
  const time = since === null ? '' : clock(since);
  if (device.delivery.pause !== null) return null;
  return (
    <p className="notice" data-tone={upstream === 'away' ? 'wait' : 'quiet'}>
      <Text id={`hub.${upstream}`} values={{ name, time, since: since === null ? 'none' : 'known' }} />
    </p>
  );
}

/** Lists that the key may no longer read, and the list of visitors if it may not read that. */
function MissingRights({ device }: { readonly device: DeviceState }) {
  const text = useText();
  const refused = device.mirror.resources.filter((resource) => resource.refused === true);
  const lost = refused.filter(({ complete }) => complete);
  return (
    <>
      {lost.length > 0 ? (
        <p className="notice" data-tone="wait">
          <Text
            id="health.lostRight"
            values={{ what: lost.map(({ name }) => text('setup.lacks', { what: name })).join(', ') }}
          />
        </p>
      ) : null}
      {readsPeople(device) ? null : (
        <p className="notice" data-tone="quiet">
          <Text id="health.noPeople" />
        </p>
      )}
    </>
  );
}
